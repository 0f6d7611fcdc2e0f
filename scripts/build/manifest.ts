/** Reads Vite's manifest: which files a source file became, and which files those import. */
import { basename } from 'node:path'

export type Manifest = Record<string, { file: string; name?: string; imports?: string[]; css?: string[]; assets?: string[] }>

/** Files of these modules and of everything they import statically. */
export function findChunks(manifest: Manifest, modules: readonly string[]): string[] {
  const files = new Set<string>()
  const follow = (name: string) => {
    const chunk = manifest[name] ?? sharedChunk(manifest, name)
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(follow)
  }
  modules.forEach(follow)
  return [...files]
}

/** A module that is imported here statically, and there by `import()`, has a file without an entry of its own. */
function sharedChunk(manifest: Manifest, path: string): Manifest[string] | undefined {
  const name = basename(path).replace(/\.tsx?$/, '')
  return Object.entries(manifest).find(([key, chunk]) => key.startsWith('_') && chunk.name === name)?.[1]
}

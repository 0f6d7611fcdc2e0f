/** Reads Vite's manifest: which files a source file became, and which files those import. */
export type Manifest = Record<string, { file: string; imports?: string[]; css?: string[]; assets?: string[] }>

/** Files of these modules and of everything they import statically. */
export function findChunks(manifest: Manifest, modules: readonly string[]): string[] {
  const files = new Set<string>()
  const follow = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(follow)
  }
  modules.forEach(follow)
  return [...files]
}

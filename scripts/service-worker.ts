/** Fills in the service worker: the name of this build, and the files that make up the first page. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import { chunksOf } from './manifest.ts'

/** Files a first visit has fetched anyway: entry, styles, faces, the texts of both languages. */
function shellFiles(manifest: Manifest): string[] {
  const chunks = chunksOf(manifest, ['index.html', 'texts/en/core.ts', 'texts/es/core.ts'])
  const entry = manifest['index.html']
  return [...new Set([...chunks, ...(entry?.css ?? []), ...(entry?.assets ?? [])])].map(file => `/${file}`)
}

/** @throws when a placeholder is gone: a worker without a cache name would keep an old build for ever. */
export async function fillServiceWorker(web: string, manifest: Manifest, build: string): Promise<void> {
  const path = join(web, 'sw.js')
  const text = await readFile(path, 'utf8')
  const filled = text.replace('__BUILD__', build).replace('__SHELL__', JSON.stringify(shellFiles(manifest)))
  if (filled.includes(`'__`) || !filled.includes(build)) throw new Error('sw.js has lost its placeholders __BUILD__ and __SHELL__')
  await writeFile(path, filled)
}

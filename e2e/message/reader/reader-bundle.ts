import { resolve } from 'node:path'
import { build } from 'vite'

/** `window.mayfly` in a page with the bundle. */
export type Reader = typeof import('./reader-entry.ts')

const root = resolve(import.meta.dirname, '../../..')

let bundle: Promise<string> | undefined

/** Bundles reader-entry.ts as one script that defines `mayfly`; built once in each worker. */
export function buildReader(): Promise<string> {
  bundle ??= bundleReader()
  return bundle
}

async function bundleReader(): Promise<string> {
  const lib = { entry: resolve(root, 'e2e/message/reader/reader-entry.ts'), name: 'mayfly', formats: ['iife' as const], fileName: 'reader' }
  const built = await build({ configFile: false, logLevel: 'error', root, build: { write: false, lib } })
  const [bundle] = Array.isArray(built) ? built : [built]
  const chunk = bundle && 'output' in bundle ? bundle.output[0] : undefined
  if (chunk?.type !== 'chunk' || !chunk.code.includes('sanitizeMail')) throw new Error('the reader was not bundled')
  return chunk.code
}

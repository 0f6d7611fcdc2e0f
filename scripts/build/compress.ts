/** Compresses files with Brotli at its highest setting at build time, so that the server only sends them. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const brotli = promisify(brotliCompress)
const TEXT = /\.(?:js|css|html|svg|json|webmanifest|txt|xml)$/
/** Below this size a compressed copy saves less than its own headers. */
const BYTES_MIN = 512

/** Writes `name.br` next to every text file that becomes smaller; returns how many. */
export async function compressFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile() && TEXT.test(entry.name)).map(entry => join(entry.parentPath, entry.name))
  const written = await Promise.all(paths.map(compressFile))
  return written.filter(Boolean).length
}

async function compressFile(path: string): Promise<boolean> {
  const bytes = await readFile(path)
  if (bytes.length < BYTES_MIN) return false
  const small = await brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  if (small.length >= bytes.length) return false
  await writeFile(`${path}.br`, small)
  return true
}

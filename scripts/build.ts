/**
 * Builds the site into dist/web: the browser's files, the prerendered pages, and a `.br` beside what is worth compressing.
 * `--if-stale` does nothing when no input has changed since the last build. Prints what it does.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { compressFolder } from './compress.ts'
import { prerenderSite } from './prerender.ts'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
const stamp = join(dist, 'web.stamp')
/** Everything a build reads. Tests are left out: they change often and never what is served. */
const INPUTS = ['web', 'contract', 'content', 'scripts', 'vite.config.ts', 'package.json', 'package-lock.json']

/** SHA-256 over the names and bytes of all inputs; also names the build for the service worker. */
function hashInputs(): string {
  const hash = createHash('sha256')
  for (const path of INPUTS.flatMap(input => listFiles(join(root, input)))) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return []
  const entries = readdirSyncOrFile(path)
  return entries.filter(file => !/\.test\.tsx?$/.test(file)).sort()
}

function readdirSyncOrFile(path: string): string[] {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
  } catch {
    return [path]
  }
}

async function buildSite(hash: string): Promise<void> {
  const startedAt = performance.now()
  const options = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' as const }
  console.log('Building the site: browser files …')
  await build({ ...options, root: join(root, 'web') })
  console.log('Building the site: pages …')
  await build({ ...options, root: join(root, 'web'), build: { ssr: 'entry-server.tsx' } })
  const pages = await prerenderSite(dist, hash.slice(0, 12))
  console.log('Building the site: compressing …')
  const files = await compressFolder(join(dist, 'web'))
  writeFileSync(stamp, hash)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`Built ${pages} pages, compressed ${files} files into dist/web in ${seconds} s.`)
}

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
const hash = hashInputs()
const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
if (values['if-stale'] && isFresh) console.log('The site is built already.')
else await buildSite(hash)

/**
 * Builds the site into dist/web (the browser's files, the prerendered pages, and a `.br` next to files worth compressing), the browser
 * extension into dist/extension, and the server into dist/server. `--if-stale` skips what has not changed since its last build, `--server`
 * builds the server alone, `--commands` adds the operator's commands to it, for a folder without packages. Prints what
 * it does.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { buildExtension } from './build/build-extension.ts'
import { withBuildLock } from './build/build-lock.ts'
import { buildServer, COMMANDS } from './build/build-server.ts'
import { compressFolder } from './build/compress.ts'
import { prerenderSite } from './build/prerender.ts'

// A test that builds has its own value, with which React's development code would be built.
process.env.NODE_ENV = 'production'

// The server's user reads what another may have built.
process.umask(0o022)

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** One half of the build. */
type Half = {
  readonly name: string
  /** All inputs. Tests are left out, because they change often and are not built. */
  readonly inputs: readonly string[]
  readonly stamp: string
  /** Resolves to a description of what was built. */
  build(hash: string): Promise<string>
}

const SITE: Half = {
  name: 'site',
  inputs: [
    'web',
    'extension',
    'contract',
    'reader',
    'content',
    'scripts',
    'vite.config.ts',
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
  ],
  stamp: join(dist, 'web.stamp'),
  build: buildSite,
}

const SERVER: Half = {
  name: 'server',
  inputs: [
    'server',
    'contract',
    'reader',
    'client',
    'scripts/build.ts',
    'scripts/build/build-server.ts',
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
  ],
  stamp: join(dist, 'server.stamp'),
  build: async () => {
    await buildServer(root, join(dist, 'server'), values.commands ? COMMANDS : [])
    return 'Built the server into dist/server'
  },
}

/** SHA-256 over the names and bytes of all inputs; also names the build for the service worker. */
function hashInputs(inputs: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap(input => listFiles(join(root, input)))) {
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

async function buildSite(hash: string): Promise<string> {
  const options = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' as const }
  console.log('Building the site: browser files …')
  await build({ ...options, root: join(root, 'web') })
  console.log('Building the site: pages …')
  await build({ ...options, root: join(root, 'web'), build: { ssr: 'entry-server.tsx' } })
  const pages = await prerenderSite(root, hash.slice(0, 12))
  console.log('Building the site: browser extension …')
  const extension = await buildExtension(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  console.log('Building the site: compressing …')
  const files = await compressFolder(join(dist, 'web'))
  return `Built ${pages} pages, compressed ${files} files into dist/web, the extension (${extension}) into dist/extension`
}

async function buildHalf({ name, inputs, stamp, build }: Half, isForced: boolean): Promise<void> {
  const hash = hashInputs(inputs)
  if (!isForced && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
    console.log(`The ${name} is built already.`)
    return
  }
  const startedAt = performance.now()
  // An interrupted build must not count as complete.
  rmSync(stamp, { force: true })
  const built = await build(hash)
  writeFileSync(stamp, hash)
  console.log(`${built} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}

/** `npm start` and tests may build at the same time: the second finds it built. */
async function buildInTurn(half: Half, isForced: boolean): Promise<void> {
  await withBuildLock(`${half.stamp}.lock`, () => buildHalf(half, isForced))
}

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { 'if-stale': flag, server: flag, commands: flag } })
for (const half of values.server ? [SERVER] : [SITE, SERVER]) await buildInTurn(half, !values['if-stale'])

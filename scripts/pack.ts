/**
 * `npm run pack -- FOLDER`: the four files of a release. `mayfly-VERSION.tgz` is the server, built and without dependencies but Node, so
 * that npm starts it by one command; `mayfly-client-VERSION.tgz` is the client; `mayfly-VERSION-source.tgz` is this folder, for an
 * installation that needs no git; `mayfly-VERSION.cdx.json` lists every package that runs on this platform, with its checksum (CycloneDX).
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildServer, COMMANDS } from './build/build-server.ts'

const root = resolve(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? join(root, 'dist'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

mkdirSync(target, { recursive: true })
packSource()
await packServer(join(root, 'dist/package'))
node('scripts/client/build.ts')
npmPack(join(root, 'dist/client'))
listPackages()

/** `npm pack` never packs package-lock.json, so its copy has the name of a lock file that is packed. */
function packSource(): void {
  const lock = join(root, 'npm-shrinkwrap.json')
  copyFileSync(join(root, 'package-lock.json'), lock)
  try {
    npmPack(root)
  } finally {
    rmSync(lock)
  }
  renameSync(join(target, `mayfly-${manifest.version}.tgz`), join(target, `mayfly-${manifest.version}-source.tgz`))
}

async function packServer(folder: string): Promise<void> {
  node('scripts/build.ts', '--if-stale')
  rmSync(folder, { recursive: true, force: true })
  // What `scripts/start.mjs` imports.
  const scripts = ['start', 'bootstrap', 'lock-file', 'node-runtime', 'npm-ci', 'run-until-end', 'server-process']
  for (const path of [...scripts.map(name => `scripts/${name}.mjs`), 'dist/web', 'content/blog', 'deploy', 'LICENSE', 'README.md']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  await buildServer(root, join(folder, 'dist/server'), COMMANDS)
  const { name, version, description, license, type, engines, optionalDependencies } = manifest
  const packed = { name, version, description, license, type, engines, bin: { mayfly: 'scripts/start.mjs' }, optionalDependencies }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, undefined, 2)}\n`)
  npmPack(folder)
}

type Component = { 'bom-ref': string; properties?: { name: string }[] }
type Materials = {
  metadata: { component: { name: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * `npm sbom --omit=dev` (npm 11.19) also leaves out what the server and its development both need, such as React. It is npm's default here,
 * because Vite has set `NODE_ENV` while it built the server.
 */
function listPackages(): void {
  const materials: Materials = JSON.parse(npm(root, ['sbom', '--sbom-format=cyclonedx', '--include=dev']))
  // Our own workspaces are private.
  const isLeftOut = ({ properties = [] }: Component) =>
    properties.some(({ name }) => /^cdx:npm:package:(?:development|private)$/.test(name))
  const left = new Set(materials.components.filter(isLeftOut).map(component => component['bom-ref']))
  const isListed = (ref: string) => !left.has(ref)
  // npm takes the name of the folder.
  materials.metadata.component.name = manifest.name
  materials.components = materials.components.filter(component => isListed(component['bom-ref']))
  materials.dependencies = materials.dependencies
    .filter(({ ref }) => isListed(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isListed) }))
  writeFileSync(join(target, `mayfly-${manifest.version}.cdx.json`), `${JSON.stringify(materials, undefined, 2)}\n`)
}

function node(...args: string[]): void {
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
}

function npmPack(folder: string): void {
  process.stdout.write(npm(folder, ['pack', '--pack-destination', target]))
}

/** What it writes to standard output. */
function npm(folder: string, args: readonly string[]): string {
  const [command = '', ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' } as const
  return execFileSync(command, [...first, ...args, '--loglevel=error'], options)
}

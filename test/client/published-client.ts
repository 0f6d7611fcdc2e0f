/** Installs the package that `npm pack` makes into an empty project, with the programs that its tests run. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { installOnce } from '../harness/install-once.ts'

const root = resolve(import.meta.dirname, '../..')

type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs a command to its end, whatever its exit code. */
export function run(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Finished> {
  return new Promise(done => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024, ...options }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr })
    })
  })
}

/** A Node 20 installed next to the one that runs the tests; `undefined` if there is none. */
export async function findNode20(): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  for (const candidate of new Set(folders.map(folder => join(folder, 'node')))) {
    if ((await run(candidate, ['--version'])).stdout.startsWith('v20.')) return candidate
  }
  return undefined
}

/** Bun without the newest instructions of processors, and Deno. Together they are larger than all other packages for development. */
const RUNTIMES = [
  { name: 'Bun', package: '@oven/bun-linux-x64-baseline', version: '1.4.5', program: 'bin/bun', args: [] },
  { name: 'Deno', package: '@deno/linux-x64-glibc', version: '2.9.6', program: 'deno', args: ['run', '--allow-all'] },
]

/** Empty without a registry, and on machines that they are not made for. */
export async function findRuntimes() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const folder = await keptPackages(...RUNTIMES.map(runtime => `${runtime.package}@${runtime.version}`))
  if (!folder) return []
  return RUNTIMES.map(({ name, args, ...one }) => ({ name, args, program: join(folder, one.package, one.program) }))
}

/** The last TypeScript that knows `node10`, with which older projects resolve modules: the path of its compiler. */
export const findTypeScript5 = async () => join((await keptPackages('typescript@5.9.3')) ?? '', 'typescript/bin/tsc')

/** The packages of WebdriverIO; `undefined` without a registry or Debian's driver of Chromium. */
export async function findWebdriverIO(): Promise<string | undefined> {
  const parts = ['cli@9.32.0', 'local-runner@9.32.0', 'mocha-framework@9.32.0', 'spec-reporter@9.32.0']
  return process.env.CHROMEDRIVER_PATH && keptPackages(...parts.map(part => `@wdio/${part}`))
}

/** A `node_modules` with these, kept in the user's caches and so for every checkout; `undefined` without a registry. */
async function keptPackages(...packages: string[]): Promise<string | undefined> {
  const name = `mayfly-${packages.join('+').replaceAll('/', '-')}`
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), name)
  const installed = join(folder, 'node_modules')
  const installing = installOnce(folder, `npm install --prefix . --ignore-scripts --no-audit --no-fund ${packages.join(' ')}`)
  return await installing.then(
    () => installed,
    () => undefined,
  )
}

/** Builds, packs and installs; resolves to the size of the tarball. */
export async function installPackage(project: string): Promise<{ packedBytes: number }> {
  const built = await run(process.execPath, ['scripts/client/build.ts'], { cwd: root })
  if (built.code !== 0) throw new Error(built.stderr)
  const exec = promisify(execFile)
  const packed = await exec('npm', ['pack', '--json', '--pack-destination', project], { cwd: join(root, 'dist/client') })
  const [{ filename, size }] = JSON.parse(packed.stdout)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', `./${filename}`], { cwd: project })
  return { packedBytes: size }
}

/** The project also needs Playwright and the types of Node. */
export function linkTools(project: string): void {
  mkdirSync(join(project, 'node_modules/@playwright'), { recursive: true })
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
  for (const name of ['@playwright/test', '@types/node', 'undici-types', 'playwright', 'playwright-core', 'vitest']) {
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
}

export function copyExample(project: string, name: string): void {
  cpSync(join(root, 'examples/sign-up/tests', name), join(project, name))
}

/**
 * A Python with the client as `pip` packs it, and what tests it: pytest, mypy and Robot Framework. What tests is installed once and kept;
 * `undefined` without Python or a package index.
 */
export async function findPython(): Promise<string | undefined> {
  const folder = join(root, 'dist/python')
  const python = join(folder, 'bin/python')
  const packages = join(root, 'clients/python')
  const pip = (...args: string[]) => run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...args])
  const wanted = readFileSync(join(packages, 'requirements-test.txt'), 'utf8')
  const stamp = join(folder, 'installed.txt')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    if ((await run('python3', ['-m', 'venv', '--clear', folder])).code !== 0) return undefined
    if ((await pip('-r', join(packages, 'requirements-test.txt'))).code !== 0) return undefined
    writeFileSync(stamp, wanted)
  }
  // pip builds in the folder of the source, and packs what an earlier build left there.
  const source = join(folder, 'source')
  rmSync(source, { recursive: true, force: true })
  cpSync(packages, source, { recursive: true, filter: path => path !== join(packages, 'build') })
  const installed = await pip('--no-build-isolation', '--no-deps', '--force-reinstall', source)
  if (installed.code !== 0) throw new Error(installed.stderr)
  return python
}

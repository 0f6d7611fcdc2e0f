// Installs the packages of the lock file. Plain JavaScript for any Node from 18 on.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { lockFile } from './lock-file.mjs'
import { nodeFor, thisMachine } from './node-runtime.mjs'
import { runUntilEnd } from './run-until-end.mjs'

const isWindows = process.platform === 'win32'

/** @returns {Promise<number>} exit code of npm */
export async function npmCi(root, args) {
  if (canInstall(process.versions.node)) return runNpm(process.execPath, root, args)
  // npm skips optional packages that do not support the running Node, such as the compiler of Vite's bundler.
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-node-'))
  try {
    const node = await installNode(root, folder)
    return await runNpm(node, root, args)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the bundler's packages declare under `engines`: `^20.19.0 || >=22.12.0`. */
export function canInstall(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
}

/** Installs only the Node of the lock file, checked against its hash. Returns its path, or that of the running Node if there is none. */
async function installNode(root, folder) {
  const { packageName = '' } = nodeFor(thisMachine())
  const path = `node_modules/${packageName}`
  const entry = JSON.parse(readFileSync(lockFile(root), 'utf8')).packages[path]
  if (!entry) return process.execPath
  const project = { name: 'node', version: '1.0.0', dependencies: { [packageName]: entry.version } }
  const lock = { ...project, lockfileVersion: 3, requires: true, packages: { '': project, [path]: { ...entry, optional: false } } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const code = await runNpm(process.execPath, folder, ['--ignore-scripts'])
  const node = join(folder, path, 'bin', isWindows ? 'node.exe' : 'node')
  return code === 0 && existsSync(node) ? node : process.execPath
}

/**
 * On a slow network npm 10 was seen to stop in the middle and end with 0 ("Exit handler never called!"). A list of what is installed is the
 * last that it writes: without it the same is tried once more, when most of it is in npm's cache.
 */
async function runNpm(node, folder, args) {
  const list = join(folder, 'node_modules', '.package-lock.json')
  rmSync(list, { force: true })
  const code = await runNpmOnce(node, folder, args)
  if (code !== 0 || existsSync(list)) return code
  console.log('npm stopped before it was done. Trying once more …')
  const second = await runNpmOnce(node, folder, args)
  return second === 0 && !existsSync(list) ? 1 : second
}

function runNpmOnce(node, folder, args) {
  const npm = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm']
  // npm would wait ten seconds and then twenty; without a network that is told sooner.
  const retries = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  const [command, ...rest] = [...npm, 'ci', ...args, ...retries, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  return runUntilEnd(spawn(command, rest, { cwd: folder, env, stdio: 'inherit', shell: isWindows && command === 'npm' }))
}

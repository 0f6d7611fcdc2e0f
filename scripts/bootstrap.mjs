// Plain JavaScript for any Node from 18 on: everything else in this repository needs the Node that this file finds or installs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockFile } from './lock-file.mjs'
import { nodeFor, thisMachine } from './node-runtime.mjs'
import { npmCi } from './npm-ci.mjs'
import { runUntilEnd } from './run-until-end.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.mayfly-lock')
const isWindows = process.platform === 'win32'

/** Whether this is the package of a built server (scripts/pack.ts): npm has put its Node into this folder or beside it. */
export const isPacked = !existsSync(join(root, 'scripts/build.ts'))

/**
 * Makes `node_modules` match the lock file; does nothing when it already does.
 * @param {{ development?: boolean }} options with `development` also what only tests and checks need; a full install is enough for everything
 */
export async function installDependencies({ development: isAsked = false } = {}) {
  const lock = createHash('sha256')
    .update(readFileSync(lockFile(root)))
    .digest('hex')
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  // A start after an update keeps the tools of developers.
  const development = isAsked || installed.endsWith(' all')
  const wanted = `${lock} ${development ? 'all' : 'production'}`
  if (installed === wanted) return
  requireNode()
  console.log(development ? 'Installing the packages for development …' : 'Installing packages …')
  // An interrupted installation must not count as complete.
  rmSync(stamp, { force: true })
  const code = await npmCi(root, development ? [] : ['--omit=dev', '--omit=peer'])
  // Its sender knows.
  if (isSignal(code)) process.exit(code)
  if (code !== 0) fail(`npm ci did not finish. ${npmRemedy(code)}, then run the same command again.`, code)
  removeHeaders()
  mkdirSync(modules, { recursive: true })
  writeFileSync(stamp, wanted)
}

const isSignal = code => Object.values(constants.signals).includes(code - 128)

/** npm ends with the number of the system's error, negated and cut to eight bits: 243 is EACCES. */
function npmRemedy(code) {
  const { EACCES, EDQUOT, ENOSPC, EPERM, EROFS } = constants.errno
  const errno = 256 - code
  if ([EACCES, EPERM].includes(errno)) return `Give this user the right to write in ${root} and in npm's cache (npm config get cache)`
  if ([ENOSPC, EDQUOT].includes(errno)) return 'Its disk is full: make room'
  if (errno === EROFS) return `${root} or npm's cache is on a read-only file system: move it, or mount it for writing`
  return 'Check the network and the disk'
}

/** Node's package has 68 MB of C headers, which only native builds need. */
function removeHeaders() {
  const { packageName } = nodeFor(thisMachine())
  if (!packageName) return
  for (const folder of ['include', 'share']) rmSync(join(modules, packageName, folder), { recursive: true, force: true })
}

/** @returns {string} path of the Node that runs this project; ends the process with a remedy when there is none. */
export function requireNode() {
  const { packageName, problem } = nodeFor(thisMachine())
  if (problem) fail(problem)
  const folders = packageName ? [modules, ...(isPacked ? [dirname(root)] : [])] : []
  const installed = folders.map(folder => join(folder, packageName, 'bin', isWindows ? 'node.exe' : 'node')).find(existsSync)
  if (isPacked && packageName && !installed) fail(`The package ${packageName} is missing: install Mayfly with its optional packages.`)
  return installed ?? process.execPath
}

/** An environment in which `node`, `vite`, `tsc` and the other tools of this project are found first. */
export function toolEnvironment() {
  const separator = isWindows ? ';' : ':'
  return { ...process.env, PATH: [dirname(requireNode()), join(modules, '.bin'), process.env.PATH].join(separator) }
}

/** Runs a script under the right Node until it ends; resolves to its exit code. */
export const runNode = (args, env = toolEnvironment()) => runUntilEnd(spawn(requireNode(), args, { cwd: root, stdio: 'inherit', env }))

/** @returns {never} */
export function fail(message, code = 1) {
  console.error(message)
  process.exit(code)
}

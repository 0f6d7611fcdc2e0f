// Runs a child process that never outlives this one: signals are passed on, and the end of npm counts as a signal. Plain JavaScript for any
// Node from 18 on.
import { readFileSync, readlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { basename } from 'node:path'

const POLL_MS = 500
const SHELLS = new Set(['sh', 'dash', 'bash', 'busybox', 'ash', 'zsh', 'ksh'])
const SIGNALS = ['SIGINT', 'SIGTERM']

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code; 128 and the signal's number when a signal ended it, as shells have it
 */
export function runUntilEnd(child) {
  return new Promise(resolve => {
    const forward = signal => stop(child, signal)
    for (const signal of SIGNALS) process.on(signal, forward)
    const watch = watchNpm(() => forward('SIGTERM'))
    const end = code => {
      for (const signal of SIGNALS) process.off(signal, forward)
      clearInterval(watch)
      resolve(code)
    }
    child.on('error', error => {
      console.error(`${child.spawnfile} cannot be run: ${error.message}`)
      end(1)
    })
    child.on('exit', (code, signal) => end(code ?? 128 + constants.signals[signal]))
  })
}

/** Windows has no signals: closing the channel tells the child to stop. */
function stop(child, signal) {
  if (process.platform === 'win32' && child.connected) child.disconnect()
  else child.kill(signal)
}

/**
 * `kill` of a background `npm start` may end npm's shell without reaching us, and SIGKILL of npm never does. Only npm is watched: a server
 * started in another way may outlive the shell it was started from.
 */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return undefined
  const ancestors = npmAncestors()
  const isGone = () => ancestors.some((pid, index) => readParentPid(index === 0 ? process.pid : ancestors[index - 1]) !== pid)
  const watch = setInterval(() => {
    if (!isGone()) return
    clearInterval(watch)
    onGone()
  }, POLL_MS)
  return watch.unref()
}

/** Our parent processes up to npm: npm alone, or the shells in between and then npm. */
function npmAncestors() {
  const pids = [process.ppid]
  while (isShell(pids.at(-1))) {
    const parent = readParentPid(pids.at(-1))
    if (!parent) break
    pids.push(parent)
  }
  return pids
}

function isShell(pid) {
  try {
    return SHELLS.has(basename(readlinkSync(`/proc/${pid}/exe`)))
  } catch {
    return false // no /proc, as on macOS: only the parent is watched
  }
}

function readParentPid(pid) {
  if (pid === process.pid) return process.ppid
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const CHECK_MS = 100
/** Time between creating a lock and writing its owner's process id. */
const NAMELESS_MS_MAX = 5000

/** Runs while no other process holds the lock at this path. The lock of a process that was killed no longer counts. */
export async function withBuildLock(path: string, run: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  while (!take(path)) await sleep(CHECK_MS)
  try {
    await run()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!isHeld(path)) rmSync(path, { force: true })
    return false
  }
}

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    if (pid === 0) return Date.now() - statSync(path).mtimeMs < NAMELESS_MS_MAX
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

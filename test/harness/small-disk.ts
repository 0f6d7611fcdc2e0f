/** A file system of a known size for one test, which nothing else writes to. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Whether this process may mount file systems: root outside most containers. Tried in a namespace of its own, so nothing stays mounted. */
export const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0

/** Mounts `bytes` of memory at `folder`, Disposing unmounts it, also while files are open, and removes the folder. */
export function mountSmallDisk(folder: string, bytes: number): Disposable {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder])
  return {
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}

/** Tests that start the server as a process of its own start what is built, so it is built anew when its sources have changed. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

let building: Promise<unknown> | undefined

/** Once per process; processes that ask at the same time wait for the first. */
export async function serverBuilt(): Promise<void> {
  const root = resolve(import.meta.dirname, '..')
  building ??= promisify(execFile)(process.execPath, ['scripts/build.ts', '--if-stale', '--server'], { cwd: root })
  await building
}

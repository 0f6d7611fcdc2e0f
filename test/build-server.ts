/** Builds the server if its sources have changed, for tests that start it as a process. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

let building: Promise<unknown> | undefined

/** Once per process. Processes that ask at the same time wait for the first. */
export async function serverBuilt(): Promise<void> {
  const root = resolve(import.meta.dirname, '..')
  building ??= promisify(execFile)(process.execPath, ['scripts/build.ts', '--if-stale', '--server'], { cwd: root })
  await building
}

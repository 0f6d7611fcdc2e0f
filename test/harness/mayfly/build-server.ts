/** What starts the server as a process of its own starts what is built, so it is built anew when its sources have changed. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

let server: Promise<unknown> | undefined
let site: Promise<unknown> | undefined

/** Once per process. Processes that ask at the same time wait for the first. */
export async function serverBuilt(): Promise<void> {
  server ??= build('--server')
  await server
}

/** The pages too, which takes longer. */
export async function siteBuilt(): Promise<void> {
  site ??= build()
  await site
}

function build(...args: string[]): Promise<unknown> {
  const root = resolve(import.meta.dirname, '../../..')
  return promisify(execFile)(process.execPath, ['scripts/build.ts', '--if-stale', ...args], { cwd: root })
}

/** Before all tests: those that start the server as a process of its own start what is built. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

export default function buildServer(): void {
  const root = resolve(import.meta.dirname, '..')
  execFileSync(process.execPath, ['scripts/build.ts', '--if-stale', '--server'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Tests look at what would be shipped: the built site, rebuilt when an input has changed. */
export default function buildSite(): void {
  const root = resolve(import.meta.dirname, '..')
  execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })
}

import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Tests use the built site, which is rebuilt if a source has changed. */
export default function buildSite(): void {
  const root = resolve(import.meta.dirname, '../..')
  execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })
}

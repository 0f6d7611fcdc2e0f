import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json, found from the location of this code: `server/` in development, `dist/server/` when built. */
export const root: string = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}: Mayfly must be started from its own folder`)
  return findRoot(parent)
}

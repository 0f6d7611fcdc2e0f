// Plain JavaScript for any Node from 18 on.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The lock file: `npm pack` never packs package-lock.json, so a packed release carries it as npm-shrinkwrap.json (scripts/pack.ts). */
export function lockFile(root) {
  const own = join(root, 'package-lock.json')
  const packed = join(root, 'npm-shrinkwrap.json')
  return existsSync(own) || !existsSync(packed) ? own : packed
}

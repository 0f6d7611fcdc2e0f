import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#server/root.ts'

/** The version of this program, as `package.json` has it: databases keep which one wrote them. */
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

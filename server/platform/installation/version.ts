import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

/** The version in package.json. Databases record which version wrote them. */
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

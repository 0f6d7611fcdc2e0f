/** Finds the Mayfly checkout that `start()` runs. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { MayflyError } from '../errors.ts'

/** The script of `npm start`. */
export const START_SCRIPT = 'scripts/start.mjs'

/** The folder passed in, `MAYFLY_HOME`, the checkout that this code is in, or a package called `mayfly`, in this order. */
export function findHome(folder: string | undefined, from = process.cwd()): string {
  const explicit = folder ?? (process.env.MAYFLY_HOME || undefined)
  if (explicit !== undefined) {
    if (isHome(explicit)) return resolve(explicit)
    throw new MayflyError('not_started', `${resolve(explicit)} is not a checkout of Mayfly: it has no ${START_SCRIPT}`)
  }
  const found = ancestors(from).find(isHome) ?? installedPackage(from)
  if (found !== undefined) return found
  throw new MayflyError(
    'not_started',
    'There is no Mayfly to start. Clone it and name its folder in MAYFLY_HOME, or run one elsewhere and use new Mayfly({ url }).',
  )
}

function isHome(folder: string): boolean {
  return existsSync(join(folder, START_SCRIPT)) && packageName(folder) === 'mayfly'
}

function packageName(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
  } catch {
    return undefined
  }
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

function installedPackage(from: string): string | undefined {
  try {
    const folder = dirname(createRequire(join(from, 'x.js')).resolve('mayfly/package.json'))
    return isHome(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

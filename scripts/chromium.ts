/** Finds Chromium for scripts that draw and tests that click: the one in CHROMIUM_PATH, Debian's, or Playwright's own. */
import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const DEBIAN = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']

/** No sandbox, because root cannot use one, and no background requests, which would look like traffic of the site. */
export const launchOptions: LaunchOptions = launchOptionsFor(DEBIAN)

/** The first of the browsers at `paths` that exists. CHROMIUM_PATH, which `npm test` sets, comes first. */
export function launchOptionsFor(paths: readonly string[]): LaunchOptions {
  const executablePath = process.env.CHROMIUM_PATH ?? paths.find(existsSync)
  const args = ['--no-sandbox', '--disable-background-networking']
  // In a locale without UTF-8, as in a bare environment, Chromium saves "résumé.bin" as "download".
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  return executablePath === undefined ? { args, env } : { executablePath, args, env }
}

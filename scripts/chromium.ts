/** The Chromium this machine has, for scripts that draw and tests that click: the one that was named, Debian's, or Playwright's own. */
import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const DEBIAN = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']

/** In `args` no sandbox, because as root there is none to be had, and no background requests, which would show up as traffic of ours. */
export const launchOptions: LaunchOptions = launchOptionsFor(DEBIAN)

/** Of the browsers at `paths` the first one that is there. CHROMIUM_PATH, which `npm test` sets, outranks all. */
export function launchOptionsFor(paths: readonly string[]): LaunchOptions {
  const executablePath = process.env.CHROMIUM_PATH ?? paths.find(existsSync)
  const args = ['--no-sandbox', '--disable-background-networking']
  return executablePath === undefined ? { args } : { executablePath, args }
}

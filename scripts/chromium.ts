/** The Chromium this machine has, for scripts that draw and tests that click. Playwright's own stands in where Debian's is missing. */
import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const DEBIAN = '/usr/bin/chromium'

export const launchOptions: LaunchOptions = {
  ...(existsSync(DEBIAN) ? { executablePath: DEBIAN } : {}),
  // As root there is no sandbox to be had; background requests would show up as traffic of ours.
  args: ['--no-sandbox', '--disable-background-networking'],
}

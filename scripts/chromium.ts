/** The Chromium this machine has, for scripts that draw and tests that click: the one that scripts/engines.mjs found, or Debian's, or Playwright's own. */
import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

/** The shell has no window to draw, and takes less processor time than the whole browser. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

const executablePath = process.env.CHROMIUM_PATH ?? DEBIAN.find(existsSync)

export const launchOptions: LaunchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  // As root there is no sandbox to be had; background requests would show up as traffic of ours.
  args: ['--no-sandbox', '--disable-background-networking'],
}

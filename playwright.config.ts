import { defineConfig } from '@playwright/test'
import { launchOptions } from './scripts/chromium.ts'

/** Browser tests run against the real server and the built site; e2e/fixtures.ts starts one server per worker. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/build-site.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // CI machines are shared and noisy: a second try tells a flaky wait (reported as flaky) from a fault (reported as failed).
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : [['list']],
  use: { launchOptions, trace: 'retain-on-failure', locale: 'en-US', timezoneId: 'UTC' },
})

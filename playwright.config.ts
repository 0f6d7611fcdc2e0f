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
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : [['list']],
  use: { launchOptions, trace: 'retain-on-failure', locale: 'en-US', timezoneId: 'UTC' },
})

import { defineConfig } from '@playwright/test'
import { otherEngines } from './e2e/engines/engines.ts'
import { launchOptions } from './e2e/harness/chromium.ts'
import { LONG_BROWSER_TESTS } from './test/long-tests.ts'

/** Browser tests run against the real server and the built site; e2e/harness/fixtures.ts starts one server per worker and environment. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/harness/build-site.ts',
  fullyParallel: true,
  workers: 2,
  // `npm test` runs the first, `npm test -- --all` all.
  projects: [{ name: 'quick', grepInvert: LONG_BROWSER_TESTS }, { name: 'long', grep: LONG_BROWSER_TESTS }, ...otherEngines()],
  forbidOnly: Boolean(process.env.CI),
  // CI machines are shared and noisy: a second try tells a flaky wait (reported as flaky) from a fault (reported as failed).
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : [['list']],
  // A trace of every test doubles its cost; `npm run e2e -- --trace on e2e/site/x.spec.ts` makes one of the test that is looked into.
  use: {
    launchOptions,
    // What is pressed may be gone for good, such as a mail whose address has expired: without this the press waits for the whole test.
    actionTimeout: 60_000,
    // Without a graphics card every frame of a movement is drawn by the processor: measured, a fifth of all its time. Where movement can
    // matter, a test uses WITH_MOTION (e2e/harness/fixtures.ts).
    contextOptions: { reducedMotion: 'reduce' },
    // It would fetch the site a second time in each test. Where it can matter, a test uses WITH_SERVICE_WORKER (e2e/harness/fixtures.ts).
    serviceWorkers: 'block',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    timezoneId: 'UTC',
  },
})

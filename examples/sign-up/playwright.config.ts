/** Starts one Mayfly for all workers, and the application, which mails to it. */
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  globalSetup: './tests/mayfly.setup.ts',
  webServer: { command: 'node server.ts', url: 'http://127.0.0.1:3000', env: { PORT: '3000', SMTP_URL: 'smtp://127.0.0.1:2525' } },
  use: { launchOptions: process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {} },
})

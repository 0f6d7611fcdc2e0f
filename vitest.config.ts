import { defineConfig } from 'vitest/config'
import { COMPILED_CODE } from '#test/harness/compiled-code.ts'
import { LONG_UNIT_TESTS } from '#test/long-tests.ts'
import { blogArticles } from './scripts/blog/plugin.ts'

// For the workers of vitest and for the threads of the servers under test: each of these would strip and compile hundreds of files anew.
process.env.NODE_COMPILE_CACHE ??= COMPILED_CODE.NODE_COMPILE_CACHE

/**
 * Files of one worker share its modules: a process and an import of the whole server for each of them took a fifth of all processor time.
 * A test therefore leaves nothing behind in module state, in `process` or in globals.
 */
const shared = {
  environment: 'node',
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // What is waited for comes soon on a quiet machine; the second that vitest would give it is too little beside other work.
  expect: { poll: { timeout: 30_000 } },
  // `npm test` reports the first line of a failure alone: it says what was found instead of "[ Array(1) ]".
  chaiConfig: { truncateThreshold: 300 },
  pool: 'forks',
  isolate: false,
  // The browser tests have the same: a busy machine gets a second try, and vitest names each test that needed one.
  retry: process.env.CI ? 1 : 0,
} as const

const server = {
  ...shared,
  // Node itself imports what it can run as it is. Together with the cache above this saves a third of all processor time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  globalSetup: 'test/harness/servers/shared-cluster.ts',
} as const

/** `npm test` runs the projects "server" and "web", `npm test -- --all` also "long". */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...server,
          name: 'server',
          include: ['{contract,reader,server,client,extension,cli,scripts,test,lab}/**/*.test.ts'],
          exclude: LONG_UNIT_TESTS,
        },
      },
      // Real engines need a minute beside other work for what takes them seconds alone, and a test waits for several of these.
      { test: { ...server, name: 'long', include: LONG_UNIT_TESTS, testTimeout: 180_000, hookTimeout: 300_000 } },
      { plugins: [blogArticles()], test: { ...shared, name: 'web', include: ['web/**/*.test.{ts,tsx}'] } },
    ],
    reporters: ['default'],
    passWithNoTests: false,
  },
})

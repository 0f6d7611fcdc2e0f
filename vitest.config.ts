import { defineConfig } from 'vitest/config'
import { blogArticles } from './scripts/blog/plugin.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          globalSetup: 'test/build-server.ts',
          include: ['{contract,server,cli,scripts,test,bench}/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          pool: 'forks',
        },
      },
      {
        plugins: [blogArticles()],
        test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], environment: 'node', testTimeout: 60_000 },
      },
    ],
    reporters: ['default'],
    passWithNoTests: false,
  },
})

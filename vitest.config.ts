import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['{contract,server,cli,scripts,test,bench}/**/*.test.ts'],
          environment: 'node',
          testTimeout: 30_000,
          hookTimeout: 60_000,
          pool: 'forks',
        },
      },
      {
        test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], environment: 'node', testTimeout: 30_000 },
      },
    ],
    reporters: ['default'],
    passWithNoTests: false,
  },
})

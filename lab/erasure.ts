/** Repeats the tests of this folder: `npm run lab -- erasure --rounds 20`. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/privacy/erasure', '--testTimeout=600000'], {
  stdio: 'inherit',
  env: { ...process.env, ERASURE_ROUNDS: values.rounds },
})
process.exitCode = status ?? 1

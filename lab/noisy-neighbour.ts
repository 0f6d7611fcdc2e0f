/** Repeats the suite of this folder with more rounds and prints its results: `npm run lab -- noisy-neighbour --rounds 50`. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/noisy-neighbour', '--testTimeout=1800000'], {
  stdio: 'inherit',
  env: { ...process.env, NOISY_NEIGHBOUR_ROUNDS: values.rounds },
})
process.exitCode = status ?? 1

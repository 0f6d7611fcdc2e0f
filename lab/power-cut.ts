/** Longer journals, and a power cut after every sync: `npm run lab -- power-cut --rounds 5 --mails 200`. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, mails: { type: 'string', default: '100' } } })
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/durability/power-cut', '--testTimeout=3600000'],
  {
    stdio: 'inherit',
    env: { ...process.env, POWER_CUT_ROUNDS: values.rounds, POWER_CUT_MAILS: values.mails, POWER_CUT_CUTS: '1000000' },
  },
)
process.exitCode = status ?? 1

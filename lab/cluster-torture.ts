/** Kills masters of a cluster while two server processes receive mail: `--rounds 10`. With `--reshard` slots are moved instead. */
import { parseArgs } from 'node:util'
import { tortureByKill, tortureByReshard } from '../test/cluster/torture.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' }, reshard: { type: 'boolean', default: false } } })
const startedMs = performance.now()
const torture = values.reshard ? tortureByReshard : tortureByKill
const result = await torture(Number(values.rounds), { sendEveryMs: 0, onRound: console.log })
console.log(`${values.rounds} rounds in ${((performance.now() - startedMs) / 1000).toFixed(0)} s:`, result)
if (result.lost + result.doubled + result.missedByStream + result.twiceInStream + result.otherRefusals > 0) process.exitCode = 1

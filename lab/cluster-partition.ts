/** Splits a cluster in two under load: `--rounds 3`. Needs root on Linux. */
import { parseArgs } from 'node:util'
import { partition } from '../test/cluster/partition.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
const result = await partition(Number(values.rounds), 0)
console.log(`${values.rounds} partitions:`, result)
if (result.lost + result.doubled > 0) process.exitCode = 1

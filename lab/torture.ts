/** Kills the server with SIGKILL under load and compares what it acknowledged with what it stores: `--rounds 20`. */
import { parseArgs } from 'node:util'
import { torture } from '../test/durability/torture.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const startedMs = performance.now()
const result = await torture(Number(values.rounds))
console.log(`${values.rounds} rounds in ${((performance.now() - startedMs) / 1000).toFixed(0)} s:`, result)
if (result.lost + result.doubled + result.ghosts + result.closed > 0) process.exitCode = 1

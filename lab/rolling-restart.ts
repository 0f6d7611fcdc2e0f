/** Restarts several processes behind HAProxy under load, one after the other: `--processes 4 --rounds 1`. */
import { parseArgs } from 'node:util'
import { rollingRestart } from '../test/cluster/rolling-restart.ts'

const { values } = parseArgs({ options: { processes: { type: 'string', default: '4' }, rounds: { type: 'string', default: '1' } } })
const startedMs = performance.now()
const [processes, rounds] = [Number(values.processes), Number(values.rounds)]
const result = await rollingRestart({ processes, rounds, sendEveryMs: 0, visitEveryMs: 20 })
console.log(`${result.restarts} restarts in ${((performance.now() - startedMs) / 1000).toFixed(0)} s:`, result)
const { lost, doubled, failedVisits, notStreamed, streamedTwice, brokenStreams } = result
if (lost + doubled + failedVisits.length + notStreamed + streamedTwice + brokenStreams > 0) process.exitCode = 1

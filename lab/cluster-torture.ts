/**
 * Damages a cluster while two server processes receive mail: `--fault master` (or `replica`, `hanging-replica`, `failover`, `shard`,
 * `disks`, `slots`) `--rounds 10 --node-timeout 1500`. `disks` needs root.
 */
import { parseArgs } from 'node:util'
import { FAULTS, torture } from '../test/cluster/torture.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    fault: { type: 'string', default: 'master' },
    'node-timeout': { type: 'string', default: '1500' },
  },
})
const fault = Object.keys(FAULTS).find((name): name is keyof typeof FAULTS => name === values.fault)
if (!fault) throw new Error(`--fault is one of ${Object.keys(FAULTS).join(', ')}`)
const startedMs = performance.now()
const result = await torture(Number(values.rounds), fault, {
  sendEveryMs: 0,
  nodeTimeoutMs: Number(values['node-timeout']),
  onRound: console.log,
})
console.log(`${values.rounds} rounds in ${((performance.now() - startedMs) / 1000).toFixed(0)} s:`, result)
if (result.lost + result.doubled + result.missedByStream + result.twiceInStream + result.otherRefusals > 0) process.exitCode = 1

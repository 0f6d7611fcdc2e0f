import { expect, test } from 'vitest'
import { findHaproxy } from '../harness/servers/haproxy.ts'
import { findPostgres } from '../harness/servers/postgres.ts'
import { findRedis } from '../harness/servers/redis-cluster.ts'
import { rollingRestart } from './rolling-restart.ts'

const hasEngines = Boolean(findHaproxy() && findPostgres() && findRedis())

test.skipIf(!hasEngines)(
  'a rolling restart loses no mail, causes no errors and interrupts no stream (needs haproxy, PostgreSQL and redis-server)',
  async () => {
    const result = await rollingRestart({ processes: 2 })
    expect(Math.min(result.acknowledged, result.visits, result.reconnects)).toBeGreaterThan(10)
    expect(result).toMatchObject({ lost: 0, doubled: 0, failedVisits: [], notStreamed: 0, streamedTwice: 0, brokenStreams: 0 })
  },
)

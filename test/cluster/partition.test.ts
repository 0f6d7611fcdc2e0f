import { describe, expect, test } from 'vitest'
import { canPartition } from '../harness/network-namespaces.ts'
import { findRedis } from '../harness/servers/redis-cluster.ts'
import { partition } from './partition.ts'

describe.skipIf(!findRedis() || !canPartition())('a cluster split in two (needs redis-server, and root on Linux)', () => {
  test('the minority replies 451 and never a false 250', async () => {
    const result = await partition(1)
    expect(result).toMatchObject({ lost: 0, doubled: 0 })
    expect(Object.keys(result.minority)).toEqual(['451'])
    expect(result.majority['250']).toBeGreaterThan(0)
  })
})

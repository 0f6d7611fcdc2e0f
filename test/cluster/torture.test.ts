import { describe, expect, test } from 'vitest'
import { findRedis } from '../harness/servers/redis-cluster.ts'
import { torture } from './torture.ts'

const NO_HARM = { lost: 0, doubled: 0, missedByStream: 0, twiceInStream: 0, otherRefusals: 0 }

describe.skipIf(!findRedis())('a cluster under load (needs redis-server on this machine)', () => {
  test('killing a master loses no acknowledged mail and interrupts no stream for good', async () => {
    const result = await torture(1, 'master')
    expect(result.acknowledged).toBeGreaterThan(0)
    expect(result).toMatchObject(NO_HARM)
  })

  test('moving slots to other masters loses nothing', async () => {
    const result = await torture(1, 'slots')
    expect(result.acknowledged).toBeGreaterThan(0)
    expect(result).toMatchObject(NO_HARM)
  })
})

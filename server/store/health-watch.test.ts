import { expect, test } from 'vitest'
import { HealthWatch } from './health-watch.ts'
import type { StoreHealth } from './store.ts'

const HEALTHY: StoreHealth = { ok: true, isFull: false, mailboxes: 3, bytesOnDisk: 10, roomBytes: 100, capacityBytes: 110 }

test('a busy store reports its last check, and one that does not respond at all is unhealthy', async () => {
  const answers: (() => Promise<StoreHealth>)[] = [async () => HEALTHY]
  const stuck = Promise.withResolvers<StoreHealth>()
  let looks = 0
  const health = () => {
    looks += 1
    return answers.shift()?.() ?? stuck.promise
  }
  const told: boolean[] = []
  const onChange = ({ ok }: StoreHealth) => told.push(ok)
  await using watch = await HealthWatch.start({ health }, { checkMs: 5, stuckMs: 300, onChange })
  await expect.poll(() => looks).toBe(2)
  expect(watch.latest).toBe(HEALTHY)
  await expect.poll(() => watch.latest.ok, { timeout: 10_000 }).toBe(false)
  expect(looks).toBe(2)
  await expect.poll(() => told, { timeout: 10_000 }).toEqual([false])
  stuck.resolve(HEALTHY)
  await expect.poll(() => watch.latest.ok, { timeout: 10_000 }).toBe(true)
  expect(told).toEqual([false, true])
})

test('a failing store is unhealthy', async () => {
  await using watch = await HealthWatch.start({ health: () => Promise.reject(new Error('closed')) }, { checkMs: 5 })
  expect(watch.latest.ok).toBe(false)
})

test('one slow check is no failure to tell of, two in a row are, and so is the recovery', async () => {
  const failing = async () => ({ ...HEALTHY, ok: false })
  const checks = [async () => HEALTHY, failing, async () => HEALTHY, failing, failing, failing]
  const told: boolean[] = []
  const health = () => checks.shift()?.() ?? Promise.resolve(HEALTHY)
  await using _watch = await HealthWatch.start({ health }, { checkMs: 5, onChange: ({ ok }) => told.push(ok) })
  await expect.poll(() => checks.length === 0 && told).toEqual([false, true])
})

test('one slow shard is no failure to tell of either', async () => {
  const away = (count: number) => async () => ({ ...HEALTHY, shards: { total: 3, away: count, full: 0 } })
  const checks = [away(0), away(1), away(0), away(1), away(1), away(2), away(2)]
  const told: (number | undefined)[] = []
  const health = () => (checks.shift() ?? away(0))()
  await using _watch = await HealthWatch.start({ health }, { checkMs: 5, onChange: ({ shards }) => told.push(shards?.away) })
  await expect.poll(() => checks.length === 0 && told).toEqual([1, 2, 0])
})

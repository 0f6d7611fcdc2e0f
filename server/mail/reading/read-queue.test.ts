import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { MailboxId } from '#server/store/store.ts'
import { ReadQueue } from './read-queue.ts'

const OPTIONS = { readsMax: 4, perNetworkMax: 1, waitingPerMailboxMax: 64 }
const mailbox = (name: string) => name as MailboxId
const { signal } = new AbortController()

/** Each mailbox is read from a network of its own. */
function run<T>(queue: ReadQueue, name: string, read: () => Promise<T>): Promise<T> {
  return queue.run(mailbox(name), { networks: [name], signal }, read)
}

test('one mailbox reads one message at a time, all together four, and each gets the right one', async () => {
  const queue = new ReadQueue(OPTIONS)
  const running = new Map<string, number>()
  let all = 0
  let most = 0
  const read = (name: string, value: number) =>
    run(queue, name, async () => {
      running.set(name, (running.get(name) ?? 0) + 1)
      all += 1
      most = Math.max(most, all)
      expect(running.get(name)).toBe(1)
      await turn()
      running.set(name, 0)
      all -= 1
      return value
    })
  const asked = Array.from({ length: 200 }, (_, i) => read(`mailbox ${i % 10}`, i))
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 200 }, (_, i) => i))
  expect(most).toBe(4)
})

test('the queue of a mailbox is bounded, empties when read, and a failed read does not stop it', async () => {
  const queue = new ReadQueue(OPTIONS)
  const gate = Promise.withResolvers<void>()
  const reads = Array.from({ length: 64 }, (_, i) => run(queue, 'a', () => gate.promise.then(() => i)))
  await expect(run(queue, 'a', async () => 'late')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 })
  expect(await run(queue, 'b', async () => 'of another')).toBe('of another')
  gate.resolve()
  await Promise.all(reads)
  await expect(run(queue, 'a', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged')
  expect(await run(queue, 'a', async () => 'after')).toBe('after')
})

test('the turn of a reader who disconnected is skipped, whether it waited for its own mailbox or for others', async () => {
  const queue = new ReadQueue(OPTIONS)
  const gate = Promise.withResolvers<void>()
  const gone = new AbortController()
  let read = 0
  const busy = ['a', 'b', 'c', 'd'].map(name => run(queue, name, () => gate.promise))
  const left = ['a', 'a', 'e'].map(name =>
    queue.run(mailbox(name), { networks: [name], signal: gone.signal }, async () => {
      read += 1
    }),
  )
  const stays = run(queue, 'e', async () => 'read')
  gone.abort()
  gate.resolve()
  await Promise.all(busy)
  const ends = await Promise.allSettled(left)
  expect(ends.map(end => end.status === 'rejected' && end.reason.code)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  expect(read).toBe(0)
  expect(await stays).toBe('read')
})

test('a network with many mailboxes reads one message at a time, and other networks do not wait behind it', async () => {
  const queue = new ReadQueue({ ...OPTIONS, readsMax: 2 })
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const read = (network: string, name: string) =>
    queue.run(mailbox(`${network} ${name}`), { networks: [network], signal }, async () => {
      order.push(`${network} ${name}`)
      await gate.promise
    })
  const all = ['1', '2', '3', '4'].map(name => read('attacker', name))
  await turn()
  all.push(read('victim', '1'), read('third', '1'), read('victim', '2'))
  await turn()
  expect(order).toEqual(['attacker 1', 'victim 1'])
  gate.resolve()
  await Promise.all(all)
  expect(order.indexOf('third 1')).toBeLessThan(order.indexOf('attacker 3'))
  expect(order.indexOf('victim 2')).toBeLessThan(order.indexOf('attacker 3'))
})

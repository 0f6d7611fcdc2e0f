import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { anySignal } from '../browser/any-signal.ts'
import { closeSession, inSession } from './session.ts'

test('requests leave nothing at a signal that outlives them', async () => {
  const seen = new Set<AbortSignal>()
  for (const isRead of [true, false, true, false]) {
    await inSession(isRead, async ended => {
      anySignal(ended)
      if (ended) seen.add(ended)
    })
  }
  for (const signal of seen) expect(getEventListeners(signal, 'abort')).toHaveLength(1)
})

test('reads are given up before the session ends, changes are completed, and if it stays the reads are made again', async () => {
  const written = Promise.withResolvers<void>()
  const order: string[] = []
  let tries = 0
  const read = () =>
    inSession(true, async ended => {
      tries++
      if (tries > 2) return 'read'
      const { promise, reject } = Promise.withResolvers<string>()
      ended?.addEventListener('abort', () => reject(ended.reason))
      return promise
    })
  const reads = [read(), read()]
  const change = inSession(false, () => written.promise.then(() => order.push('change')))
  await expect.poll(() => tries).toBe(2)
  const closed = closeSession(async () => {
    order.push('end')
    throw new Error('The server is away')
  })
  written.resolve()
  await expect(closed).rejects.toThrow('The server is away')
  await change
  expect(order).toEqual(['change', 'end'])
  expect(await Promise.all(reads)).toEqual(['read', 'read'])
  expect(tries).toBe(4)
})

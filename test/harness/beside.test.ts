import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { beside } from './beside.ts'

test('loops run until the work has ended', async () => {
  let rounds = 0
  const loop = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      rounds += 1
      await sleep(1)
    }
  }
  const before = await beside([loop, loop], async () => {
    await expect.poll(() => rounds).toBeGreaterThan(10)
    return rounds
  })
  expect(rounds - before, 'each ends its round').toBeLessThanOrEqual(2)
  const after = rounds
  await sleep(20)
  expect(rounds).toBe(after)
})

test('a loop that fails while the work goes on is told at its end, and nowhere else', async () => {
  const unhandled: unknown[] = []
  const hear = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', hear)
  let isDone = false
  const work = async () => {
    await sleep(20)
    isDone = true
    throw new Error('of the work')
  }
  await expect(beside([() => Promise.reject(new Error('of the loop'))], work)).rejects.toThrow('of the loop')
  expect(isDone).toBe(true)
  await expect(beside([], work)).rejects.toThrow('of the work')
  process.off('unhandledRejection', hear)
  expect(unhandled).toEqual([])
})

import { expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { sweepExpired } from './mailboxes.ts'

test('sweeps in bounded rounds until nothing is left, continues after a failure, and ends with its signal', async () => {
  const abort = new AbortController()
  const rounds: number[] = []
  let left = 5000
  const sweep = async (mailboxesMax: number) => {
    rounds.push(mailboxesMax)
    if (rounds.length === 2) {
      left = 6000
    }
    const removed = Math.min(left, mailboxesMax)
    left -= removed
    if (left === 0) abort.abort()
    return removed
  }
  await sweepExpired({ sweep }, abort.signal, createLog('silent'))
  expect(left).toBe(0)
  expect(new Set(rounds).size).toBe(1)
  expect(rounds.length).toBeGreaterThan(3)
})

test('a failing sweep is logged and does not end the loop', async () => {
  const abort = new AbortController()
  const warned: unknown[] = []
  let calls = 0
  const sweep = async () => {
    calls += 1
    if (calls === 1) throw new Error('the disk is full')
    abort.abort()
    return 0
  }
  await sweepExpired({ sweep }, abort.signal, { ...createLog('silent'), warn: (...line: unknown[]) => void warned.push(line) })
  expect(calls).toBe(2)
  expect(warned).toHaveLength(1)
})

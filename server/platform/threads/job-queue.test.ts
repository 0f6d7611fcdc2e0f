import { expect, test } from 'vitest'
import { JobQueue, type QueuedJob, type Urgency } from './job-queue.ts'
import { createJob } from './worker-thread.ts'

const ignore = () => undefined
const job = (urgency: Urgency, owner: string, bytes = 0): QueuedJob => ({
  ...createJob(urgency, undefined, [{ raw: new Uint8Array(bytes) }], { resolve: ignore, reject: ignore }),
  urgency,
  owner: [owner],
})
const owners = (batch: readonly QueuedJob[]) => batch.map(({ task, owner }) => `${task} ${owner}`)

test('short jobs are batched, urgent ones first and owners in turn, and a long one runs alone', () => {
  const queue = new JobQueue()
  for (const owner of ['a', 'a', 'b']) for (const urgency of ['long', 'ordinary', 'first'] as const) queue.push(job(urgency, owner))
  expect(owners(queue.nextBatch(true))).toEqual(['first a', 'first b', 'first a'])
  expect(owners(queue.nextBatch(true))).toEqual(['ordinary a', 'ordinary b', 'ordinary a'])
  expect(queue.hasNext(false)).toBe(false)
  expect(queue.nextBatch(false)).toEqual([])
  expect(owners(queue.nextBatch(true))).toEqual(['long a'])
  expect(owners(queue.nextBatch(true))).toEqual(['long b'])
})

test('a batch has at most a megabyte or 32 jobs', () => {
  const queue = new JobQueue()
  for (let i = 0; i < 3; i++) queue.push(job('first', 'a', 600 * 1024))
  for (let i = 0; i < 40; i++) queue.push(job('first', 'b'))
  expect(queue.nextBatch(true)).toHaveLength(3)
  expect(queue.nextBatch(true)).toHaveLength(32)
  expect(queue.clear()).toHaveLength(8)
  expect(queue.hasNext(true)).toBe(false)
})

test('endless urgent jobs do not stop the others for good', () => {
  const queue = new JobQueue()
  queue.push(job('ordinary', 'reader'))
  queue.push(job('long', 'reader'))
  const order: string[] = []
  for (let round = 0; round < 20; round++) {
    queue.push(job('first', 'sender'))
    order.push(...owners(queue.nextBatch(true)))
  }
  expect(order.indexOf('ordinary reader')).toBe(8)
  expect(order).toContain('long reader')
})

test('readers who wait for a new mail take turns with deliveries', () => {
  const queue = new JobQueue()
  const order: string[] = []
  queue.push(job('ordinary', 'list'))
  for (let round = 0; round < 12; round++) {
    queue.push(job('first', 'sender'))
    queue.push(job('soon', 'waiting'))
    order.push(...owners(queue.nextBatch(true)).slice(0, 1))
  }
  expect(order.slice(0, 4)).toEqual(['first sender', 'soon waiting', 'first sender', 'soon waiting'])
  expect(order).toContain('ordinary list')
})

test('jobs that were not begun keep their turns, and nobody else loses one', () => {
  const queue = new JobQueue()
  for (const owner of ['attacker', 'victim', 'attacker', 'attacker']) queue.push(job('first', owner))
  const [, ...notBegun] = queue.nextBatch(true)
  queue.push(job('first', 'later'))
  queue.putBack(notBegun)
  expect(owners(queue.nextBatch(true))).toEqual(['first victim', 'first attacker', 'first later', 'first attacker'])
})

test('after a slow job the jobs of its owner run alone, and no longer than ten times as long', () => {
  let nowMs = 1000
  const queue = new JobQueue(() => nowMs)
  for (let i = 0; i < 3; i++) queue.push(job('first', 'attacker'))
  const [slow, ...notBegun] = queue.nextBatch(true)
  queue.noteSlow(slow as QueuedJob, 200)
  queue.putBack(notBegun)
  for (const owner of ['attacker', 'victim', 'victim']) queue.push(job('first', owner))
  expect(owners(queue.nextBatch(true))).toEqual(['first victim', 'first victim'])
  expect(queue.hasNext(false)).toBe(false)
  for (let i = 0; i < 3; i++) expect(owners(queue.nextBatch(true))).toEqual(['first attacker'])
  nowMs += 2000
  for (let i = 0; i < 2; i++) queue.push(job('first', 'attacker'))
  expect(owners(queue.nextBatch(false))).toEqual(['first attacker', 'first attacker'])
})

test('jobs that wait already become long with their owner', () => {
  const queue = new JobQueue()
  for (let i = 0; i < 40; i++) queue.push(job('first', 'attacker'))
  queue.noteSlow(queue.nextBatch(true)[0] as QueuedJob, 200)
  expect(queue.hasNext(false)).toBe(false)
  expect(queue.clear()).toHaveLength(8)
})

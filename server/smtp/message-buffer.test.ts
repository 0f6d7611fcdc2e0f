import { expect, test } from 'vitest'
import { ShareBudget } from '#server/platform/limits/share-budget.ts'
import { MessageBuffer } from './message-buffer.ts'

const createBudget = (total: number) => new ShareBudget({ total })

test('a message over the budget is dropped, but too large is reported first because it is final', () => {
  const budget = createBudget(15)
  const first = new MessageBuffer({ bytesMax: 100, lease: budget.openLease(['192.0.2.0/24']) })
  const second = new MessageBuffer({ bytesMax: 20, lease: budget.openLease(['192.0.2.0/24']) })
  first.append(Buffer.alloc(10))
  second.append(Buffer.alloc(5))
  second.append(Buffer.alloc(1))
  expect([second.refusal, budget.held]).toEqual(['memory_full', 10])
  second.append(Buffer.alloc(50))
  expect(second.refusal).toBe('message_too_large')
  first.release()
  expect(budget.held).toBe(0)
})

test('pieces of every size are returned in order', () => {
  const buffer = new MessageBuffer({ bytesMax: 1_000_000, lease: createBudget(1_000_000).openLease(['192.0.2.0/24']) })
  const sizes = [1, 5000, 3, 16_383, 1, 1, 4095, 4096, 20_000, ...Array.from({ length: 20_000 }, () => 1)]
  const pieces = sizes.map((size, index) => Buffer.alloc(size, index % 251))
  for (const piece of pieces) buffer.append(Buffer.from(piece))
  const message = buffer.take()
  expect(message.equals(Buffer.concat(pieces))).toBe(true)
})

test.each([[[16_384]], [[10_000, 6384]], [[65_536, 1, 500]]])('a message of %j bytes is in memory that threads can share', sizes => {
  const buffer = new MessageBuffer({ bytesMax: 1_000_000, lease: createBudget(1_000_000).openLease(['192.0.2.0/24']) })
  const pieces = sizes.map((size, index) => Buffer.alloc(size, index + 1))
  for (const piece of pieces) buffer.append(Buffer.from(piece))
  const message = buffer.take()
  expect(message.equals(Buffer.concat(pieces))).toBe(true)
  expect(message.buffer).toBeInstanceOf(SharedArrayBuffer)
  expect(buffer.take()).toBe(message)
})

test('a small message that arrived in one piece is not copied', () => {
  const buffer = new MessageBuffer({ bytesMax: 100, lease: createBudget(100).openLease(['192.0.2.0/24']) })
  const piece = Buffer.from('whole')
  buffer.append(piece)
  expect(buffer.take()).toBe(piece)
})

test('an empty message has no bytes', () => {
  expect(new MessageBuffer({ bytesMax: 100, lease: createBudget(100).openLease(['192.0.2.0/24']) }).take()).toHaveLength(0)
})

test('a large message is returned complete, in memory that threads can share', () => {
  const budget = createBudget(10_000_000)
  const buffer = new MessageBuffer({ bytesMax: 5_000_000, lease: budget.openLease(['192.0.2.0/24']) })
  const bytes = Buffer.from(Array.from({ length: 4_900_000 }, (_, index) => (index * 7) % 251))
  const cuts = [0, 10, 1_048_576, 1_048_577, 1_114_113, 1_114_120, 1_214_120, 3_214_120, bytes.length]
  for (const [index, cut] of cuts.slice(1).entries()) buffer.append(Buffer.from(bytes.subarray(cuts[index], cut)))
  expect(buffer.take().equals(bytes)).toBe(true)
  expect(buffer.take().buffer).toBeInstanceOf(SharedArrayBuffer)
  buffer.append(Buffer.alloc(100_001))
  expect([buffer.refusal, budget.held]).toEqual(['message_too_large', 0])
})

import { describe, expect, test } from 'vitest'
import {
  type ByteFields,
  bytesInPlace,
  type Pieces,
  packReplies,
  packRequests,
  requestBytes,
  type TaskReply,
  type TaskRequest,
  unpack,
  unpackRequests,
  withOwnBytes,
} from './batch.ts'

const MIB = 1024 * 1024

function filled(bytes: Uint8Array, value: number): Uint8Array {
  return bytes.fill(value)
}
const own = (length: number, value = 1) => filled(new Uint8Array(length), value)
const shared = (length: number, value = 2) => filled(new Uint8Array(new SharedArrayBuffer(length)), value)
/** Compared as text, because comparing the numbers of a megabyte one by one is slow. */
const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const fieldsAsText = (fields: ByteFields) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, bytes]) => (bytes ? [[name, asText(bytes)]] : [])))
/** A part of a larger shared memory, which begins at an offset. */
const slice = (length: number) => filled(new Uint8Array(new SharedArrayBuffer(length + 10), 7, length), 3)

test.each<[title: string, bytes: Uint8Array[], inPlace: number]>([
  ['no bytes', [], 0],
  ['an empty piece', [own(0)], 0],
  ['empty pieces around one that is not', [own(0), own(3), own(0)], 0],
  ['several small ones', [own(3, 1), own(5, 2), shared(7, 3)], 0],
  ['a large one of this thread is copied', [own(MIB)], 0],
  ['a shared one below the limit is copied', [shared(16 * 1024 - 1)], 0],
  ['a shared one at the limit stays in place', [shared(16 * 1024)], 16 * 1024],
  ['a large shared one stays in place', [shared(MIB)], MIB],
  ['a part of a larger shared one stays in place', [slice(MIB)], MIB],
  ['large and small mixed keep their order', [own(3, 1), shared(MIB, 2), own(0), own(4, 3), slice(MIB + 1)], 2 * MIB + 1],
])('requests arrive as they were sent: %s', (_, bytes, inPlace) => {
  const named = bytes.map((piece, i) => ({ [`field ${i}`]: piece, none: undefined }))
  const request = { id: 1, task: 'first', args: { a: 1 }, bytes: named }
  const requests: TaskRequest[] = [request, { id: 2, task: 'second', args: undefined, bytes: [{ a: own(2, 9), b: own(1, 8) }] }]
  const batch = packRequests(requests)
  const unpacked = unpackRequests(batch)
  expect(unpacked.map(({ id, task, args }) => ({ id, task, args }))).toEqual(requests.map(({ id, task, args }) => ({ id, task, args })))
  const contents = (all: readonly TaskRequest[]) => all.map(one => one.bytes.map(fieldsAsText))
  expect(contents(unpacked)).toEqual(contents(requests))
  expect(bytesInPlace(batch.requests)).toBe(inPlace)
  expect(batch.memory?.byteLength).toBe(requests.reduce((sum, one) => sum + requestBytes(one), 0) - inPlace)
})

test('a large shared piece is the same memory on both sides', () => {
  const piece = slice(MIB)
  const [request] = unpackRequests(packRequests([{ id: 1, task: 'x', args: 0, bytes: [{ piece }] }]))
  piece[5] = 77
  expect(request?.bytes[0]?.piece?.[5]).toBe(77)
  expect(request?.bytes[0]?.piece?.buffer).toBe(piece.buffer)
})

test.each<[title: string, pieces: Pieces, joined: Uint8Array]>([
  ['none', [], own(0)],
  ['one', [own(3)], own(3)],
  ['several', [own(2, 1), own(0), own(3, 2)], Uint8Array.of(1, 1, 2, 2, 2)],
  ['a large shared one and more', [shared(MIB, 4), own(1, 4)], own(MIB + 1, 4)],
])('pieces are joined: %s', (_, pieces, joined) => {
  const batch = packReplies([{ id: 1, value: 0, bytes: [{ pieces, last: [own(1, 8)] }] }])
  const spans = batch.replies.flatMap(reply => ('spans' in reply ? reply.spans : []))
  expect(unpack(batch.memory, spans).map(fieldsAsText)).toEqual([{ pieces: asText(joined), last: '\b' }])
  expect(bytesInPlace(batch.replies)).toBe(0)
})

test('replies and failures of a batch keep their order, and failures have no bytes', () => {
  const replies: TaskReply[] = [
    { id: 3, value: { ok: true }, bytes: [{ first: [own(2, 5)], second: [] }] },
    { id: 1, failure: 'internal', reason: 'it failed' },
    { id: 2, value: undefined, bytes: [{ only: [shared(MIB, 6)] }] },
  ]
  const batch = packReplies(replies)
  const read = batch.replies.map(reply =>
    'spans' in reply ? { id: reply.id, value: reply.value, bytes: unpack(batch.memory, reply.spans).map(fieldsAsText) } : reply,
  )
  expect(read).toEqual([
    { id: 3, value: { ok: true }, bytes: [{ first: '\x05\x05', second: '' }] },
    replies[1],
    { id: 2, value: undefined, bytes: [{ only: '\x06'.repeat(MIB) }] },
  ])
  expect(bytesInPlace(batch.replies)).toBe(MIB)
})

test('a batch without bytes has no memory', () => {
  expect(packRequests([{ id: 1, task: 'x', args: 0, bytes: [] }]).memory).toBeUndefined()
  expect(packReplies([]).memory).toBeUndefined()
})

describe('cloned bytes bring nothing along of a larger buffer', () => {
  /** As Node makes small ones: in a pool, up to half its size, and the next ones beside them. */
  const sizes = [1, 32, 4096, 8192, 12_288, 16_384, Buffer.poolSize / 2 - 1, Buffer.poolSize / 2, Buffer.poolSize, 2 * Buffer.poolSize]
  const views = sizes.map((size, i) => Buffer.concat([Buffer.alloc(size, i + 1)]).subarray(Math.floor(size / 2)))
  const deep = { keys: views.map(key => ({ key })), digest: views[1], text: 'kept', none: undefined, empty: null }

  function assertOwn(bytes: readonly Uint8Array[]): void {
    expect(bytes.map(({ byteLength }) => byteLength)).toEqual(views.map(({ byteLength }) => byteLength))
    for (const [i, view] of bytes.entries()) {
      expect(view.buffer.byteLength).toBe(view.byteLength)
      expect(asText(view)).toBe(asText(views[i] ?? own(0)))
    }
  }

  test('in requests and replies, at any depth', () => {
    const [request] = structuredClone(packRequests([{ id: 1, task: 'x', args: deep, bytes: [] }])).requests
    const [reply] = structuredClone(packReplies([{ id: 1, value: deep, bytes: [] }])).replies
    for (const arrived of [request?.args, reply && 'value' in reply ? reply.value : undefined] as (typeof deep)[]) {
      assertOwn(arrived.keys.map(({ key }) => key))
      expect(arrived).toMatchObject({ text: 'kept', none: undefined, empty: null })
    }
  })

  test('and what needs no copy stays as it is', () => {
    const whole = { own: own(40), shared: slice(40), list: [1, { memory: new SharedArrayBuffer(8) }] }
    expect(withOwnBytes(whole)).toBe(whole)
  })
})

/** Slow, silent and late readers, on real sockets with the time-outs handed in. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { EventStream } from '../responses/event-stream.ts'
import { StreamLimit } from './stream-limit.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** One event stream on a real socket. `leaveEarly`: the client disconnects before the stream is created. */
async function streamTo(heartbeatMs: number, leaveEarly = false) {
  const asked = Promise.withResolvers<{ incoming: IncomingMessage; outgoing: ServerResponse }>()
  const server = createServer((incoming, outgoing) => asked.resolve({ incoming, outgoing })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('error', () => undefined)
  closing.push(
    () => socket.destroy(),
    () => server.close(),
  )
  const connection = await asked.promise
  if (leaveEarly) {
    const gone = new Promise(resolve => connection.incoming.socket.once('close', resolve))
    socket.resetAndDestroy()
    await gone
  }
  return { socket, connection, stream: new EventStream(connection, heartbeatMs) }
}

test('a silent stream sends heartbeats, so that proxies and readers know that it is open', async () => {
  const { socket } = await streamTo(10)
  const heard = saidBy(socket)
  await expect.poll(() => heard().split(':\n\n').length, { timeout: 30_000 }).toBeGreaterThan(4)
})

test('little waits in memory for a reader that does not read, and send() waits for it', async () => {
  const { socket, connection, stream } = await streamTo(5)
  socket.pause()
  const data = 'x'.repeat(16_384)
  let sent = 0
  const flood = (async () => {
    while (!stream.closed.aborted) {
      await stream.send({ event: 'message', data })
      sent += 1
    }
  })()
  let before = -1
  const hasStopped = () => {
    const isSame = sent === before
    before = sent
    return isSame
  }
  await expect.poll(hasStopped, { timeout: 30_000, interval: 300 }).toBe(true)
  expect(connection.outgoing.writableLength).toBeLessThanOrEqual(65_536 + 2 * data.length)
  socket.destroy()
  await flood
})

test('a reader who disconnected before the stream began is noticed at once', async () => {
  const { stream } = await streamTo(10, true)
  expect(stream.closed.aborted).toBe(true)
})

test('the limit of streams holds for all mailboxes of a network, and closed streams free their place', () => {
  const streams = new StreamLimit(3)
  const acquire = (mailbox: string, network: string) => streams.acquire(mailbox, [network], () => undefined)
  const leases = ['a', 'b', 'c'].map(mailbox => acquire(mailbox, '192.0.2.1'))
  expect(() => acquire('d', '192.0.2.1')).toThrow(expect.objectContaining({ code: 'streams_max', retryAfterSeconds: 10 }))
  expect(acquire('d', '192.0.2.2')).toBeDefined()
  leases[0]?.[Symbol.dispose]()
  expect(acquire('d', '192.0.2.1')).toBeDefined()
})

test('when all streams are open, the oldest one of the address that has most ends, not an older one of its neighbour', () => {
  const streams = new StreamLimit(20, 40)
  const ended: string[] = []
  let opened = 0
  const acquire = (address: string, count: number) => {
    for (let at = 0; at < count; at++) streams.acquire(`mailbox ${opened++}`, networksAround(address), () => void ended.push(address))
  }
  acquire('203.0.113.7', 1)
  acquire('203.0.113.66', 20)
  for (let network = 1; network <= 14; network++) acquire(`198.51.${network}.1`, 1)
  for (let newcomer = 1; newcomer <= 12; newcomer++) acquire(`192.0.${newcomer}.1`, 1)
  expect(ended).toEqual(Array(7).fill('203.0.113.66'))
})

test('an account with streams from a thousand networks gives way to another when all are open, and its neighbours do not', () => {
  const streams = new StreamLimit(20)
  const ended: string[] = []
  let opened = 0
  const acquire = (owner: string, address: string) =>
    streams.acquireForApi(`mailbox ${opened++}`, owner, networksAround(address), () => void ended.push(owner))
  acquire('account:neighbour', '10.0.0.7')
  for (let at = 0; at < 3499; at++) acquire(`account:${Math.floor(at / 1000)}`, `10.${Math.floor(at / 250)}.${at % 250}.1`)
  for (let small = 0; small < 500; small++) acquire(`account:small ${small}`, `11.${Math.floor(small / 250)}.${small % 250}.1`)
  expect(ended).toEqual([])
  for (let newcomer = 0; newcomer < 3; newcomer++) acquire('account:newcomer', '192.0.2.1')
  expect(ended.toSorted()).toEqual(['account:0', 'account:1', 'account:2'])
})

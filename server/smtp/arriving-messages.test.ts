import { expect, test } from 'vitest'
import { KIB, MIB } from '#contract/limits.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { ArrivingMessages } from './message-buffer.ts'

const start = () => new ArrivingMessages({ bytesMax: 192 * MIB, messageBytesMax: 25 * MIB, smallMessageBytesMax: 256 * KIB })

/** Messages that have this size and no end, from so many networks, as many of each as there is room for in the end. */
function hold(messages: ArrivingMessages, networks: number, bytes: number, each = 60) {
  const all = Array.from({ length: networks }, (_, at) =>
    Array.from({ length: each }, () => {
      const message = messages.open(networksAround(`100.${at}.1.1`))
      message.append(Buffer.alloc(bytes))
      return message
    }),
  )
  return all.map(ofNetwork => ofNetwork.filter(({ refusal }) => refusal === undefined))
}

test('messages that never end give way to one of another network, the longest unfinished of whoever holds most first', () => {
  const messages = start()
  const held = hold(messages, 12, 470 * KIB)
  const victim = networksAround('198.51.100.7')
  expect(messages.mayHaveRoom(victim, 400 * KIB)).toBe(true)
  const message = messages.open(victim)
  for (let piece = 0; piece < 25; piece++) message.append(Buffer.alloc(64 * KIB))
  expect([message.refusal, message.take().length]).toEqual([undefined, 25 * 64 * KIB])
  const ended = held.map(ofNetwork => ofNetwork.map(({ refusal }) => refusal === 'memory_full'))
  const count = ended.flat().filter(Boolean).length
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThanOrEqual(4)
  // The oldest of each.
  for (const ofNetwork of ended) expect(ofNetwork.lastIndexOf(true) + 1).toBe(ofNetwork.filter(Boolean).length)
})

test('what has arrived in full, and networks with a small part of the whole, give way to nobody', () => {
  const full = start()
  const arrived = hold(full, 12, 470 * KIB).flat()
  for (const message of arrived) message.take()
  expect(full.mayHaveRoom(networksAround('198.51.100.7'), 400 * KIB)).toBe(false)
  const many = start()
  const held = hold(many, 80, 470 * KIB, 5)
  const message = many.open(networksAround('198.51.100.7'))
  message.append(Buffer.alloc(400 * KIB))
  expect([message.refusal, held.flat().some(({ refusal }) => refusal !== undefined)]).toEqual(['memory_full', false])
})

test('a network that holds as much as the others ends none of their messages', () => {
  const messages = start()
  const held = hold(messages, 12, 470 * KIB)
  const own = networksAround('100.0.1.1')
  const more = messages.open(own)
  more.append(Buffer.alloc(470 * KIB))
  expect([more.refusal, held.flat().some(({ refusal }) => refusal !== undefined)]).toEqual(['memory_full', false])
})

test('a message that grows by chunks ends no messages of networks that hold about as much', () => {
  const messages = start()
  const held = hold(messages, 12, 470 * KIB)
  const most = Math.max(...held.map(ofNetwork => ofNetwork.length)) * 470 * KIB
  const message = messages.open(networksAround('198.51.100.7'))
  for (let piece = 0; piece < 400; piece++) message.append(Buffer.alloc(64 * KIB))
  const ended = held.flat().filter(({ refusal }) => refusal === 'memory_full').length * 470 * KIB
  expect([message.refusal, ended > 0, ended <= most / 2 + 470 * KIB]).toEqual(['memory_full', true, true])
})

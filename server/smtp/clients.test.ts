import { expect, test } from 'vitest'
import { Clients, clientOf, networkOf } from '#server/smtp/clients.ts'

const options = { trusted: ['127.0.0.1', '10.0.0.0/8', '::1'], connectionsPerClientMax: 2 }

test('A07 a client has as many connections as it may, and its slots come back', () => {
  const clients = new Clients({ ...options, nowMs: () => 0 })
  expect([1, 2, 3].map(() => clients.enter('192.0.2.1'))).toEqual([true, true, false])
  expect(clients.enter('192.0.2.2')).toBe(true)
  clients.leave('192.0.2.1')
  expect(clients.enter('192.0.2.1')).toBe(true)
  expect([1, 2, 3].map(() => clients.enter('10.9.8.7'))).toEqual([true, true, true])
})

test('A06 a network that only guesses is out of guesses, gets them back with time, and sooner when it delivers', () => {
  let now = 0
  const clients = new Clients({ ...options, nowMs: () => now })
  for (let guess = 0; guess < 1000; guess++) clients.countProbe(`192.0.2.${guess % 250}`)
  expect(clients.mayProbe('192.0.2.7')).toBe(false)
  expect(clients.mayProbe('198.51.100.7')).toBe(true)
  now += 500
  expect(clients.mayProbe('192.0.2.7')).toBe(true)
  clients.countProbe('192.0.2.7')
  expect(clients.mayProbe('192.0.2.7')).toBe(false)
  clients.countMessage('192.0.2.8')
  expect(clients.mayProbe('192.0.2.7')).toBe(true)
})

test('A06 trusted clients guess freely', () => {
  const clients = new Clients({ ...options, nowMs: () => 0 })
  for (let guess = 0; guess < 1100; guess++) clients.countProbe('127.0.0.1')
  expect(clients.mayProbe('127.0.0.1')).toBe(true)
})

test('an IPv6 customer is its /64, whatever way it is written', () => {
  expect(clientOf('2001:db8:0:1::5')).toBe(clientOf('2001:0db8::1:abcd:0:0:9'))
  expect(clientOf('2001:db8:0:1::5')).not.toBe(clientOf('2001:db8:0:2::5'))
  expect(networkOf('192.0.2.1')).toBe(networkOf('192.0.2.250'))
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(networkOf('::1')).toBe('0:0:0:0')
})

import { expect, test } from 'vitest'
import { addressList, clientIp, networkOf } from './client-ip.ts'

const proxies = addressList(['10.0.0.0/8', '::1'])

test.each([
  ['no proxy is trusted by default', '203.0.113.9', '198.51.100.1', addressList([]), '203.0.113.9'],
  ['a stranger cannot forward', '203.0.113.9', '198.51.100.1', proxies, '203.0.113.9'],
  ['a trusted proxy can', '10.0.0.1', '198.51.100.1', proxies, '198.51.100.1'],
  ['what the client wrote further left is not believed', '10.0.0.1', '1.1.1.1, 198.51.100.1', proxies, '198.51.100.1'],
  ['a chain of trusted proxies is followed', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.2.2', proxies, '198.51.100.1'],
  ['nonsense ends the chain', '10.0.0.1', '198.51.100.1, unknown', proxies, '10.0.0.1'],
  ['IPv4 mapped into IPv6 is IPv4', '::ffff:10.0.0.1', '[2001:db8::1]:443', proxies, '2001:db8::1'],
])('W19 %s', (_, peer, forwarded, trusted, expected) => {
  expect(clientIp(peer, forwarded, trusted)).toBe(expected)
})

test('W19 one IPv6 customer is one key, however the address is written', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('198.51.100.1')).toBe('198.51.100.1')
})

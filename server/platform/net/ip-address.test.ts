import { expect, test } from 'vitest'
import { canonicalIp, clientPrefix, IpRanges, isIpRange, networkPrefix } from './ip-address.ts'

test.each([
  ['2001:0DB8:0001:0002:ffff:0:0:1', '2001:db8:1:2:ffff::1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:a00:1', '10.0.0.1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['192.0.2.1:25', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', undefined],
  ['', undefined],
  ['127.1', undefined],
  ['2130706433', undefined],
  ['010.0.0.1', undefined],
])('%j is %s', (text, address) => {
  expect(canonicalIp(text)).toBe(address)
})

test('an IPv6 /64 is one key in any notation, and an IPv4 address is one key', () => {
  expect(clientPrefix('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64')
  expect(clientPrefix('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64')
  expect(clientPrefix('2001:db8::1')).toBe('2001:db8::/64')
  expect(clientPrefix('2001:db8:0:1::5')).toBe(clientPrefix('2001:0db8::1:abcd:0:0:9'))
  expect(clientPrefix('2001:db8:0:1::5')).not.toBe(clientPrefix('2001:db8:0:2::5'))
  expect(clientPrefix('198.51.100.1')).toBe('198.51.100.1')
})

test('a 6to4 address is that of the IPv4 address in it', () => {
  expect(clientPrefix('2002:c633:6401:1::1')).toBe('198.51.100.1')
  expect(networkPrefix('2002:c633:6401:ffff::1')).toBe(networkPrefix('198.51.100.9'))
})

test('a network is an IPv4 /24 or an IPv6 /64', () => {
  expect(networkPrefix('192.0.2.1')).toBe(networkPrefix('192.0.2.250'))
  expect(networkPrefix('192.0.2.1')).not.toBe(networkPrefix('192.0.3.1'))
  expect(networkPrefix('fe80::1%eth0')).toBe('fe80::/64')
  expect(networkPrefix('::1')).toBe('::/64')
  expect(networkPrefix('no address')).toBe('no address')
})

test.each(['10.0.0.0/8', '::1', '2001:db8::/32', '192.0.2.1', '0.0.0.0/0'])('%s is a range', range => {
  expect(isIpRange(range)).toBe(true)
})

test.each(['', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/', 'example.com', '10.0.0.0/-1'])('%j is not a range', range => {
  expect(isIpRange(range)).toBe(false)
  expect(() => new IpRanges([range])).toThrow(TypeError)
})

test('a set of ranges contains their addresses in any notation, and no others', () => {
  const ranges = new IpRanges(['10.0.0.0/8', '::1', '2001:db8::/32'])
  for (const ip of ['10.9.8.7', '::ffff:10.9.8.7', '0:0:0:0:0:0:0:1', '2001:db8:ffff::']) expect(ranges.has(ip), ip).toBe(true)
  for (const ip of ['11.0.0.1', '::2', '2001:db9::', 'localhost', '']) expect(ranges.has(ip), ip).toBe(false)
})

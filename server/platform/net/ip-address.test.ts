import { expect, test } from 'vitest'
import { canonicalIp, IpRanges, isIpRange, networksAround } from './ip-address.ts'

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

test.each([
  ['2001:db8:1:1234::1', ['2001:db8:1:1234::/64', '2001:db8:1:1200::/56', '2001:db8:1::/48']],
  ['2001:0DB8:0001:1234:ffff:ffff:ffff:ffff', ['2001:db8:1:1234::/64', '2001:db8:1:1200::/56', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
  ['192.0.2.250', ['192.0.2.250', '192.0.2.0/24']],
  // A 6to4 address, and one that a translator made, is that of the IPv4 address in it.
  ['2002:c633:6401:ffff::1', ['198.51.100.1', '198.51.100.0/24']],
  ['64:ff9b::c633:6401', ['198.51.100.1', '198.51.100.0/24']],
  ['no address', ['no address']],
])('the networks around %s', (ip, networks) => {
  expect(networksAround(ip)).toEqual(networks)
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

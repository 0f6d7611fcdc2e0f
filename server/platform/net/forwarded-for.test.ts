import { expect, test } from 'vitest'
import { clientIp, IpRanges } from './ip-address.ts'

const proxies = new IpRanges(['10.0.0.0/8', '::1'])

test.each([
  ['no proxy is trusted by default', '203.0.113.9', '198.51.100.1', new IpRanges([]), '203.0.113.9'],
  ['a stranger cannot forward', '203.0.113.9', '198.51.100.1', proxies, '203.0.113.9'],
  ['a trusted proxy can', '10.0.0.1', '198.51.100.1', proxies, '198.51.100.1'],
  ['what the client wrote further left is not believed', '10.0.0.1', '1.1.1.1, 198.51.100.1', proxies, '198.51.100.1'],
  ['a chain of trusted proxies is followed', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.2.2', proxies, '198.51.100.1'],
  ['an entry that is no address ends the chain', '10.0.0.1', '198.51.100.1, unknown', proxies, '10.0.0.1'],
  ['IPv4 mapped into IPv6 is IPv4', '::ffff:10.0.0.1', '[2001:db8::1]:443', proxies, '2001:db8::1'],
])('%s', (_, peer, forwarded, trusted, expected) => {
  expect(clientIp(peer, forwarded, trusted)).toBe(expected)
})

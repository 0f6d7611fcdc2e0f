import { expect, test } from 'vitest'
import { Clients } from './clients.ts'

const clients = new Clients(['127.0.0.1', '10.0.0.0/8', '::1', '2001:db8:ffff::/48'])

test('an IPv4 address is one client in any notation, and so is an IPv6 /64; trusted ones have no limits', () => {
  const prefixOf = (address: string) => clients.identify(address).prefix
  expect(prefixOf('::ffff:192.0.2.1')).toBe(prefixOf('192.0.2.1'))
  expect(prefixOf('192.0.2.2')).not.toBe(prefixOf('192.0.2.1'))
  expect(prefixOf('2001:db8:0:1:ffff::2')).toBe(prefixOf('2001:db8:0:1::1'))
  expect(clients.identify('192.0.2.2').network).toBe(clients.identify('192.0.2.1').network)
  for (const address of ['2001:db8:ffff::1', '10.9.8.7', '::ffff:127.0.0.1'])
    expect(clients.identify(address)).toMatchObject({ isTrusted: true, prefix: undefined, network: undefined })
})

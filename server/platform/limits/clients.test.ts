import { expect, test } from 'vitest'
import { Clients } from './clients.ts'

const clients = new Clients(['127.0.0.1', '10.0.0.0/8', '::1', '2001:db8:ffff::/48'])
const networksOf = (address: string) => clients.identify(address).networks

test('an address counts in each network around it, in any notation; trusted ones have no limits', () => {
  expect(networksOf('192.0.2.1')).toEqual(['192.0.2.1', '192.0.2.0/24'])
  expect(networksOf('::ffff:192.0.2.1')).toEqual(networksOf('192.0.2.1'))
  expect(networksOf('2001:db8:0:1234:ffff::2')).toEqual(['2001:db8:0:1234::/64', '2001:db8:0:1200::/56', '2001:db8::/48'])
  expect(networksOf('2001:db8:0:1234::1')).toEqual(networksOf('2001:db8:0:1234:ffff::2'))
  for (const address of ['2001:db8:ffff::1', '10.9.8.7', '::ffff:127.0.0.1'])
    expect(clients.identify(address)).toMatchObject({ isTrusted: true, networks: [] })
})

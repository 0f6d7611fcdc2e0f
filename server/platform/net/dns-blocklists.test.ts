import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { beforeEach, expect, test } from 'vitest'
import { startDnsServer, type Zone } from '#test/harness/servers/dns-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'
import { createBlocklists } from './dns-blocklists.ts'

const LIST = 'zen.example.org'
const OTHER = 'dnsbl.example.net'
const zone: Zone = {}
let nowMs = 0
let asked: string[] = []

const dns = await untilEnd(startDnsServer(zone))
beforeEach(() => {
  for (const name of Object.keys(zone)) delete zone[name]
  asked = []
})

function lists(server = dns.address, zones = [LIST, OTHER]) {
  const resolver = new Resolver({ timeout: 300, tries: 1 })
  resolver.setServers([server])
  const resolve = (name: string) => {
    asked.push(name)
    return resolver.resolve4(name)
  }
  return createBlocklists(zones, resolve, () => nowMs)
}

test('an IPv4 address is queried in reversed bytes, and each list that contains it is returned', async () => {
  zone[`9.113.0.203.${OTHER} A`] = ['127.0.0.2']
  expect(await lists()('203.0.113.9')).toEqual([])
  zone[`9.113.0.8.${LIST} A`] = ['127.0.0.4']
  zone[`9.113.0.8.${OTHER} A`] = ['127.0.0.2']
  expect(await lists()('8.0.113.9')).toEqual([LIST, OTHER])
  expect(await lists()('::ffff:8.0.113.9')).toEqual([LIST, OTHER])
})

test('an IPv6 address is queried in reversed digits', async () => {
  const reversed = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.b.a.0.0.6.2.a.2'
  zone[`${reversed}.${LIST} A`] = ['127.0.0.3']
  expect(await lists()('2a26:00ab::1')).toEqual([LIST])
  expect(asked).toContain(`${reversed}.${LIST}`)
})

test.each([['127.255.255.254'], ['198.51.100.1']])(
  '%s is no listing, but means that the list refuses this resolver or its domain was sold',
  async record => {
    zone[`9.113.0.8.${LIST} A`] = [record]
    expect(await lists()('8.0.113.9')).toEqual([])
  },
)

test.each([['127.0.0.1'], ['10.1.2.3'], ['fe80::1'], ['::1'], ['192.168.1.1'], ['not an address']])(
  'nothing is queried about %s',
  async ip => {
    expect(await lists()(ip)).toEqual([])
    expect(asked).toEqual([])
  },
)

test('an answer is cached for five minutes', async () => {
  const listedOn = lists(dns.address, [LIST])
  expect(await listedOn('8.0.113.9')).toEqual([])
  zone[`9.113.0.8.${LIST} A`] = ['127.0.0.2']
  nowMs += 299_000
  expect(await listedOn('8.0.113.9')).toEqual([])
  nowMs += 2000
  expect(await listedOn('8.0.113.9')).toEqual([LIST])
  expect(asked).toHaveLength(2)
})

test('a list that does not respond lists nobody, and is asked again later', async () => {
  const silent = createSocket('udp4')
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const listedOn = lists(`127.0.0.1:${silent.address().port}`, [LIST])
  expect(await listedOn('8.0.113.9')).toEqual([])
  expect(await listedOn('8.0.113.9')).toEqual([])
  expect(asked).toHaveLength(2)
  silent.close()
})

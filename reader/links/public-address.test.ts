import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { isMetadataAddress, isPublicAddress } from './public-address.ts'

function read(path: string): string {
  return readFileSync(resolve(import.meta.dirname, path), 'utf8')
}

/** The Python client is tested with them, too. */
const fixture = z
  .object({ public: z.array(z.string()), special: z.array(z.string()), metadata: z.array(z.string()) })
  .parse(JSON.parse(read('../../test/fixtures/public-addresses.json')))
const hostname = (ip: string) => new URL(isIPv6(ip) ? `http://[${ip}]` : `http://${ip}`).hostname

test.each(fixture.public)('%s is public', ip => {
  expect(isPublicAddress(hostname(ip))).toBe(true)
})

test.each(fixture.metadata)('%s is metadata, and not public', ip => {
  expect([isMetadataAddress(hostname(ip)), isPublicAddress(hostname(ip))]).toEqual([true, false])
})

test('other addresses are no metadata', () => {
  const others = [
    ...fixture.public,
    '10.0.0.1',
    '127.0.0.1',
    '::1',
    'fd00::1',
    '192.168.1.1',
    '::808:808',
    '64:ff9b:1::808:808',
    '2002:808:808::1',
  ].filter(ip => isMetadataAddress(hostname(ip)))
  expect(others).toEqual([])
})

test('the Python client has the same list', () => {
  expect(read('../../clients/python/src/mayfly_mail/special_addresses.json')).toBe(read('special-addresses.json'))
})

test.each(fixture.special)('%s is not public', ip => {
  expect(isPublicAddress(hostname(ip))).toBe(false)
})

describe('what is public here is unicast for ipaddr.js', () => {
  test('every IPv4 /16 and what is smaller in 192 to 203', () => {
    const wrong: string[] = []
    for (let first = 0; first < 256; first++)
      for (let second = 0; second < 256; second++)
        for (const third of first >= 192 && first <= 203 ? Array(256).keys() : [0]) {
          const ip = `${first}.${second}.${third}.1`
          if (isPublicAddress(ip) && ipaddr.parse(ip).range() !== 'unicast') wrong.push(ip)
        }
    expect(wrong).toEqual([])
  })

  test('every IPv6 /32 of 2001 and its neighbours', () => {
    const wrong = [0x2000, 0x2001, 0x2002, 0x2620, 0x3fff, 0x4000].flatMap(first =>
      Array.from({ length: 65_536 }, (_, second) => `${first.toString(16)}:${second.toString(16)}::1`).filter(
        ip => isPublicAddress(hostname(ip)) && ipaddr.parse(ip).range() !== 'unicast',
      ),
    )
    expect(wrong).toEqual([])
  })
})

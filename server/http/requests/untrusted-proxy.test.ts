import { expect, test } from 'vitest'
import { IpRanges } from '#server/platform/net/ip-address.ts'
import { createProxyWarning } from '../http.ts'

function notice(trusted: string[] = []) {
  const warnings: unknown[] = []
  return { warnings, hear: createProxyWarning({ warn: (message: unknown) => void warnings.push(message) }, new IpRanges(trusted)) }
}

test('a proxy that is not in TRUST_PROXY is logged once, with the remedy', () => {
  const { warnings, hear } = notice()
  for (const peer of ['::ffff:172.18.0.2', '172.18.0.2', '10.0.0.9']) hear(peer, '203.0.113.7')
  expect(warnings).toEqual([
    expect.stringMatching(/^A proxy at 172\.18\.0\.2 sends X-Forwarded-For and is not trusted, .* set TRUST_PROXY=172\.18\.0\.2$/),
  ])
})

test('an address that may be a visitor’s is not logged', () => {
  const { warnings, hear } = notice()
  for (const _ of [1, 2]) hear('203.0.113.7', '198.51.100.1')
  expect(warnings).toEqual([expect.stringContaining('name it in TRUST_PROXY')])
  expect(String(warnings)).not.toContain('203.0.113')
})

test('a trusted proxy, or a request without the header, is not logged', () => {
  const { warnings, hear } = notice(['10.0.0.0/8'])
  hear('10.0.0.9', '203.0.113.7')
  hear('192.168.0.1', undefined)
  expect(warnings).toEqual([])
})

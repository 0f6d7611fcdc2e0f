/** The test suite of SPF (RFC 7208), its cases rewritten as data, through a real DNS server and the real SMTP door. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { mapFew, type SenderChecks, startSenderChecks } from '#test/harness/mayfly/start-sender-checks.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { createAuthenticator } from '../authenticate.ts'

type Case = {
  /** Its number and name in the suite. */
  readonly case: string
  readonly ip: string
  readonly helo: string
  readonly from: string
  /** Any of them is right. */
  readonly results: readonly string[]
}
type Group = {
  readonly group: number
  readonly cases: readonly Case[]
  readonly zone: Readonly<Record<string, readonly string[]>>
  /** Names and types that the servers do not answer. */
  readonly silent?: readonly string[]
}

const { groups } = JSON.parse(readFileSync(new URL('./rfc7208.json', import.meta.url), 'utf8')) as { readonly groups: readonly Group[] }
const RAW = Buffer.from('From: a@mail.test\r\nSubject: Hello\r\n\r\nHello.\r\n')

let checks: SenderChecks
beforeAll(async () => {
  checks = await startSenderChecks()
})
afterAll(() => checks[Symbol.asyncDispose]())

/** Envelopes that the SMTP door refuses reach nobody: of those the check itself is asked. */
async function spfOf({ ip, helo, from }: Case): Promise<string> {
  const row = await checks.check({ ip, helo, from, raw: RAW })
  if (typeof row !== 'string') return row.authentication.spf
  expect(row).toMatch(/^5/)
  await using authenticator = createAuthenticator({ dnsServers: [checks.dnsAddress], log: createLog('silent'), telemetry: testTelemetry() })
  return (await authenticator.authenticate({ clientAddress: ip, helo, from }, RAW))?.spf ?? 'no result'
}

describe('SPF suite', () => {
  test.each(groups)('group $group', async ({ cases, zone, silent = [] }) => {
    for (const key of Object.keys(checks.zone)) delete checks.zone[key]
    Object.assign(checks.zone, zone)
    checks.faults.clear()
    for (const key of silent) checks.faults.set(key, 'silent')
    const results = await mapFew(cases, spfOf)
    const found = cases.map(
      ({ case: name, results: right }, i) => `${name}: ${right.includes(results[i] ?? '') ? right.join(' or ') : results[i]}`,
    )
    expect(found).toEqual(cases.map(({ case: name, results: right }) => `${name}: ${right.join(' or ')}`))
  })
})

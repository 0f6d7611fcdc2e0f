/** The test suite of SPF (RFC 7208), its cases rewritten as data, through a real DNS server and the real SMTP door. */
import { describe, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { type SentMail, spfSuite } from '#test/harness/mail/sender-suites.ts'
import { mapFew, startSenderChecks } from '#test/harness/mayfly/start-sender-checks.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { withAuthors } from '#test/harness/mayfly/with-authors.ts'
import { untilEnd } from '#test/harness/until-end.ts'
import { createAuthenticator } from '../authenticate.ts'

const checks = await untilEnd(startSenderChecks())

/** Envelopes that the SMTP door refuses reach nobody: of those the check itself is asked. */
async function spfOf(mail: SentMail): Promise<string> {
  const row = await checks.check(mail)
  if (typeof row !== 'string') return row.authentication.spf
  expect(row).toMatch(/^5/)
  const { ip: clientAddress, helo, from, raw } = mail
  await using authenticator = createAuthenticator({ dnsServers: [checks.dnsAddress], log: createLog('silent'), telemetry: testTelemetry() })
  return (await authenticator.authenticate({ clientAddress, helo, from }, withAuthors(raw)))?.spf ?? 'no result'
}

describe('SPF suite', () => {
  test.each(spfSuite().map((group, at) => ({ ...group, group: at + 1 })))('group $group', async ({ cases, zone, silent }) => {
    for (const key of Object.keys(checks.zone)) delete checks.zone[key]
    Object.assign(checks.zone, zone)
    checks.faults.clear()
    for (const key of silent) checks.faults.set(key, 'silent')
    const found = await mapFew(cases, async ({ name, mail, results }) => {
      const result = await spfOf(mail)
      return `${name}: ${results.includes(result) ? results.join(' or ') : result}`
    })
    expect(found).toEqual(cases.map(({ name, results }) => `${name}: ${results.join(' or ')}`))
  })
})

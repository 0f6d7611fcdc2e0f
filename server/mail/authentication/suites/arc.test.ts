/**
 * The validation suite of ARC (RFC 8617), its cases rewritten as data and signed anew, through a real DNS server and the real SMTP door.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signTemplate, TestKeys } from '#test/harness/mail/sign-template.ts'
import { mapFew, type SenderChecks, startSenderChecks } from '#test/harness/mayfly/start-sender-checks.ts'

type Case = {
  /** Its number and name in the suite. */
  readonly case: string
  readonly result: string
  readonly signedAs?: string
  /** Places in the lists of fields and bodies. */
  readonly fields: readonly number[]
  readonly body: number
}
type Suite = {
  readonly fields: readonly string[]
  readonly bodies: readonly string[]
  readonly groups: readonly { readonly zone: Readonly<Record<string, string>>; readonly cases: readonly Case[] }[]
}

const suite = JSON.parse(readFileSync(new URL('./arc.json', import.meta.url), 'utf8')) as Suite
/** The suite expects a pass; RFC 6376 does not, which ARC's signatures follow (RFC 8617 section 4.1.2). */
const STRICTER = new Map([
  // Without `c=` it is simple/simple (section 3.5), but was made relaxed.
  ['77 ams_fields_c_na', 'fail'],
  // From must be signed (section 5.4).
  ['87 ams_fields_h_empty', 'fail'],
])

const keys = new TestKeys()
let checks: SenderChecks
beforeAll(async () => {
  checks = await startSenderChecks()
})
afterAll(() => checks[Symbol.asyncDispose]())

describe('ARC suite', () => {
  test.each(suite.groups.map((group, at) => ({ ...group, group: at + 1 })))('group $group', async ({ zone, cases }) => {
    for (const key of Object.keys(checks.zone)) delete checks.zone[key]
    for (const [name, record] of Object.entries(zone)) checks.zone[`${name} TXT`] = [keys.publish(record)]
    const keyOf = (selector: string, domain: string) => /\{(\w+)\}/.exec(zone[`${selector}._domainkey.${domain}`] ?? '')?.[1] ?? 'key1024'
    const found = await mapFew(cases, async ({ case: name, fields, body, signedAs }) => {
      const template = { fields: fields.map(at => suite.fields[at] ?? ''), body: suite.bodies[body] ?? '', signedAs }
      const raw = signTemplate(template, keys, keyOf)
      const row = await checks.check({ ip: '192.0.2.1', helo: 'mail.hills.test', from: 'pat@hills.test', raw })
      return `${name}: ${typeof row === 'string' ? row : row.authentication.arc}`
    })
    expect(found).toEqual(cases.map(({ case: name, result }) => `${name}: ${STRICTER.get(name) ?? result}`))
  })
})

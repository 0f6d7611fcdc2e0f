/**
 * The validation suite of ARC (RFC 8617), its cases rewritten as data and signed anew, through a real DNS server and the real SMTP door.
 */
import { describe, expect, test } from 'vitest'
import { arcSuite } from '#test/harness/mail/sender-suites.ts'
import { mapFew, startSenderChecks } from '#test/harness/mayfly/start-sender-checks.ts'
import { untilEnd } from '#test/harness/until-end.ts'

/** The suite expects a pass; RFC 6376 does not, which ARC's signatures follow (RFC 8617 section 4.1.2). */
const STRICTER = new Map([
  // Without `c=` it is simple/simple (section 3.5), but was made relaxed.
  ['77 ams_fields_c_na', 'fail'],
  // From must be signed (section 5.4).
  ['87 ams_fields_h_empty', 'fail'],
])

const checks = await untilEnd(startSenderChecks())

describe('ARC suite', () => {
  test.each(arcSuite().map((group, at) => ({ ...group, group: at + 1 })))('group $group', async ({ zone, cases }) => {
    for (const key of Object.keys(checks.zone)) delete checks.zone[key]
    Object.assign(checks.zone, zone)
    const found = await mapFew(cases, async ({ name, mail }) => {
      const row = await checks.check(mail)
      return `${name}: ${typeof row === 'string' ? row : row.authentication.arc}`
    })
    expect(found).toEqual(cases.map(({ name, results }) => `${name}: ${STRICTER.get(name) ?? results[0]}`))
  })
})

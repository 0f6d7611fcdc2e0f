/** What counts as signed: one table of mails that pass and of mails that must not, each with its source, through DNS and the SMTP door. */
import { expect, test } from 'vitest'
import { type SentMail, signatureSuite } from '#test/harness/mail/sender-suites.ts'
import { mapFew, startSenderChecks } from '#test/harness/mayfly/start-sender-checks.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const mails = signatureSuite()
const checks = await untilEnd(startSenderChecks())
Object.assign(checks.zone, mails.zone)

async function checked(mail: SentMail) {
  const row = await checks.check(mail)
  if (typeof row === 'string') throw new Error(row)
  return { ...row.authentication, verdictReason: row.verdictReason }
}

test(`${mails.pass.length} mails of honest senders are signed`, async () => {
  const found = await mapFew(mails.pass, async ({ name, mail }) => {
    const { dkim, dmarc, verdictReason } = await checked(mail)
    return `${name}: dkim=${dkim} dmarc=${dmarc} ${verdictReason}`
  })
  expect(found).toEqual(mails.pass.map(({ name }) => `${name}: dkim=pass dmarc=pass signed`))
})

test(`${mails.refused.length} mails are not`, async () => {
  const found = await mapFew(mails.refused, async ({ name, mail }) => {
    const { dkim, dmarc, verdictReason, unsigned } = await checked(mail)
    return { name, isRefused: dkim !== 'pass' && dmarc !== 'pass' && verdictReason !== 'signed', unsigned }
  })
  expect(found).toEqual(mails.refused.map(({ name, unsigned }) => ({ name, isRefused: true, unsigned })))
})

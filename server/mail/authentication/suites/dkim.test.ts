/** What counts as signed: one table of mails that pass and of mails that must not, each with its source, through DNS and the SMTP door. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signTemplate, TestKeys } from '#test/harness/mail/sign-template.ts'
import { mapFew, type SenderChecks, startSenderChecks } from '#test/harness/mayfly/start-sender-checks.ts'

type Case = {
  readonly case: string
  readonly source: string
  /** Values of the signature fields; by default one with what most senders write. */
  readonly signatures?: readonly string[]
  /** By selector. */
  readonly records?: Readonly<Record<string, string | readonly string[]>>
  /** The domain of the records, which `mail` below it has as well. */
  readonly domain?: string
  readonly fields?: readonly string[]
  readonly body?: string
  /** What is added once the mail is signed. */
  readonly above?: readonly string[]
  readonly below?: readonly string[]
  readonly appended?: string
  /** What the results say is unsigned. */
  readonly unsigned?: readonly string[]
}

const mails = JSON.parse(readFileSync(new URL('./dkim.json', import.meta.url), 'utf8')) as Record<'pass' | 'refused', readonly Case[]>
const SIGNATURE = 'v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.test; s=s1; h=From:To:Subject:Date:Message-ID; bh={bh relaxed}; b={b}'
const FIELDS = [
  'From: Shop <news@shop.test>',
  'To: b@mayfly.test',
  'Subject: Hello',
  'Date: Sat, 21 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@shop.test>',
]

const keys = new TestKeys()
let checks: SenderChecks
let cases = 0
beforeAll(async () => {
  checks = await startSenderChecks()
})
afterAll(() => checks[Symbol.asyncDispose]())

/** The results of the mail. `shop.test` stands for a domain of the case's own. */
async function checked({
  signatures = [SIGNATURE],
  records = { s1: 'v=DKIM1; k=rsa; p={key2048}' },
  domain = 'shop.test',
  ...given
}: Case) {
  const shop = `shop${cases++}.test`
  const time = (text: string) =>
    text.replace(/\{now([+-]\d+)?\}/g, (_, seconds = '0') => String(Math.floor(Date.now() / 1000) + Number(seconds)))
  const own = (text: string) => time(text).replaceAll('shop.test', shop).replaceAll('SHOP.TEST', shop.toUpperCase())
  checks.zone[`_dmarc.${shop} TXT`] = ['v=DMARC1; p=none']
  for (const [selector, record] of Object.entries(records))
    for (const signer of [domain, `mail.${domain}`])
      checks.zone[`${selector}._domainkey.${own(signer)} TXT`] = [record].flat().map(text => keys.publish(text))
  const keyOf = (selector: string) => /\{(\w+)/.exec([records[selector] ?? ''].flat().join(' '))?.[1] ?? 'key2048'
  const { fields = FIELDS, body = 'Hello.\r\n', above = [], below = [], appended = '' } = given
  const template = { fields: [...signatures.map(value => own(`DKIM-Signature: ${value}`)), ...fields.map(own)], body }
  const [header = '', ...rest] = signTemplate(template, keys, keyOf).toString('latin1').split('\r\n\r\n')
  const whole = [...above, header, ...below].join('\r\n')
  const raw = Buffer.from(`${whole}\r\n\r\n${rest.join('\r\n\r\n')}${appended}`, 'latin1')
  const row = await checks.check({ ip: '192.0.2.1', helo: 'mail.mill.test', from: 'a@mill.test', raw })
  if (typeof row === 'string') throw new Error(row)
  return { ...row.authentication, verdictReason: row.verdictReason }
}

test(`${mails.pass.length} mails of honest senders are signed`, async () => {
  const found = await mapFew(mails.pass, async mail => {
    const { dkim, dmarc, verdictReason } = await checked(mail)
    return `${mail.case}: dkim=${dkim} dmarc=${dmarc} ${verdictReason}`
  })
  expect(found).toEqual(mails.pass.map(mail => `${mail.case}: dkim=pass dmarc=pass signed`))
})

test(`${mails.refused.length} mails are not`, async () => {
  const found = await mapFew(mails.refused, async mail => {
    const { dkim, dmarc, verdictReason, unsigned } = await checked(mail)
    return { case: mail.case, isRefused: dkim !== 'pass' && dmarc !== 'pass' && verdictReason !== 'signed', unsigned }
  })
  expect(found).toEqual(mails.refused.map(mail => ({ case: mail.case, isRefused: true, unsigned: mail.unsigned })))
})

/** The suites of the check of the sender, as mails with the zone that each needs. Tests and the laboratory read the same ones. */
import { readFileSync } from 'node:fs'
import type { Zone } from '../servers/dns-server.ts'
import { signTemplate, TestKeys } from './sign-template.ts'

/** What a server is told of a mail. */
export type SentMail = {
  readonly ip: string
  readonly helo: string
  /** Reverse path; empty for `MAIL FROM:<>`. */
  readonly from: string
  /** With CR LF. */
  readonly raw: Buffer
}

type SuiteCase = {
  /** In a published suite its number there and its name. */
  readonly name: string
  readonly mail: SentMail
  /** Any of these results is right. */
  readonly results: readonly string[]
}
/** Cases that share a zone. */
type SuiteGroup = {
  readonly zone: Zone
  /** Names and types whose servers do not answer. */
  readonly silent: readonly string[]
  readonly cases: readonly SuiteCase[]
}

/** A mail of the table of signatures. */
type SignedMail = {
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

type SpfSuite = {
  readonly groups: readonly {
    readonly cases: readonly { case: string; ip: string; helo: string; from: string; results: readonly string[] }[]
    readonly zone: Zone
    readonly silent?: readonly string[]
  }[]
}
type ArcSuite = {
  readonly fields: readonly string[]
  readonly bodies: readonly string[]
  readonly groups: readonly {
    readonly zone: Readonly<Record<string, string>>
    /** `fields` and `body` are places in the lists above. */
    readonly cases: readonly { case: string; result: string; signedAs?: string; fields: readonly number[]; body: number }[]
  }[]
}

function readSuite<Suite>(name: string): Suite {
  return JSON.parse(readFileSync(new URL(`../../../server/mail/authentication/suites/${name}.json`, import.meta.url), 'utf8')) as Suite
}

const UNSIGNED = Buffer.from('From: a@mail.test\r\nSubject: Hello\r\n\r\nHello.\r\n')

/** The test suite of SPF (RFC 7208). */
export function spfSuite(): SuiteGroup[] {
  return readSuite<SpfSuite>('rfc7208').groups.map(({ cases, zone, silent = [] }) => ({
    zone,
    silent,
    cases: cases.map(({ case: name, results, ...envelope }) => ({ name, results, mail: { ...envelope, raw: UNSIGNED } })),
  }))
}

/** The validation suite of ARC (RFC 8617), signed anew. */
export function arcSuite(keys = new TestKeys()): SuiteGroup[] {
  const { fields, bodies, groups } = readSuite<ArcSuite>('arc')
  return groups.map(({ zone, cases }) => {
    const keyOf = (selector: string, domain: string) => /\{(\w+)\}/.exec(zone[`${selector}._domainkey.${domain}`] ?? '')?.[1] ?? 'key1024'
    return {
      zone: Object.fromEntries(Object.entries(zone).map(([name, record]) => [`${name} TXT`, [keys.publish(record)]])),
      silent: [],
      cases: cases.map(({ case: name, result, signedAs, ...places }) => {
        const template = { fields: places.fields.map(at => fields[at] ?? ''), body: bodies[places.body] ?? '', signedAs }
        const raw = signTemplate(template, keys, keyOf)
        return { name, results: [result], mail: { ip: '192.0.2.1', helo: 'mail.hills.test', from: 'pat@hills.test', raw } }
      }),
    }
  })
}

const SIGNATURE = 'v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.test; s=s1; h=From:To:Subject:Date:Message-ID; bh={bh relaxed}; b={b}'
const FIELDS = [
  'From: Shop <news@shop.test>',
  'To: b@mayfly.test',
  'Subject: Hello',
  'Date: Sat, 21 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@shop.test>',
]

type SignatureCase = { readonly name: string; readonly mail: SentMail; readonly unsigned: readonly string[] | undefined }

/** Mails of honest senders, which must pass, and mails that must be refused. `shop.test` stands for a domain of each case's own. */
export function signatureSuite(keys = new TestKeys()) {
  const mails = readSuite<Record<'pass' | 'refused', readonly SignedMail[]>>('dkim')
  const zone: Zone = {}
  let count = 0
  const written = (given: SignedMail): SignatureCase => {
    const mail = signedMail(given, `shop${count++}.test`, zone, keys)
    return { name: given.case, mail, unsigned: given.unsigned }
  }
  return { zone, pass: mails.pass.map(written), refused: mails.refused.map(written) }
}

function signedMail(given: SignedMail, shop: string, zone: Zone, keys: TestKeys): SentMail {
  const { signatures = [SIGNATURE], records = { s1: 'v=DKIM1; k=rsa; p={key2048}' }, domain = 'shop.test' } = given
  const { fields = FIELDS, body = 'Hello.\r\n', above = [], below = [], appended = '' } = given
  const time = (text: string) =>
    text.replace(/\{now([+-]\d+)?\}/g, (_, seconds = '0') => String(Math.floor(Date.now() / 1000) + Number(seconds)))
  const own = (text: string) => time(text).replaceAll('shop.test', shop).replaceAll('SHOP.TEST', shop.toUpperCase())
  zone[`_dmarc.${shop} TXT`] = ['v=DMARC1; p=none']
  for (const [selector, record] of Object.entries(records))
    for (const signer of [domain, `mail.${domain}`])
      zone[`${selector}._domainkey.${own(signer)} TXT`] = [record].flat().map(text => keys.publish(text))
  const keyOf = (selector: string) => /\{(\w+)/.exec([records[selector] ?? ''].flat().join(' '))?.[1] ?? 'key2048'
  const template = { fields: [...signatures.map(value => own(`DKIM-Signature: ${value}`)), ...fields.map(own)], body }
  const [header = '', ...rest] = signTemplate(template, keys, keyOf).toString('latin1').split('\r\n\r\n')
  const whole = [...above, header, ...below].join('\r\n')
  const raw = Buffer.from(`${whole}\r\n\r\n${rest.join('\r\n\r\n')}${appended}`, 'latin1')
  return { ip: '192.0.2.1', helo: 'mail.mill.test', from: 'a@mill.test', raw }
}

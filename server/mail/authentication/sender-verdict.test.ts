/** The verdict on senders, as a reader of the API gets it: mail over SMTP, records and faults from a real DNS server. */
import { generateKeyPairSync } from 'node:crypto'
import { sealMessage } from 'mailauth'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { describe, expect, test } from 'vitest'
import { readEventStream } from '#contract/event-stream.ts'
import { type MessageSummary, messageListSchema, messageSchema, messageSummarySchema, streamEventSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { type DnsFault, startDnsServer, type Zone } from '#test/harness/servers/dns-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const KEY = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
/** The tests send from 127.0.0.1. */
const FROM_HERE = 'v=spf1 ip4:127.0.0.1 -all'
const FROM_ELSEWHERE = 'v=spf1 ip4:192.0.2.1 -all'
const REJECT = 'v=DMARC1; p=reject'

type Case = {
  /** TXT records by name, and others by name and type. `shop.test` stands for a domain of the case's own. */
  readonly dns?: Readonly<Record<string, string | readonly string[]>>
  /** By name, for all types. */
  readonly faults?: Readonly<Record<string, DnsFault>>
  /** The faults happen to the first query of a name only. */
  readonly isFaultOver?: boolean
  /** The From fields, each with its end of line. */
  readonly from?: string
  readonly mailFrom?: string
  readonly helo?: string
  /** The key of each signer. */
  readonly signed?: readonly (readonly [domain: string, selector: string])[]
  /** The fields that are signed. By default all that are there. */
  readonly headerList?: string
  /** The bytes of the body that are signed. */
  readonly maxBodyLength?: number
  /** Fields that somebody puts above the signed ones. */
  readonly above?: string
  readonly subject?: string
  readonly text?: string
  /** A forwarder appends a line to the body, and seals its results with ARC if it has a domain. */
  readonly forwardedBy?: string
}

const zone: Zone = {}
const faults = new Map<string, { readonly fault: DnsFault; readonly isOver: boolean }>()
const dns = await untilEnd(
  startDnsServer(zone, {
    fault(name, _, count) {
      const found = faults.get(name)
      return found?.isOver && count > 1 ? undefined : found?.fault
    },
  }),
)
const server = await untilEnd(startTestServer({ env: { DNS_SERVERS: dns.address } }))

let cases = 0

/** Sends the mail and resolves to its row, once its sender is checked. */
async function received(given: Case): Promise<{ readonly row: MessageSummary; readonly token: string }> {
  cases++
  const own = (text: string) => text.replaceAll('shop.test', `shop${cases}.test`)
  for (const [name, records] of Object.entries(given.dns ?? {}))
    zone[own(name.includes(' ') ? name : `${name} TXT`)] = [records].flat().map(own)
  for (const [name, fault] of Object.entries(given.faults ?? {})) faults.set(own(name), { fault, isOver: given.isFaultOver === true })
  const { email, token } = await server.createMailbox()
  await using client = await SmtpClient.connect(server.app.smtpPort)
  await client.play([
    [`EHLO ${own(given.helo ?? 'mx.relay.test')}`, 250],
    [`MAIL FROM:<${own(given.mailFrom ?? 'bounce@shop.test')}>`, 250],
    [`RCPT TO:<${email}>`, 250],
    ['DATA', 354],
    [`${await rawMail(given, own)}.`, 250],
  ])
  const newest = async () => {
    const response = await fetch(server.url(routes.messages), { headers: bearer(token) })
    return messageListSchema.parse(await response.json()).messages[0]
  }
  await expect.poll(async () => (await newest())?.authentication, { timeout: 30_000, interval: 30 }).toBeDefined()
  const row = await newest()
  if (!row) throw new Error('the message is gone')
  return { row, token }
}

async function rawMail(given: Case, own: (text: string) => string) {
  const { from = 'From: Shop <news@shop.test>\r\n', subject = 'Hello', text = 'Hello.', signed = [], above = '', forwardedBy } = given
  const { headerList, maxBodyLength } = given
  const fields = `${own(from)}To: b@mayfly.test\r\nSubject: ${subject}\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n`
  let mail = `${fields}Message-ID: <1@relay.test>\r\n\r\n${own(text)}\r\n`
  const unsigned = mail
  for (const [domain, selector] of signed) {
    const identity = { signingDomain: own(domain), selector, privateKey: PEM, ...(maxBodyLength && { maxBodyLength }) }
    const options = { ...identity, canonicalization: 'relaxed/relaxed', signatureData: [identity], ...(headerList && { headerList }) }
    mail = (await dkimSign(Buffer.from(unsigned), options)).signatures + mail
  }
  if (forwardedBy === undefined) return above + mail
  mail += 'A line of the list.\r\n'
  const results = { authResults: `${forwardedBy}; dkim=pass header.d=${own('shop.test')}`, cv: 'none' as const }
  const seal = { signingDomain: forwardedBy, selector: 's1', privateKey: PEM, ...results }
  return forwardedBy === '' ? mail : (await sealMessage(Buffer.from(mail), seal)).toString() + mail
}

const withPolicy = (record: string | readonly string[], more: Case = {}): Case => ({
  ...more,
  dns: { '_dmarc.shop.test': record, 'shop.test': FROM_ELSEWHERE, ...more.dns },
})
const OWN_KEY = { 's1._domainkey.shop.test': KEY }
const SIGNED: Case = { dns: OWN_KEY, signed: [['shop.test', 's1']] }
const PROVIDER: Case = { dns: { 'provider.test': FROM_HERE, 's1._domainkey.provider.test': KEY }, mailFrom: 'b@provider.test' }
const BY_PROVIDER: Case = { ...PROVIDER, signed: [['provider.test', 's1']] }
const MAIL_EXISTS = { 'mail.shop.test A': '192.0.2.1' }

/** A mail of a tenant of a suffix that the public list names, signed by `signer`. The operator of the suffix publishes a policy. */
const tenant = (signer: string, suffix = 'github.io', dns: Case['dns'] = { '_dmarc.github.io': REJECT }): Case => ({
  dns: { ...dns, [`s1._domainkey.${signer}`]: KEY },
  from: `From: a@shop.test.${suffix}\r\n`,
  signed: [[signer, 's1']],
})
const ONE_OWNER = { '_dmarc.web.app': `${REJECT}; psd=n` }
const psd = (tags: string, signer: string): Case => ({
  dns: { '_dmarc.shop.test': `${REJECT}; ${tags}`, [`s1._domainkey.${signer}`]: KEY },
  from: 'From: a@mail.shop.test\r\n',
  signed: [[signer, 's1']],
})
/** The domain above signs; only the one that is shown has a record. */
const below = (tags = '', more: Case = SIGNED): Case => ({
  ...more,
  dns: { ...more.dns, '_dmarc.news.shop.test': REJECT + tags },
  from: 'From: a@news.shop.test\r\n',
})
const MANY = Array.from({ length: 9 }, (_, i) => `m${i}.shop.test`)
/** Four records, the last of which names us. */
const longRecords = (charsOfEach: number): Case => {
  const terms = (last: string) => `v=spf1 ${'ip4:192.0.2.0/24 '.repeat(charsOfEach / 17)}${last}`
  return {
    dns: {
      'shop.test': 'v=spf1 include:a.shop.test include:b.shop.test include:c.shop.test include:d.shop.test -all',
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`${name}.shop.test`, terms(name === 'd' ? 'ip4:127.0.0.1' : '-all')])),
    },
  }
}
/** The last host of the last name is ours. */
const manyHosts = (terms: string, names: readonly string[]): Case => ({
  dns: {
    'shop.test': `v=spf1 ${terms} -all`,
    ...Object.fromEntries(names.map(name => [`${name} MX`, Array.from({ length: 10 }, (_, i) => `${i} h${i}.${name}`)])),
    ...Object.fromEntries(names.flatMap(name => Array.from({ length: 10 }, (_, i) => [`h${i}.${name} A`, '192.0.2.9']))),
    [`h9.${names.at(-1)} A`]: '127.0.0.1',
  },
})

const table: Readonly<Record<string, readonly (readonly [title: string, given: Case, verdict: string])[]>> = {
  'without a policy in force': [
    ['no DMARC record', { dns: { 'shop.test': FROM_ELSEWHERE } }, 'unknown unverified'],
    ['no record at all', {}, 'unknown unverified'],
    ['p=none', withPolicy('v=DMARC1; p=none'), 'unknown unverified'],
    ['only rua=', withPolicy('v=DMARC1; rua=mailto:reports@shop.test'), 'unknown unverified'],
    ['p=reject; t=y', withPolicy(`${REJECT}; t=y`), 'unknown unverified'],
    ['p=quarantine; t=y', withPolicy('v=DMARC1; p=quarantine; t=y'), 'unknown unverified'],
    ['p=reject; pct=0, the older way to say t=y', withPolicy(`${REJECT}; pct=0`), 'unknown unverified'],
    [
      'sp=none, a subdomain',
      withPolicy(`${REJECT}; sp=none`, { dns: MAIL_EXISTS, from: 'From: a@mail.shop.test\r\n' }),
      'unknown unverified',
    ],
    ['np=none, a name that does not exist', withPolicy(`${REJECT}; np=none`, { from: 'From: a@no.shop.test\r\n' }), 'unknown unverified'],
    [
      'p=none; np=reject, a name that exists',
      withPolicy('v=DMARC1; p=none; np=reject', { dns: MAIL_EXISTS, from: 'From: a@mail.shop.test\r\n' }),
      'unknown unverified',
    ],
    [
      'a record of its own below p=reject',
      withPolicy(REJECT, { dns: { '_dmarc.mail.shop.test': 'v=DMARC1; p=none' }, from: 'From: a@mail.shop.test\r\n' }),
      'unknown unverified',
    ],
    ['two records', withPolicy([REJECT, REJECT]), 'unknown unverified'],
    ['a policy that does not exist', withPolicy('v=DMARC1; p=rejekt'), 'unknown unverified'],
    ['a record below the signer', below(), 'unknown unverified'],
    ['a record below the server', below('', { dns: { 'shop.test': FROM_HERE } }), 'unknown unverified'],
    ['a record below the signer, strict for the server alone', below('; aspf=s'), 'unknown unverified'],
    ['a tag twice', withPolicy('v=DMARC1; p=none; p=reject'), 'unknown unverified'],
    ['no semicolon', withPolicy('v=DMARC1 p=reject'), 'unknown unverified'],
    ['p=none, sent and signed by a provider', withPolicy('v=DMARC1; p=none', BY_PROVIDER), 'unknown signed_by_other'],
    ['no record, sent and signed by a provider', BY_PROVIDER, 'unknown signed_by_other'],
    ['p=none, sent by a provider', withPolicy('v=DMARC1; p=none', PROVIDER), 'unknown server_of_other'],
    ['p=none, changed by a list', withPolicy('v=DMARC1; p=none', { ...SIGNED, forwardedBy: '' }), 'unknown unverified'],
  ],
  'with a policy in force': [
    ['p=reject', withPolicy(REJECT), 'contradicted policy'],
    ['p=quarantine', withPolicy('v=DMARC1; p=quarantine'), 'contradicted policy'],
    ['p=reject; pct=50, which no longer means anything', withPolicy(`${REJECT}; pct=50`), 'contradicted policy'],
    ['sp=reject, a subdomain', withPolicy('v=DMARC1; p=none; sp=reject', { from: 'From: a@mail.shop.test\r\n' }), 'contradicted policy'],
    [
      'np=reject, a name that does not exist',
      withPolicy('v=DMARC1; p=none; np=reject', { from: 'From: a@no.shop.test\r\n' }),
      'contradicted policy',
    ],
    [
      'a record beside the signer, who may be a stranger',
      below('', { dns: { 's1._domainkey.mta.shop.test': KEY }, signed: [['mta.shop.test', 's1']] }),
      'contradicted policy',
    ],
    ['a record below the signer, strict', below('; adkim=s'), 'contradicted policy'],
    ['a record below the signer, declared an organization', below('; psd=n'), 'contradicted policy'],
    ['p=reject three labels above', withPolicy(REJECT, { from: 'From: a@x.y.z.shop.test\r\n' }), 'contradicted policy'],
    ['sent and signed by a provider', withPolicy(REJECT, BY_PROVIDER), 'contradicted policy'],
    ['a bounce', withPolicy(REJECT, { mailFrom: '' }), 'contradicted policy'],
    ['changed by a list', withPolicy(REJECT, { ...SIGNED, forwardedBy: '' }), 'contradicted policy'],
    [
      'changed by a list that seals with ARC, as any stranger can',
      withPolicy(REJECT, { ...SIGNED, dns: { ...OWN_KEY, 's1._domainkey.list.test': KEY }, forwardedBy: 'list.test' }),
      'contradicted policy',
    ],
    ['SPF without an end', withPolicy(REJECT, { dns: { 'shop.test': 'v=spf1 include:shop.test -all' } }), 'contradicted policy'],
    ['no SPF record', { dns: { '_dmarc.shop.test': REJECT } }, 'contradicted policy'],
  ],
  'that somebody vouches for': [
    ['SPF', withPolicy(REJECT, { dns: { 'shop.test': FROM_HERE } }), 'vouched server'],
    ['SPF of a subdomain', withPolicy(REJECT, { dns: { 'b.shop.test': FROM_HERE }, mailFrom: 'a@b.shop.test' }), 'vouched server'],
    ['DKIM, forwarded', withPolicy(REJECT, SIGNED), 'vouched signed'],
    [
      'SPF, also signed by a provider',
      withPolicy(REJECT, { ...BY_PROVIDER, dns: { ...PROVIDER.dns, 'shop.test': FROM_HERE }, mailFrom: 'a@shop.test' }),
      'vouched server',
    ],
    ['DKIM, no DMARC record', SIGNED, 'vouched signed'],
    ['SPF, no DMARC record', { dns: { 'shop.test': FROM_HERE } }, 'vouched server'],
    [
      'a bounce of its own host',
      withPolicy(REJECT, { dns: { 'mx.shop.test': FROM_HERE }, mailFrom: '', helo: 'mx.shop.test' }),
      'vouched server',
    ],
  ],
  'signed only in part': [
    ['without the subject', withPolicy('v=DMARC1; p=none', { ...SIGNED, headerList: 'From:To:Date' }), 'unknown signed_in_part'],
    ['without the subject, p=reject', withPolicy(REJECT, { ...SIGNED, headerList: 'From:To:Date' }), 'unknown signed_in_part'],
    [
      'without the subject, from its own server',
      withPolicy(REJECT, { ...SIGNED, dns: { ...OWN_KEY, 'shop.test': FROM_HERE }, headerList: 'From:To:Date' }),
      'vouched server',
    ],
    ['a kind of content that is added', withPolicy(REJECT, { ...SIGNED, above: 'Content-Type: text/html\r\n' }), 'unknown signed_in_part'],
    ['a second subject above', withPolicy('v=DMARC1; p=none', { ...SIGNED, above: 'Subject: Pay\r\n' }), 'unknown signed_in_part'],
    ['a second subject above, p=reject', withPolicy(REJECT, { ...SIGNED, above: 'Subject: Pay\r\n' }), 'contradicted policy'],
    ['text after l=', withPolicy('v=DMARC1; p=none', { ...SIGNED, maxBodyLength: 8, forwardedBy: '' }), 'unknown signed_in_part'],
    ['text after l=, p=reject', withPolicy(REJECT, { ...SIGNED, maxBodyLength: 8, forwardedBy: '' }), 'contradicted policy'],
    ['l= of all that there is', withPolicy(REJECT, { ...SIGNED, maxBodyLength: 8 }), 'vouched signed'],
    ['by another domain', { ...BY_PROVIDER, mailFrom: '', headerList: 'From:To:Date' }, 'unknown unverified'],
  ],
  'of an owner among others (RFC 9989 section 4.10)': [
    ['a tenant of a suffix, signed by another', tenant('other.github.io'), 'contradicted policy'],
    ['a tenant of a suffix, signed by its operator', tenant('github.io'), 'contradicted policy'],
    ['a tenant of a suffix, signed by itself', tenant('shop.test.github.io'), 'vouched signed'],
    ['a tenant of a suffix without a record, signed by its operator', tenant('pages.dev', 'pages.dev'), 'unknown unverified'],
    ['a tenant of a suffix with psd=n, signed by another', tenant('other.web.app', 'web.app', ONE_OWNER), 'vouched signed'],
    ['a tenant of a suffix with psd=n, signed by its operator', tenant('web.app', 'web.app', ONE_OWNER), 'vouched signed'],
    [
      'a tenant with psd=n below a suffix with psd=n, signed by another',
      tenant('other.web.app', 'web.app', { ...ONE_OWNER, '_dmarc.shop.test.web.app': `${REJECT}; psd=n` }),
      'contradicted policy',
    ],
    [
      'a tenant with psd=n, signed by its operator',
      tenant('github.io', 'github.io', { '_dmarc.shop.test.github.io': `${REJECT}; psd=n` }),
      'contradicted policy',
    ],
    [
      'a tenant with psd=n and no policy, signed by its operator',
      tenant('pages.dev', 'pages.dev', { '_dmarc.shop.test.pages.dev': 'v=DMARC1; p=rejekt; psd=n' }),
      'unknown unverified',
    ],
    ['psd=y below no suffix that is listed', psd('psd=y', 'other.shop.test'), 'contradicted policy'],
    ['psd=n, signed by a sibling', psd('psd=n', 'other.shop.test'), 'vouched signed'],
    ['neither, signed by a sibling', psd('psd=u', 'other.shop.test'), 'vouched signed'],
    ['adkim=s, signed by a sibling', psd('adkim=s', 'other.shop.test'), 'contradicted policy'],
    ['eight labels below its record', withPolicy(REJECT, { from: 'From: a@a.b.c.d.e.f.g.shop.test\r\n' }), 'contradicted policy'],
  ],
  'whose SPF needs many lookups': [
    ['two mx with ten hosts each', withPolicy(REJECT, manyHosts('mx mx:two.shop.test', ['shop.test', 'two.shop.test'])), 'vouched server'],
    ['nine mx with ten hosts each', withPolicy(REJECT, manyHosts(MANY.map(name => `mx:${name}`).join(' '), MANY)), 'vouched server'],
    [
      'a record of 5,000 characters',
      withPolicy(REJECT, { dns: { 'shop.test': `v=spf1 ${'ip4:192.0.2.0/24 '.repeat(300)}ip4:127.0.0.1 -all` } }),
      'vouched server',
    ],
    ['40 kB in four records', withPolicy(REJECT, longRecords(10_000)), 'vouched server'],
    ['80 kB in four records, more than a check may read', withPolicy(REJECT, longRecords(20_000)), 'unknown unverified'],
    [
      'a name with a colon, a slash and a percent sign',
      withPolicy(REJECT, { dns: { 'shop.test': 'v=spf1 a:x:y/z%%.shop.test -all', 'x:y/z%.shop.test A': '127.0.0.1' } }),
      'vouched server',
    ],
  ],
  'with an unusual From': [
    [
      'a name that is another address',
      withPolicy(REJECT, { ...SIGNED, from: 'From: "a@bank.test" <a@shop.test>\r\n' }),
      'contradicted imitation',
    ],
    ['two of one domain', withPolicy(REJECT, { ...SIGNED, from: 'From: a@shop.test, b@shop.test\r\n' }), 'vouched signed'],
    ['two domains', withPolicy(REJECT, { ...SIGNED, from: 'From: a@shop.test, b@other.test\r\n' }), 'unknown several_senders'],
    ['two domains, unsigned', withPolicy(REJECT, { from: 'From: a@shop.test, b@other.test\r\n' }), 'contradicted policy'],
    ['two fields', withPolicy(REJECT, { ...SIGNED, from: 'From: a@shop.test\r\nFrom: b@shop.test\r\n' }), 'unknown several_senders'],
    ['a group', withPolicy(REJECT, { ...SIGNED, from: 'From: Team: a@shop.test;\r\n' }), 'vouched signed'],
    ['an empty group', withPolicy(REJECT, { from: 'From: undisclosed:;\r\n' }), 'unknown unverified'],
    ['no domain', withPolicy(REJECT, { from: 'From: root\r\n' }), 'unknown unverified'],
    ['an address literal', withPolicy(REJECT, { from: 'From: a@[192.0.2.1]\r\n' }), 'unknown unverified'],
    ['no From', withPolicy(REJECT, { from: '' }), 'unknown unverified'],
  ],
  'when DNS fails': [
    [
      'the first answer to each query is lost',
      withPolicy(REJECT, {
        dns: { 'shop.test': FROM_HERE },
        faults: { 'shop.test': 'silent', '_dmarc.shop.test': 'silent' },
        isFaultOver: true,
      }),
      'vouched server',
    ],
    [
      'SERVFAIL once for a key',
      withPolicy(REJECT, { ...SIGNED, faults: { 's1._domainkey.shop.test': 'SERVFAIL' }, isFaultOver: true }),
      'vouched signed',
    ],
    ['SERVFAIL for a key', withPolicy(REJECT, { ...SIGNED, faults: { 's1._domainkey.shop.test': 'SERVFAIL' } }), 'unknown unverified'],
    ['a time-out for a key', withPolicy(REJECT, { ...SIGNED, faults: { 's1._domainkey.shop.test': 'silent' } }), 'unknown unverified'],
    ['SERVFAIL for SPF', withPolicy(REJECT, { faults: { 'shop.test': 'SERVFAIL' } }), 'unknown unverified'],
    ['REFUSED for SPF', withPolicy(REJECT, { faults: { 'shop.test': 'REFUSED' } }), 'unknown unverified'],
    [
      'a lame server below an include',
      withPolicy(REJECT, { dns: { 'shop.test': 'v=spf1 include:lame.test -all' }, faults: { 'lame.test': 'REFUSED' } }),
      'unknown unverified',
    ],
    ['SERVFAIL for the DMARC record', withPolicy(REJECT, { faults: { '_dmarc.shop.test': 'SERVFAIL' } }), 'unknown unverified'],
    ['a time-out for the DMARC record', withPolicy(REJECT, { faults: { '_dmarc.shop.test': 'silent' } }), 'unknown unverified'],
    [
      'SERVFAIL for the DMARC record of a signed mail',
      withPolicy(REJECT, { ...SIGNED, faults: { '_dmarc.shop.test': 'SERVFAIL' } }),
      'vouched signed',
    ],
    [
      'SERVFAIL where np= needs to know whether the name exists',
      withPolicy('v=DMARC1; p=reject; np=none', { from: 'From: a@no.shop.test\r\n', faults: { 'no.shop.test': 'SERVFAIL' } }),
      'unknown unverified',
    ],
    [
      'answers that only fit over TCP',
      withPolicy(REJECT, { dns: { 'shop.test': FROM_HERE }, faults: { 'shop.test': 'truncate', '_dmarc.shop.test': 'truncate' } }),
      'vouched server',
    ],
  ],
  'of a forger, whose own names do not help': [
    ['a silent envelope', withPolicy(REJECT, { mailFrom: 'a@silent.test', faults: { 'silent.test': 'silent' } }), 'contradicted policy'],
    [
      'a failing envelope',
      withPolicy(REJECT, { mailFrom: 'a@failing.test', faults: { 'failing.test': 'SERVFAIL' } }),
      'contradicted policy',
    ],
    [
      'signatures whose keys are silent',
      withPolicy(REJECT, {
        signed: Array.from({ length: 9 }, (_, i) => [`silent${i}.test`, 's1'] as const),
        faults: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`s1._domainkey.silent${i}.test`, 'silent' as const])),
      }),
      'contradicted policy',
    ],
    ['a selector that does not exist', withPolicy(REJECT, { signed: [['shop.test', 'none']] }), 'contradicted policy'],
    ['a selector that no resolver takes', withPolicy(REJECT, { signed: [['shop.test', 'a:b'.repeat(40)]] }), 'contradicted policy'],
  ],
}

describe.each(Object.entries(table))('a mail %s', (_, kinds) => {
  test.each(kinds)('%s', async (_, given, verdict) => {
    const { row } = await received(given)
    expect(`${row.verdict} ${row.verdictReason}`, JSON.stringify(row.authentication)).toBe(verdict)
  })
})

test('each reason has a mail that produces it', () => {
  const produced = new Set(Object.values(table).flatMap(rows => rows.map(([, , verdict]) => verdict.split(' ')[1])))
  // Before the check is done there is no result.
  expect([...produced, 'unchecked'].toSorted()).toEqual(messageSummarySchema.shape.verdictReason.options.toSorted())
})

test.each([
  ['v=DMARC1; p=none', 'unknown', true],
  [REJECT, 'contradicted', false],
] as const)('every door says the same of a sender with %s, and offers its link or not', async (record, verdict, isOffered) => {
  const text = 'Confirm your address: https://shop.test/confirm?t=1'
  const { row, token } = await received({ ...withPolicy(record), subject: 'Confirm your address', text })
  const read = async (path: string) => messageSchema.parse(await (await fetch(server.url(path), { headers: bearer(token) })).json())
  const stopped = new AbortController()
  const stream = await fetch(server.url(routes.events), { headers: { ...bearer(token), 'last-event-id': '0' }, signal: stopped.signal })
  const events = readEventStream(stream.body ?? new ReadableStream(), () => undefined)
  const event = streamEventSchema.parse(JSON.parse((await events.next()).value?.data ?? '{}'))
  stopped.abort()
  const streamed = event.type === 'message' ? event.message : undefined
  for (const message of [row, streamed, await read(routes.message.replace(':id', row.id)), await read(routes.wait)])
    expect([message?.verdict, message?.link !== undefined]).toEqual([verdict, isOffered])
})

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { senderVerdict, siteClaim } from '../authentication/sender-verdict.ts'
import { importSealingKey, sealAuthentication, sealMessage } from '../keys/seal.ts'
import { createToken, deriveMailboxKeys, deriveMailboxPrivateKey } from '../keys/token.ts'
import { createMailTasks } from '../threads/mail-tasks.ts'
import { decodeAuthentication, decodeSummary, encodeAuthentication, encodeSummary, type StoredSummary } from './stored-summary.ts'

const whole: StoredSummary = {
  subject: 'Hello',
  from: { name: 'Ada', address: 'ada@example.com' },
  envelopeTo: ['box+tag@mayfly.test'],
  preview: 'How are you?',
  size: 120,
  attachments: [
    { index: 0, filename: 'a.png', size: 3, contentType: 'image/png', inline: true, contentId: 'a@x' },
    { index: 1, filename: 'b.txt', size: 4, contentType: 'text/plain', inline: false },
  ],
  attachmentCount: 2,
  codes: ['123456'],
  parseStatus: 'ok',
  envelopeFrom: 'bounce@example.com',
}
const empty: StoredSummary = {
  subject: '',
  from: { name: '', address: '' },
  envelopeTo: [],
  preview: '',
  size: 0,
  attachments: [],
  attachmentCount: 0,
  codes: [],
  parseStatus: 'partial',
  envelopeFrom: '',
}
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

test('a row is read as it was written, with its version', () => {
  const written = encodeSummary(whole)
  expect(JSON.parse(written.toString())).toMatchObject({ version: 1 })
  expect(decodeSummary(written)).toEqual(whole)
})

test('a row keeps its link, but only if it is a web address', () => {
  const link = { url: 'https://a.example/confirm', label: 'Confirm' }
  expect(decodeSummary(encodeSummary({ ...whole, link }))).toEqual({ ...whole, link })
  for (const bad of [{ url: 'javascript:alert(1)', label: 'Confirm' }, { url: link.url }, 'https://a.example']) {
    expect(decodeSummary(bytes({ ...whole, link: bad }))).toEqual(whole)
  }
})

test('a row of a newer version is listed with the known fields', () => {
  const newer = { ...whole, version: 2, priority: 'high', codes: [{ code: '123456' }], from: [whole.from], parseStatus: 'deferred' }
  expect(decodeSummary(bytes(newer))).toEqual({ ...whole, codes: [], from: { name: '', address: '' }, parseStatus: 'partial' })
})

test('a row that lacks a field is listed with the others', () => {
  for (const field of Object.keys(whole) as (keyof StoredSummary)[]) {
    const { [field]: _, ...rest } = whole
    const value = field === 'attachmentCount' ? whole.attachments.length : empty[field]
    expect(decodeSummary(bytes(rest))).toEqual({ ...whole, [field]: value })
  }
})

test('a row of an older version lists its first attachments and counts all', () => {
  const attachments = Array.from({ length: 999 }, (_, index) => ({ ...whole.attachments[1], index }))
  const { attachmentCount: _, ...older } = { ...whole, attachments }
  expect(decodeSummary(bytes(older))).toEqual({ ...whole, attachments: attachments.slice(0, 20), attachmentCount: 999 })
})

test('an unreadable row is listed empty', () => {
  for (const unreadable of [Buffer.from([0xff, 1, 2]), Buffer.alloc(0), bytes(null), bytes('text'), bytes([])]) {
    expect(decodeSummary(unreadable)).toEqual(empty)
  }
})

test('incomplete authentication results are ignored', () => {
  const results = { spf: 'pass', dkim: 'fail', dmarc: 'none', arc: 'temperror' } as const
  expect(decodeAuthentication(encodeAuthentication(results))).toEqual(results)
  expect(decodeAuthentication(encodeAuthentication({ ...results, domain: 'example.com' }))).toEqual({ ...results, domain: 'example.com' })
  const judged = { ...results, domain: 'example.com', domainBy: 'spf', policy: 'reject' } as const
  expect(decodeAuthentication(encodeAuthentication(judged))).toEqual(judged)
  expect(decodeAuthentication(bytes({ ...results, spf: 'maybe' }))).toBeUndefined()
  expect(decodeAuthentication(bytes({ spf: 'pass' }))).toBeUndefined()
})

test('results of a build that did not note the policy contradict nobody, and say who signed', () => {
  const from = { name: 'Shop', address: 'news@shop.example' }
  const verdictOn = (fields: object) => {
    const results = decodeAuthentication(bytes({ spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none', ...fields }))
    return senderVerdict(from, results).verdictReason
  }
  expect(verdictOn({ dmarc: 'fail' })).toBe('unverified')
  expect(verdictOn({ dkim: 'pass', dmarc: 'pass', domain: 'shop.example' })).toBe('signed')
  expect(verdictOn({ spf: 'pass', dmarc: 'pass', domain: 'shop.example' })).toBe('server')
})

test('a check that was too slow, too busy or broken leaves the sender unverified, and one that is off unchecked', () => {
  const from = { name: 'Shop', address: 'news@shop.example' }
  const none = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' } as const
  expect(senderVerdict(from, none)).toEqual({ verdict: 'unknown', verdictReason: 'unverified' })
  expect(senderVerdict(from, undefined)).toEqual({ verdict: 'unknown', verdictReason: 'unchecked' })
})

test.each([
  ['address', 'pass', 'signed'],
  ['address', 'none', 'imitation'],
  ['address', undefined, 'unchecked'],
  ['name', 'pass', 'imitation'],
  ['of another version', 'pass', 'signed'],
])('a sender who says by %s that they are this site, with DMARC %s: %s', (siteClaim, dmarc, reason) => {
  const { from, siteClaim: claim } = decodeSummary(bytes({ ...whole, siteClaim }))
  const results = decodeAuthentication(bytes({ spf: 'none', dkim: 'pass', dmarc, arc: 'none', domain: 'example.com' }))
  // Without one of them, no results can be read: the checks are not done.
  expect(senderVerdict(from, results, claim).verdictReason).toBe(reason)
})

test.each([
  ['Max Mustermann', 'Max Mustermann', undefined],
  ['Max Mustermann', 'Max Mustermann Support', 'name'],
  ['Dr. Ana de la Cruz', 'Dr. Ana de la Cruz', undefined],
  ['Mustermann GmbH', 'Mustermann GmbH', 'name'],
  ['Verein Muster e.V.', 'Verein Muster e.V.', 'name'],
  ['Muster', 'Muster', 'name'],
  ['', 'Support', undefined],
  ['', 'Administrator', undefined],
  ['', 'Mayfly Administrator', 'name'],
  ['', 'Postmaster Mayfly', 'name'],
  ['', 'The Mayfly Operator', 'name'],
  ['', 'Mayfly Account Security Notice', 'name'],
  ['', 'Operador de Mayfly', 'name'],
  ['Ada Smith', 'Ada Smith (office)', undefined],
  ['Mail', 'Mail Administrator', 'name'],
  ['Mail', 'Webmail', undefined],
  ['', 'Mayfly Books', undefined],
  ['', 'Mayfly Office Plants', undefined],
])('a site of the operator "%s", and a sender "%s" of another domain: %s', (operator, name, claim) => {
  const site = { name: 'Mayfly', operator, hosts: ['box.co', 't.co', 'mail.co'], isChecking: true }
  expect(siteClaim({ name, address: 'x@home.example' }, site)).toBe(claim)
})

test.each([
  ['Dropbox.com', 'no-reply@dropbox.com', undefined],
  ['reddit.com', 'noreply@reddit.com', undefined],
  ['Ann', 'ann@mail.co.uk', undefined],
  ['mail.co.uk', 'ann@home.example', undefined],
  ['Ann', 'ann@hotmail.co', undefined],
  ['box.co', 'x@evil.example', 'name'],
  ['Ann', 'ann@mail.co.evil.example', 'name'],
  ['Ann', 'ann@mail.co.uk.evil.example', 'name'],
  ['Ann', 'ann@mail.box.co', 'address'],
  ['account-security@box.co via Mayfly', 'x@evil.example', 'name'],
  ['Ann via Mayfly', 'x@evil.example', 'name'],
  ['ann4711@box.co via Team', 'team@lists.example', undefined],
])('a site of short domains, and %s <%s>: %s', (name, address, claim) => {
  const site = { name: 'Mayfly', operator: '', hosts: ['box.co', 't.co', 'mail.co'], isChecking: true }
  expect(siteClaim({ name, address }, site)).toBe(claim)
})

test('the inbox lists rows of every version together', () => {
  const mailboxId = randomBytes(16).toString('base64url') as MailboxId
  const token = createToken(mailboxId)
  const keys = deriveMailboxKeys(token)
  const sealingKey = importSealingKey(keys.publicKey)
  const written = [encodeSummary(whole), bytes({ version: 9, subject: 'From the future', from: 'ada@example.com' })]
  const rows = written.map(() => ({ messageId: randomBytes(16).toString('base64url') as MessageId, arrivalCursor: 1, receivedAt: 0 }))
  const sealed = rows.map(({ messageId }, i) => {
    const [summary] = sealMessage(sealingKey, { mailboxId, messageId }, written[i] ?? Buffer.alloc(0), Buffer.from('raw'))
    const sealedAuthentication = Buffer.concat(sealAuthentication(sealingKey, { mailboxId, messageId }, bytes({ trust: 0.5 })))
    return { sealedSummary: Buffer.concat(summary), sealedAuthentication }
  })
  const owner = { mailboxId, privateKey: deriveMailboxPrivateKey(token) }
  const { value } = createMailTasks(randomBytes(32)).summaries({ owner, rows }, sealed)
  expect(value.map(({ subject, size, authentication }) => ({ subject, size, authentication }))).toEqual([
    { subject: 'Hello', size: 120, authentication: undefined },
    { subject: 'From the future', size: 0, authentication: undefined },
  ])
})

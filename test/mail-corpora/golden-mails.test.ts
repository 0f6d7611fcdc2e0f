/**
 * Mails of which every value is known, through SMTP, store and API: one that real libraries wrote (lab/library-mails/), and some that were
 * once read wrongly.
 */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { libraryMail } from '../harness/library-mail.ts'
import { runCorpus } from './corpus.ts'

const FOLDER = resolve(import.meta.dirname, '../fixtures/mail')
const outcomes = new Map<string, Awaited<ReturnType<typeof runCorpus>>[number]>()
beforeAll(async () => {
  for (const outcome of await runCorpus(FOLDER)) outcomes.set(outcome.file, outcome)
})

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const PDF = 'Preisliste für Ana.pdf'
const pdf = { filename: PDF, contentType: 'application/pdf', sha256: sha256(libraryMail[PDF]) }
const logo = { filename: 'logo.png', contentType: 'image/png', sha256: sha256(libraryMail['logo.png']) }
const invite = { filename: 'invite.ics', contentType: 'text/calendar' }

/**
 * The attachments of each mail, and the rules that it breaks. The picture, which its HTML shows, is called `cid:` and this, or as the mail
 * says.
 */
const LIBRARIES: Record<string, { files: object[]; faults?: string[]; cid?: string }> = {
  'angus-mail-2.0.5': { files: [logo, invite, { ...pdf, contentType: 'application/octet-stream' }] },
  'emailjs-5.0.3': { faults: ['bare_line_feed'], files: [logo, pdf] },
  'go-mail-0.7.2': { files: [logo, pdf] },
  'gomail-2.0.0': { faults: ['message_id_missing', 'raw_8bit_header', 'raw_8bit_header'], files: [invite, logo, pdf], cid: 'logo.png' },
  'jordan-wright-email-4.0.1': { faults: ['raw_8bit_header', 'raw_8bit_header'], files: [logo, pdf] },
  'lettre-0.11.23': { faults: ['message_id_missing'], files: [logo, invite, pdf] },
  'mail-builder-0.4.4': { files: [{ ...logo, filename: 'attachment-1.png' }, invite, pdf] },
  'mime-lite-3.033': { faults: ['bare_line_feed', 'message_id_missing'], files: [logo, pdf] },
  'nodemailer-10.6.0': { faults: ['bare_line_feed'], files: [logo, pdf, { ...invite, contentType: 'application/ics' }] },
  'phpmailer-6.6.3': { files: [logo, pdf] },
  'python-email-3.11.7': { faults: ['date_missing', 'message_id_missing'], files: [logo, invite, pdf] },
  'ruby-mail-2.7.1': { faults: ['bare_line_feed'], files: [logo, pdf] },
  'simple-java-mail-8.12.6': {
    faults: ['raw_8bit_header'],
    files: [invite, { ...logo, filename: 'logo@shop.example.png' }, { ...pdf, contentType: 'application/octet-stream' }],
  },
  'symfony-mime-5.4.53': { files: [logo, pdf], cid: 'c17f5bee3b6add472cbce55b973e04a9@symfony' },
}

test.each(Object.entries(LIBRARIES))('the mail of %s', (name, { files, faults = [], cid = 'logo@shop.example' }) => {
  const { message, attachments } = outcomes.get(`libraries/${name}.eml`) ?? {}
  expect(message).toMatchObject({
    subject: libraryMail.subject,
    from: { name: libraryMail['from-name'], address: 'ana@shop.example' },
    to: [{ name: '', address: 'name@mayfly.test' }],
    codes: ['481516'],
    preview: 'Hello Ana – your code is 481516. Confirm',
    allLinks: [{ url: 'https://shop.example/confirm?t=7f3a&l=en', text: 'Confirm' }],
    parseStatus: 'ok',
    warnings: faults.map(kind => ({ kind })),
  })
  expect(message?.text?.trimEnd()).toBe(libraryMail.text.trimEnd())
  expect(message?.html?.trimEnd()).toBe(libraryMail.html.trimEnd().replace('logo@shop.example', cid))
  expect(attachments).toMatchObject(files)
  expect(message?.attachments.filter(({ inline }) => inline)).toMatchObject([
    { size: libraryMail['logo.png'].length, references: [`cid:${cid}`] },
  ])
})

test('every mail of a library is tested', () => {
  const files = [...outcomes.keys()].filter(file => file.startsWith('libraries/'))
  expect(files).toEqual(Object.keys(LIBRARIES).map(name => `libraries/${name}.eml`))
})

const FORWARDED = '\n----------\nFrom: s@example.net\nSubject: Your login code\n\nYour login code: 118204'

test.each([
  ['code-in-forwarded', { codes: ['118204'], preview: 'Your login code: 118204', text: FORWARDED }],
  ['encoded-local-part', { from: { name: '', address: 'žofia@example.org' } }],
  ['percent-in-content-id', { attachments: [{ filename: 'logo.png', inline: true, references: ['cid:my%20logo@example.org'] }] }],
  ['picture-as-attachment', { attachments: [{ filename: 'logo.png', inline: true, references: ['cid:logo@example.org'] }] }],
])('%s', (name, expected) => {
  expect(outcomes.get(`shown/${name}.eml`)?.message).toMatchObject(expected)
})

test('text and HTML of every mail have LF as their only line end', () => {
  expect([...outcomes.values()].filter(({ message }) => /\r/.test(`${message?.text}${message?.html}`)).map(({ file }) => file)).toEqual([])
})

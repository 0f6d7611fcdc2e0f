/** The contact form over real HTTP: what it accepts, where messages go, and how it resists abuse. */
import { describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const site = await untilEnd(startTestServer({ env: { CONTACT_TO: 'operator@example.com', PUBLIC_URL: 'https://mayfly.example' } }))

const FORM = { name: 'Ada L.', email: 'ada@example.com', subject: 'A question', message: 'How does it work?' }
const write = (form: Record<string, unknown> = {}) => site.visitor().post(routes.contact, { ...FORM, ...form })
const stored = () => site.withDatabase(({ db }) => db.selectFrom('contact_messages').selectAll().orderBy('id').execute())

test('a message is stored trimmed, and forwarded only to the operator, who can reply', async () => {
  const answer = await write({ name: '  Íñigo  ', subject: 'Árbol 東京 😀', message: '  line one\n\tline two  ', language: 'es' })
  expect([answer.status, answer.text]).toEqual([202, ''])
  expect((await stored()).at(-1)).toMatchObject({
    name: 'Íñigo',
    email: 'ada@example.com',
    subject: 'Árbol 東京 😀',
    message: 'line one\n\tline two',
    language: 'es',
    received_at: site.now(),
    read_at: null,
  })
  const mail = await site.recorder.next('operator@example.com')
  expect(mail).toMatchObject({ recipients: ['operator@example.com'], from: 'no-reply@mayfly.test', replyTo: 'ada@example.com' })
  expect(mail.subject).toBe('[Mayfly] Contact form: Árbol 東京 😀')
  expect(mail.text).toContain('line one\n\tline two')
  const forwarded = async () => (await stored()).at(-1)?.forwarded_at
  await expect.poll(forwarded, { timeout: 30_000 }).toBe(site.now())
})

describe('the fields of the form', () => {
  test.each([
    ['name', 'a', 'nameShort'],
    ['name', '  a  ', 'nameShort'],
    ['name', 'a'.repeat(101), 'nameLong'],
    ['email', 'no address', 'emailInvalid'],
    ['email', `${'a'.repeat(250)}@b.test`, 'emailLong'],
    ['subject', '1234', 'subjectShort'],
    ['subject', 'a'.repeat(201), 'subjectLong'],
    ['message', '123456789', 'messageShort'],
    ['message', 'a'.repeat(1001), 'messageLong'],
  ])('the field %s with %j is refused by its name', async (field, value, rule) => {
    const before = (await stored()).length
    const answer = await write({ [field]: value })
    expect(answer.status).toBe(400)
    const { errors } = JSON.parse(answer.text)
    expect(errors).toContainEqual({ path: field, message: rule })
    expect(await stored()).toHaveLength(before)
  })

  test.each([
    { name: 'ab', subject: '12345', message: '1234567890' },
    {
      name: 'a'.repeat(100),
      subject: 'a'.repeat(200),
      message: 'ñ'.repeat(1000),
      email: `${'a'.repeat(64)}@${'b'.repeat(60)}.example.com`,
    },
  ])('values at the limits are accepted', async form => {
    expect((await write(form)).status).toBe(202)
  })
})

test('unknown fields are refused', async () => {
  const before = (await stored()).length
  const wrong = [
    { to: 'victim@example.com' },
    { attachments: [{ path: '/etc/passwd' }] },
    { html: '<b>x</b>' },
    { name: { path: '/etc/passwd' } },
    { email: ['a@b.test', 'c@d.test'] },
    { subject: 12345 },
    { message: null },
    { language: 'xx' },
  ]
  for (const form of wrong) expect((await write(form)).code, JSON.stringify(form)).toBe('invalid_request')
  for (const name of Object.keys(FORM)) expect((await write({ [name]: undefined })).code, name).toBe('invalid_request')
  const typed = await site.visitor().ask('POST', routes.contact, { body: FORM, headers: { 'content-type': 'text/plain' } })
  expect(typed.code).toBe('unsupported_media_type')
  expect((await write({ message: 'a'.repeat(1_000_000) })).code).toBe('body_too_large')
  expect(await stored()).toHaveLength(before)
})

test('no field can start a header, name a second recipient or be read as a file', async () => {
  const before = (await stored()).length
  for (const [field, value] of [
    ['name', 'Ada\r\nBcc: v@x.test'],
    ['subject', 'A question\nBcc: v@x.test'],
    ['subject', 'A question\u2028Bcc: v@x.test'],
    ['subject', 'A \u202enoitseuq'],
    ['name', 'Ada \u2067'],
    ['email', 'a@x.test\r\nBcc: v@x.test'],
    ['email', 'a@x.test,v2@x.test'],
    ['email', '"a@x.test" <v@x.test>'],
    ['message', 'a bell \u0007 in the text'],
  ] as const) {
    expect((await write({ [field]: value })).code, JSON.stringify(value)).toBe('invalid_request')
  }
  expect(await stored()).toHaveLength(before)
  const strange = { name: '{"path":"/etc/passwd"}', subject: '%0d%0aBcc: v2@x.test', message: 'file:///etc/passwd http://127.0.0.1/' }
  expect((await write(strange)).status).toBe(202)
  for (;;) {
    const mail = await site.recorder.next('operator@example.com')
    expect(mail.recipients).toEqual(['operator@example.com'])
    if (mail.subject !== '[Mayfly] Contact form: %0d%0aBcc: v2@x.test') continue
    expect(mail.raw.toString()).not.toMatch(/^Bcc:/im)
    expect(mail.text).not.toContain('root:')
    break
  }
})

test('a network can send ten messages in a minute, and each needs a solved check', async () => {
  await using strict = await startTestServer({ env: { NETWORK_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1', BOT_CHECK: 'off' } })
  const ask = (from: string) => strict.visitor({ 'x-forwarded-for': from }).post(routes.contact, FORM)
  const answers = []
  for (let time = 0; time < 11; time++) answers.push(await ask('192.0.2.1'))
  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(202), 429])
  expect(answers.at(-1)?.headers.get('retry-after')).toBe('60')
  expect((await ask('192.0.2.2')).status).toBe(202)
  strict.advance(60_000)
  expect((await ask('192.0.2.1')).status).toBe(202)

  await using checked = await startTestServer({ env: { BOT_CHECK: 'pow' } })
  for (const botCheck of [undefined, 'made up']) {
    expect((await checked.visitor().post(routes.contact, { ...FORM, botCheck })).code).toBe('bot_check_failed')
  }
})

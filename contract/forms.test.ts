/** The rules and messages of the forms, to the letter. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { auth as authTexts } from '#web/texts/en/account.ts'
import { contact as contactTexts } from '#web/texts/en/site.ts'
import { credentialErrors, credentialsSchema } from './account.ts'
import { abuseReportSchema, contactErrorKeys, contactFormSchema, contactRequestSchema } from './site.ts'

const form = { name: 'Ada', email: 'ada@example.com', subject: 'A question', message: 'Is this long enough?' }

/** The message a field shows for a value: the first complaint, by its key. */
function contactMessage(field: keyof typeof form, value: string): string | undefined {
  const { error } = z.safeParse(contactFormSchema, { ...form, [field]: value })
  const key = error?.issues.find(issue => issue.path[0] === field)?.message
  return Object.entries(contactTexts.errors).find(([known]) => known === key)?.[1]
}

const emailOfLength = (chars: number) => `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(chars - 186)}.de`

test.each([
  ['name', 'A', 'Name must be at least 2 characters'],
  ['name', ' A ', 'Name must be at least 2 characters'],
  ['name', '', 'Name must be at least 2 characters'],
  ['name', 'Al', undefined],
  ['name', 'a'.repeat(100), undefined],
  ['name', 'a'.repeat(101), 'Name must be less than 100 characters'],
  ['email', '', 'Invalid email address'],
  ['email', 'ada@', 'Invalid email address'],
  ['email', ' ada@example.com ', undefined],
  ['email', `${'a'.repeat(64)}@example.com`, undefined],
  ['email', `${'a'.repeat(65)}@example.com`, 'Invalid email address'],
  ['email', emailOfLength(256), 'Email must be less than 255 characters'],
  ['subject', 'four', 'Subject must be at least 5 characters'],
  ['subject', 'fives', undefined],
  ['subject', 'a'.repeat(200), undefined],
  ['subject', 'a'.repeat(201), 'Subject must be less than 200 characters'],
  ['message', 'a'.repeat(9), 'Message must be at least 10 characters'],
  ['message', ` ${'a'.repeat(9)} `, 'Message must be at least 10 characters'],
  ['message', 'a'.repeat(10), undefined],
  ['message', 'a'.repeat(1000), undefined],
  ['message', 'a'.repeat(1001), 'Message must be less than 1000 characters'],
] as const)('contact %s %j: %s', (field, value, message) => {
  expect(contactMessage(field, value)).toBe(message)
})

test('values are trimmed, and only the four fields are accepted', () => {
  expect(z.parse(contactFormSchema, { ...form, name: '  Ada  ' }).name).toBe('Ada')
  expect(Object.keys(contactFormSchema.shape)).toEqual(['name', 'email', 'subject', 'message'])
})

test('requests have no control characters, and only texts have lines', () => {
  const report = { kind: 'spam', address: 'bad@mayfly.test', message: 'It is not wanted.' }
  for (const [schema, sound, lines] of [
    [contactRequestSchema, form, ['message']],
    [abuseReportSchema, report, ['message']],
  ] as const) {
    for (const field of Object.keys(sound).filter(name => name !== 'kind' && name !== 'email')) {
      const isTaken = (inside: string) => z.safeParse(schema, { ...sound, [field]: `long ${inside} enough` }).success
      expect(isTaken('é😀'), field).toBe(true)
      expect(isTaken('\t\r\n'), field).toBe(lines.some(name => name === field))
      for (const refused of ['\0', '\u0007', '\u000b', '\u007f', '\u0085']) expect(isTaken(refused), field).toBe(false)
    }
  }
})

test.each([
  ['not an address', 'longenough', ['Please enter a valid email address']],
  ['', '12345', ['Please enter a valid email address', 'Password must be at least 6 characters']],
  ['ada@example.com', '12345', ['Password must be at least 6 characters']],
  ['ada@example.com', '123456', []],
  [`${'a'.repeat(65)}@example.com`, '123456', ['Please enter a valid email address']],
] as const)('credentials %j %j: %j', (email, password, messages) => {
  const { error } = z.safeParse(credentialsSchema, { email, password })
  const keys = [...new Set(error?.issues.map(issue => issue.message))]
  expect(keys.map(key => Object.entries(credentialErrors).find(([known]) => known === key)?.[1])).toEqual(messages)
})

test('the page has a text for every error of the contract', () => {
  expect(Object.keys(contactTexts.errors)).toEqual([...contactErrorKeys])
  expect(authTexts).toMatchObject(credentialErrors)
  expect(authTexts.passwordHint).toBe('min. 6 characters')
})

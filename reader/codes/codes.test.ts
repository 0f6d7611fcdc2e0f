import { expect, test } from 'vitest'
import { BILL_EXAMPLES, EXAMPLES, PLAIN_EXAMPLES, TEMPTING_EXAMPLES } from '../../test/fixtures/codes/examples.ts'
import { summarise } from '../summary.ts'
import { findCodes } from './codes.ts'

test.each(EXAMPLES)('an example of a code or of none: $name', ({ subject, text, codes }) => {
  expect(findCodes({ subject, text })).toEqual(codes)
})

test('no number of a bill, a payment or a parcel is a code, however it is written', () => {
  expect(BILL_EXAMPLES.filter(example => findCodes(example).length > 0)).toEqual([])
})

test('no voucher, no sample in a warning and nothing that is shown to somebody is a code', () => {
  expect(TEMPTING_EXAMPLES.filter(example => findCodes(example).length > 0)).toEqual([])
})

test('a code that is named in plain words is found under every subject', () => {
  expect(PLAIN_EXAMPLES.filter(({ subject, text, codes }) => findCodes({ subject, text })[0] !== codes[0])).toEqual([])
})

test('nothing is found in empty mail', () => {
  expect(findCodes({})).toEqual([])
  expect(findCodes({ subject: '', text: '' })).toEqual([])
})

test.each([
  [
    'a name and a number that a wrapped line parts',
    '481516',
    'to finish your transfer of 1,290.00 EUR to Oak Lettings please enter the code\n481516. Tell it to nobody, we never ask for it.',
  ],
  ['groups of three, three and two digits', '30277158', 'Copy this number into the box "Confirmation number" on the page:\n\n302-771-58\n'],
  ['groups of two, three and one digit', '513072', 'Enter the code 51-307-2 on the page to confirm your address.'],
  ['a long phrase', 'maple-lantern-goose-river', 'Paste this sign-in code into the box:\n\nmaple-lantern-goose-river\n'],
  ['a word with a number', 'ember44', 'Your sign-in code: ember44'],
  ['three groups with dots', '294407', 'Your one-time code is 29.44.07. It can be used once.'],
  ['two groups with a dot', '771204', 'Your verification code:\n771.204\n\nIt expires in ten minutes.'],
  ['twice two digits', '8821', 'You asked for an access code:\n88-21\n\nPlease enter it within five minutes.'],
  ['letters and digits apart behind a colon', 'K47T92', 'Code: K 4 7 T 9 2\n\nEnter it to confirm your address.'],
])('%s is a code', (_, code, text) => {
  expect(findCodes({ subject: 'Your sign-in code', text })).toEqual([code])
})

test.each([
  ['an example in a warning', 'Crooks send messages like this: "Your code is 314159." It is made up. If anybody asks for one, hang up.'],
  ['a date', 'Enter the code that we texted you on 24-11-2026.'],
  ['a date with dots', 'Enter the code that we texted you on 24.11.26 at 14.30.'],
  ['a version', 'Enter your password to install version 10.24.16.'],
])('the number of %s is no code', (_, text) => {
  expect(findCodes({ subject: 'For you', text })).toEqual([])
})

test('a code in the subject of a forwarded mail is found, as its heading shows it', () => {
  const forwarded = [
    'From: a@tern.example',
    'Subject: 118204 is your sign-in code',
    '',
    'Type the number on the page. It expires in ten minutes.',
  ]
  const head = ['From: b@moss.example', 'Subject: Fwd: for you', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '']
  const parts = [
    '--b',
    '',
    'See below.',
    '--b',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    ...forwarded,
    '--b--',
    '',
  ]
  expect(summarise(Buffer.from([...head, ...parts].join('\r\n')), '').codes).toEqual(['118204'])
})

const MEGABYTE = 1_000_000
/** Each would keep a backtracking search busy for hours; here a mail costs milliseconds, and the test's own time limit is the proof. */
test.each([
  '1',
  '1 ',
  '1234; ',
  '1234\n',
  'code ',
  'code 1234 ',
  'código de ',
  'A1-',
  'is your ',
  '"',
  ':',
  'a.',
  'a@',
  'https://',
  'verification ',
  'code: "“«',
  '\n',
])('a megabyte of %j is searched in time', unit => {
  const text = unit.repeat(MEGABYTE / unit.length)
  expect(findCodes({ subject: text, text }).length).toBeLessThanOrEqual(3)
  expect(findCodes({ text: `Your code is ${text}` }).length).toBeLessThanOrEqual(3)
})

test('a thousand lines with a word in capitals each are searched in linear time', { timeout: 10_000 }, () => {
  const words = Array.from({ length: 1400 }, (_, at) =>
    [1, 26, 676, 17_576].map(unit => String.fromCharCode(65 + (Math.floor(at / unit) % 26))),
  )
  const text = words.map(word => word.join('')).join('\n')
  const found = Array.from({ length: 500 }, () => findCodes({ subject: 'Your code', text }).length)
  expect(new Set(found)).toEqual(new Set([0]))
})

test('a text of opened quotes around numbers is searched in linear time', { timeout: 10_000 }, () => {
  const text = `${'«a'.repeat(85)}” code 481516\n`.repeat(40)
  const found = Array.from({ length: 300 }, () => findCodes({ subject: 'Your code', text }).length)
  expect(new Set(found).size).toBe(1)
})

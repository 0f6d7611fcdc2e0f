import { expect, test } from 'vitest'
import { contactCsv } from './contact-csv.ts'

const message = {
  id: 1,
  name: 'Ada',
  email: 'ada@example.com',
  subject: 'Hello',
  message: 'Text',
  language: 'en',
  received_at: 0,
  read_at: null,
  forwarded_at: null,
}

test('the export is RFC 4180 with a byte order mark, doubled quotes, and line ends kept inside cells', () => {
  const csv = contactCsv([{ ...message, message: 'He said "hi",\nand left' }])
  expect(csv.split('\r\n')).toEqual([
    '\uFEFF"id","received","name","email","subject","message","language","read","forwarded"',
    '"1","1970-01-01T00:00:00.000Z","Ada","ada@example.com","Hello","He said ""hi"",\nand left","en","",""',
    '',
  ])
})

test.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '%=1', '|calc', '\t=1', '\r=1', '\n=1', '\tplain', '  =1', '"=1', '＝1'])(
  '%j does not become a formula in a spreadsheet',
  subject => {
    expect(contactCsv([{ ...message, subject }])).toContain(`"'${subject.replace(/([\t\r\n])(?==)/, "$1'").replaceAll('"', '""')}"`)
  },
)

test.each([
  ['a;=1', "a;'=1"],
  ['a; "=1', 'a; ""\'=1'],
  ['a\t\t=1', "a\t\t'=1"],
  ['a\n=1\n-2', "a\n'=1\n'-2"],
  ['a\t+1', "a\t'+1"],
  ['a\x1b]0;x\x07\x9b2J\0b', 'a\uFFFD]0;x\uFFFD\uFFFD2J\uFFFDb'],
  ['plain; text, = with - signs + in it', 'plain; text, = with - signs + in it'],
])('%j starts no formula and controls no terminal, even if the program splits cells at another separator', (text, expected) => {
  expect(contactCsv([{ ...message, message: text }])).toContain(`"${expected}"`)
})

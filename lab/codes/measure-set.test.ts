import { expect, test } from 'vitest'
import { parseLabelledMails } from './labelled-mails.ts'
import { measureSet } from './measure-set.ts'

test('in the labelled mails the search misses nine codes, and finds nothing wrong', () => {
  const misses = measureSet().flatMap(({ mail, misses: missed }) =>
    missed.map(miss => `${mail.language} ${mail.part}, ${mail.name}: ${miss}`),
  )
  expect(misses).toEqual([
    'de odd, Sicherheitscode mit Aktenzeichen: code 00482917, found none',
    'en odd, line for autofill: code 55190, found none',
    'en twelfth, saas login code: code lumvek, found none',
    'es held-out, h bare es 04: code 481516, found none',
    'fr languages, securite: code 3381, found none',
    'it twelfth, government form code: code 9B7D-E204, found none',
    'ja odd, 列見出しの下のコード: code 407581, found none',
    'nl seventh, Toegang tot het ouderportaal: code 715330, found none',
    'sv odd, bokstäver och siffror: code N7RX-20QT, found none',
  ])
})

const mail = ['===', 'part: odd', 'subject: Sign in', 'code: 481516', '--- text', 'Your code is 481\\u{ad}516.', ''].join('\n')

test('a file of labelled mails is read', () => {
  const named = mail.replace('===', '=== a link').replace('code: 481516', 'link: https://a.example/x?y=1')
  expect(parseLabelledMails(`${mail}\n${named}`, 'en.txt')).toEqual([
    { language: 'en', name: 'Sign in', part: 'odd', subject: 'Sign in', code: '481516', text: 'Your code is 481\u00ad516.' },
    {
      language: 'en',
      name: 'a link',
      part: 'odd',
      subject: 'Sign in',
      link: 'https://a.example/x?y=1',
      text: 'Your code is 481\u00ad516.',
    },
  ])
})

test.each([
  ['a field that is none', mail.replace('code:', 'cod:'), /^en\.txt:8: .*\n.*"cod"/s],
  ['no subject', mail.replace('subject: Sign in\n', ''), /^en\.txt:8: .*\n.*subject/s],
  ['an unknown part', mail.replace('odd', 'last'), /^en\.txt:8: .*\n.*third.*part/s],
  ['a link that is none', mail.replace('code: ', 'link: '), /^en\.txt:8: .*\n.*link/s],
])('%s is named with its file and line', (_, wrong, error) => {
  expect(() => parseLabelledMails(`${mail}\n${wrong}`, 'en.txt')).toThrow(error)
})

test('a file that begins with something else is refused', () => {
  expect(() => parseLabelledMails(`== ${mail}`, 'en.txt')).toThrow(/^en\.txt:1: /)
})

import { expect, test } from 'vitest'
import { parseLabelledMails } from './labelled-mails.ts'
import { measureSet } from './measure-set.ts'

test('in the labelled mails the search misses 26 codes and 12 links, and finds nothing wrong', () => {
  const misses = measureSet().flatMap(({ mail, misses: missed }) =>
    missed.map(miss => `${mail.language} ${mail.part}, ${mail.name}: ${miss}`),
  )
  expect(misses).toEqual([
    'cs sixteenth, code-verify 348: code smyčec-12, found none',
    'de odd, Sicherheitscode mit Aktenzeichen: code 00482917, found none',
    'de sixteenth, code-langer-brief 028: code W7QT55KB, found none',
    'de sixteenth, link-unsubscribe 049: link https://hofladen-huber.example/abm.php?e=k3&h=0b91fe77, found none',
    'de sixteenth, link-invite 355: link https://teamkalender.example/j/putzplan-wg?inv=55Kd0, found none',
    'en odd, code that looks like a year: code 2031, found none',
    'en odd, line for autofill: code 55190, found none',
    'en twelfth, saas login code: code lumvek, found none',
    'en fifteenth, Good evening: code 7741, found none',
    'en fifteenth, Lantern: code 4815, found none',
    'en sixteenth, link-confirm 333: link https://allotments.example.org/keep?plot=41&k=r8Vd2, found none',
    'en sixteenth, code-poem 351: code mint-447, found none',
    'en sixteenth, link-invite 395: link https://loaf.example/w/2040/claim/x8Jq, found none',
    'es held-out, h bare es 04: code 481516, found none',
    'es fifteenth, Transferencia pendiente de firma: code 77402, found none',
    'es sixteenth, code-pair 071: code QJ74WD, found none',
    'es sixteenth, code-verify 143: code tomate77, found none',
    'eu sixteenth, link-confirm 151: link https://mendigutuna.example.org/bai?k=7e1, found none',
    'fi fifth, Larkspur: code 77041, found none',
    'fr sixteenth, link-device 031: link https://coffrebleu.example/ap/ok/91d0-c, found none',
    'fr sixteenth, code-verify 291: code 27-LUNE-9, found none',
    'it twelfth, government form code: code 9B7D-E204, found none',
    'ja sixteenth, link-appointment 280: link https://yukemuri.example/y/20417/kakutei?h=3a, found none',
    'nb sixteenth, code-verify 040: code lusekofte, found none',
    'nl seventh, Toegang tot het ouderportaal: code 715330, found none',
    'nl sixteenth, code-verify 304: code PREI-6, found none',
    'nl sixteenth, link-appointment 342: link https://tandartskies.example/a/18/ja?p=0417, found none',
    'pl sixteenth, link-appointment 311: link https://rumianek.example/w/20417/t?h=1c, found none',
    'pl sixteenth, code-sign-document 353: code 7TQ0B4X9ZD, found none',
    'pt sixteenth, link-appointment 097: link https://clinicasorriso.example/ag/20417/s/k1, found none',
    'pt sixteenth, link-device 209: link https://bancomare.example/disp/aprovar?d=c0ffee12, found none',
    'ru sixteenth, code-signin 170: code XK3-77Q-TEN, found none',
    'sr sixteenth, link-invite 266: link https://planinari.example/poziv/tara?p=7b2, found none',
    'sv even, kortköp: code 03917744, found none',
    'sv odd, bokstäver och siffror: code N7RX-20QT, found none',
    'sv sixteenth, code-verify 179: code MÅS-31, found none',
    'tr sixteenth, code-verify 133: code KİTAP7, found none',
    'uk sixteenth, code-verify 272: code SOVA-4470, found none',
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

import { describe, expect, test } from 'vitest'
import { parseMessage } from '../mime/structure/parse.ts'
import { explainWarnings, findFaults } from './warnings.ts'

const HEAD = ['From: app@shop.test', 'Date: Sat, 28 Nov 2026 20:00:00 +0000', 'Message-ID: <1@shop.test>', 'MIME-Version: 1.0']
const TEXT = ['Content-Type: text/plain', '', 'Hello', '']
const faultsOf = (raw: string | Buffer) => {
  const bytes = typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw
  return findFaults(bytes, parseMessage(bytes))
}
const faults = (...lines: string[]) => faultsOf(lines.join('\r\n'))
const mixed = (...part: string[]) => [...HEAD, 'Content-Type: multipart/mixed; boundary=b', '', '--b', ...part, '', 'x', '--b--', '']

test('a mail that keeps the rules has no fault', () => {
  expect(faults(...HEAD, `Subject: =?utf-8?b?${Buffer.from('Grüße').toString('base64')}?=`, ...TEXT)).toEqual([])
  expect(faults(...mixed('Content-Type: application/pdf; name="a.pdf"', 'Content-Disposition: attachment; filename="a.pdf"'))).toEqual([])
})

describe('each fault has its kind', () => {
  const long = 'x'.repeat(999)
  test.each<[string, string[], string[]]>([
    ['a line that ends in LF alone', [...HEAD, 'Subject: a\nX-Other: b', ...TEXT], ['bare_line_feed: 1']],
    ['a CR within a line', [...HEAD, ...TEXT.slice(0, 2), 'one\rtwo', ''], ['bare_carriage_return: 1']],
    ['a header line of 999 octets', [...HEAD, `Subject: ${long}`, ...TEXT], ['header_line_too_long: Subject']],
    ['a folded one', [...HEAD, 'X-Long: a', ` ${long}`, ...TEXT], ['header_line_too_long: X-Long']],
    ['a line of the text of 999 octets', [...HEAD, ...TEXT.slice(0, 2), long, long, ''], ['line_too_long: 2']],
    ['a line of 998 octets', [...HEAD, ...TEXT.slice(0, 2), long.slice(1), ''], []],
    ['a header that is not ASCII', [...HEAD, 'Subject: Gr\xfc\xdfe', ...TEXT], ['raw_8bit_header: Subject']],
    ['an encoded word of 76 characters', [...HEAD, `Subject: =?utf-8?q?${'a'.repeat(64)}?=`, ...TEXT], ['encoded_word_too_long: Subject']],
    ['an encoded word of 75', [...HEAD, `Subject: =?utf-8?q?${'a'.repeat(63)}?=`, ...TEXT], []],
    [
      'a character in two encoded words',
      [...HEAD, 'Subject: =?UTF-8?Q?Gr=C3?= =?UTF-8?Q?=BC=C3=9Fe?=', ...TEXT],
      ['encoded_word_cut: Subject'],
    ],
    ['the same in base64', [...HEAD, 'Subject: =?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=', ...TEXT], ['encoded_word_cut: Subject']],
    ['a Bcc that all can read', [...HEAD, 'Bcc: secret@shop.test', ...TEXT], ['bcc_visible']],
    ['an empty Bcc, which names nobody', [...HEAD, 'Bcc: ', ...TEXT], []],
    ['no From, Date and Message-ID', ['MIME-Version: 1.0', ...TEXT], ['from_missing', 'date_missing', 'message_id_missing']],
    ['no MIME-Version beside Content-Type', [...HEAD.slice(0, 3), ...TEXT], ['mime_version_missing']],
    ['no MIME at all', [...HEAD.slice(0, 3), '', 'Hello', ''], []],
    ['two Subjects', [...HEAD, 'Subject: a', 'Subject: b', ...TEXT], ['duplicate_header: subject']],
    [
      'base64 on a multipart',
      [...HEAD, 'Content-Type: multipart/mixed; boundary=b', 'Content-Transfer-Encoding: base64', '', '--b', '', 'x', '--b--', ''],
      ['multipart_encoded: multipart/mixed'],
    ],
    ['a file name in Content-Type alone', mixed('Content-Type: application/pdf; name="a.pdf"'), ['filename_only_in_type: application/pdf']],
    [
      'a file name in Content-Disposition alone',
      mixed('Content-Type: application/pdf', "Content-Disposition: attachment; filename*=utf-8''a.pdf"),
      [],
    ],
    ['an attached mail that keeps no rule', mixed('Content-Type: message/rfc822', '', 'Bcc: old@shop.test', 'Subject: Gr\xfc\xdfe'), []],
  ])('%s', (_, lines, expected) => {
    expect(faults(...lines)).toEqual(expected)
  })
})

test('every kind that the parser or the faults name is explained by a rule and a remedy', () => {
  const words = ['unknown_charset: x-foo', 'bare_line_feed: 3', 'not_parsed', 'a_kind_of_a_later_version: x']
  expect(explainWarnings(words).map(({ kind, detail }) => [kind, detail])).toEqual([
    ['unknown_charset', 'x-foo'],
    ['bare_line_feed', '3'],
    ['not_parsed', ''],
  ])
  for (const { rule, remedy } of explainWarnings(words))
    expect([rule, remedy]).toEqual([expect.stringMatching(/^RFC/), expect.stringMatching(/\.$/)])
})

test('a mail of megabytes without a single CR, or of CRs alone, is searched in linear time', () => {
  for (const line of ['x\n', '\r', '\r\n', '=?utf-8?q?a?= ']) {
    const raw = Buffer.from(`Subject: ${line.repeat((8 * 1024 * 1024) / line.length)}`)
    expect(Array.isArray(faultsOf(raw))).toBe(true)
  }
}, 20_000)

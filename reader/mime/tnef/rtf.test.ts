import { expect, test } from 'vitest'
import { readRtf, unpackRtf } from './rtf.ts'

const rtf = (text: string) => readRtf(Buffer.from(text, 'latin1'))

test('[MS-OXRTFCP] section 4: packed bytes, and ones that refer to themselves', () => {
  const first = '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0'
  expect(unpackRtf(Buffer.from(first, 'hex')).toString('latin1')).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n')
  const second = '1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0'
  expect(unpackRtf(Buffer.from(second, 'hex')).toString('latin1')).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}')
})
test.each([
  [
    '{\\rtf1\\ansi\\ansicpg1252\\fromtext \\fbidi \\deff0{\\fonttbl\n{\\f0\\fswiss Arial;}}\\pard Your code is 660218.\\par\n\\par Bye}',
    'plain',
    'Your code is 660218.\n\nBye',
  ],
  [
    "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 M;}}{\\colortbl;\\red1;}\\f1 \\'cf\\'f0\\f0 \\'e9\\f2 \\'82\\'a0\\f0\\u8364?\\emdash{\\*\\generator x;}\\tab z}",
    'plain',
    'Прéあ€—\tz',
  ],
  [
    '{\\rtf1\\ansi{\\field{\\*\\fldinst{HYPERLINK "https://example.org/c?x=1"}}{\\fldrslt{\\ul Confirm}}} now}',
    'plain',
    'Confirm <https://example.org/c?x=1> now',
  ],
  [
    '{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}}{\\*\\htmltag19 <html>}{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 a < b{\\*\\htmltag84 &nbsp;}\\htmlrtf \\~\\htmlrtf0{\\*\\mhtmltag84 <img>}{\\*\\htmltag84 <a href="https://example.org/">}\\htmlrtf {\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt\\htmlrtf0 \\\'cf\\line here\\htmlrtf }}\\htmlrtf0 {\\*\\htmltag92 </a>}\\htmlrtf\\par}\\htmlrtf0}',
    'html',
    '<html><p>a &lt; b&nbsp;<a href="https://example.org/">П\nhere</a>',
  ],
  ["{\\rtf1\\ansicpg932 \\'82{}\\b\\'a0\\f1\\'82\\f0\\'a2}", 'plain', 'あ\ufffd｢'],
  ['{\\rtf1 a{\\pict\\bin5 }}}}}}b}', 'plain', 'ab'],
] as const)('%s', (text, type, words) => {
  expect(rtf(text)).toEqual({ type, text: words })
})

test('only so much is unpacked as a letter may have', () => {
  const endless = Buffer.alloc(16 + 3_000_000, 0)
  // After a literal, copies of it: nine bytes for each two.
  endless.writeUInt32LE(9 * 3_000_000, 4)
  endless.writeUInt32LE(0x75465a4c, 8)
  expect(unpackRtf(endless)).toHaveLength(1024 * 1024)
})

test.each([
  '{',
  '}',
  '\\',
  '{\\*',
  "\\'",
  '\\u9999999999',
  '\\bin9999999999 ',
  '{\\field{\\fldinst ',
  '{\\fonttbl\\f',
  '{\\field{\\fldinst HYPERLINK "https://e.example/"}{\\fldrslt x}}',
])('endless %j ends', unit => {
  expect(rtf(`{\\rtf1 ${unit.repeat(1_000_000 / unit.length)}`).type).toBe('plain')
})

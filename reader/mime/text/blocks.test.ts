import { expect, test } from 'vitest'
import { htmlToText } from '../../seen/html.ts'
import { readBody } from '../structure/body.ts'
import { parseMessage } from '../structure/parse.ts'
import { withPlainLineEnds } from './blocks.ts'

test.each([
  ['a\r\nb\nc', 'a\nb\nc'],
  ['a\rb\r', 'a\nb\n'],
  ['a\r\r\nb\r\r\r\nc', 'a\nb\nc'],
  ['a\r\rb\n\r', 'a\n\nb\n\n'],
])('%j is %j', (text, plain) => {
  expect(withPlainLineEnds(text)).toBe(plain)
})

test.each(['a', 'é', '€'])('so are short lines of %j', line => {
  expect(withPlainLineEnds(`${line}\r\n${line}\r\r\n\r${line}\n`.repeat(30_000))).toBe(`${line}\n${line}\n\n${line}\n`.repeat(30_000))
})

test('a run of line ends gives the same wherever the blocks are split', () => {
  for (const before of [65_533, 65_534, 65_535, 65_536]) {
    expect(withPlainLineEnds(`${'x'.repeat(before)}\r\r\r\ny`)).toBe(`${'x'.repeat(before)}\ny`)
    expect(withPlainLineEnds(`${'x'.repeat(before)}\r\r\ry`)).toBe(`${'x'.repeat(before)}\n\n\ny`)
  }
})

test('an entity is one character wherever the blocks are split', () => {
  for (let before = 65_520; before <= 65_536; before++) {
    const filler = 'x'.repeat(before)
    expect(htmlToText(`${filler}&hellip;&#x20AC;&amp;end`)).toBe(`${filler}…€&end`)
  }
})

test('four million CRs, quoted-printable or not, become as many lines without exhausting a thread', () => {
  const plain = readBody(...read(`Subject: x\r\n\r\n${'\r'.repeat(4_000_000)}x`))
  expect(plain.text?.length).toBe(4_000_001)
  const encoded = readBody(...read(`Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=0D'.repeat(1_000_000)}x`))
  expect(encoded.text).toBe(`${'\n'.repeat(1_000_000)}x`)
})

test('many long texts together are cut at the limit of one', () => {
  const parts = Array.from({ length: 6 }, () => `--b\r\n\r\n${'\r\n'.repeat(1_000_000)}\r\n`).join('')
  const body = readBody(
    ...read(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b\r\nContent-Type: text/html\r\n\r\n<p>end\r\n--b--\r\n`),
  )
  expect(body.warnings).toContain('text_truncated')
  expect(body.text?.length).toBeLessThan(4 * 1024 * 1024)
  expect(body.html?.length).toBeLessThan(5 * 4 * 1024 * 1024)
})

function read(raw: string): Parameters<typeof readBody> {
  const bytes = Buffer.from(raw, 'latin1')
  return [bytes, parseMessage(bytes)]
}

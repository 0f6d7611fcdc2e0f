import { describe, expect, test } from 'vitest'
import { bodyForms, cutPieces, firstPart, hasColumns, isEncrypted, splitText, type TextBlock } from './body-forms.ts'

const preview = 'the preview'

test('a body that contains a tag is HTML, whatever type the mail states', () => {
  expect(bodyForms({ html: '<p>a</p>', text: 'a', preview })).toEqual({ html: '<p>a</p>', text: 'a' })
  expect(bodyForms({ text: 'see <br> this', htmlText: 'see\nthis', preview })).toEqual({ html: 'see <br> this', text: 'see\nthis' })
  expect(bodyForms({ html: '<p hidden>a</p>', htmlText: '', preview })).toEqual({ html: '<p hidden>a</p>', text: '' })
})

test('plain text that holds a tag keeps its lines, unless it makes its own', () => {
  const text = 'One <b>lamp</b>\nis on its way.'
  expect(bodyForms({ text, preview }).html).toBe('One <b>lamp</b><br>\nis on its way.')
  for (const own of ['<p>One\nlamp</p>', 'One lamp<br>\nis on its way.', '<html>\n<b>One</b>\nlamp']) {
    expect(bodyForms({ text: own, preview }).html).toBe(own)
    expect(bodyForms({ html: text, text: own, preview }).html).toBe(text)
  }
})

test('a body without a tag is plain text that keeps its line breaks', () => {
  expect(bodyForms({ text: 'one\ntwo <ada@example.com>', preview })).toEqual({ text: 'one\ntwo <ada@example.com>' })
  expect(bodyForms({ html: 'one\n1 &lt; 2', htmlText: 'one\n1 < 2', preview })).toEqual({ text: 'one\n1 < 2' })
})

test('the preview is used when there is no body', () => {
  expect(bodyForms({ preview })).toEqual({ text: 'the preview' })
})

test.each([
  ['<p>Hello</p>', true],
  ['first line<br>second line', true],
  ['<A HREF="https://a.example">x</A>', true],
  ['Hello\nWorld', false],
  ['1 < 2 and 3 > 2', false],
  ['Ada <ada@example.com>', false],
  ['#include <stdio.h> vector<int>', false],
])('%s contains a tag: %s', (text, expected) => {
  expect('html' in bodyForms({ text, preview })).toBe(expected)
})

test.each([
  ['multipart/encrypted; protocol="application/pgp-encrypted"', true],
  ['application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m', true],
  ['application/x-pkcs7-mime; name=smime.p7m', true],
  ['application/pkcs7-mime; smime-type=signed-data', false],
  ['multipart/signed', false],
  ['text/plain', false],
])('a message of type %s is encrypted: %s', (value, isSo) => {
  expect(isEncrypted([{ name: 'Content-Type', value }])).toBe(isSo)
})

const FIRST_CHARS_MAX = 131_072

test('a mail of ordinary length is shown completely', () => {
  const html = `<p>${'x'.repeat(FIRST_CHARS_MAX)}</p>`
  expect(firstPart(html)).toBe(html)
})

test('a long mail is cut before a tag, never inside one', () => {
  const html = '<p title="a > b">word, word, word and word</p>'.repeat(40_000)
  const part = firstPart(html)
  expect(part.length).toBeLessThanOrEqual(FIRST_CHARS_MAX)
  expect(part.length).toBeGreaterThan(FIRST_CHARS_MAX - 100)
  expect(html.startsWith(part)).toBe(true)
  expect(html.slice(part.length)).toMatch(/^<\/?p/)
})

test('a long mail without tags is cut too', () => {
  expect(firstPart(`<p>${'x'.repeat(2_000_000)}`).length).toBe(FIRST_CHARS_MAX)
})

test('a mail of a great many elements is cut after some thousands of them, a long one of ordinary mail by its length', () => {
  const part = firstPart('<br>'.repeat(1_000_000))
  expect(part.length).toBeLessThan(FIRST_CHARS_MAX / 4)
  expect(part).toMatch(/^(?:<br>){2000,}$/)
  expect(firstPart('<br>'.repeat(5000))).toBe('<br>'.repeat(5000))
})

test('of tables in tables in tables, fewer are shown', () => {
  const nested = (levels: number) => `${'<table><tr><td>x '.repeat(levels)}${'words<br>'.repeat(400_000)}`
  const levels = (html: string) => firstPart(html).split('<table>').length - 1
  expect(levels(nested(12))).toBe(12)
  expect(levels(nested(400))).toBeLessThan(200)
  expect(firstPart('<table><tr><td>row</td></tr></table>'.repeat(100_000)).split('<table>').length).toBeGreaterThan(900)
})

test.each([
  ['a style sheet', `<style>${'p { color: red } '.repeat(10_000)}</STYLE>`],
  ['a comment', `<!-- ${'x <p> '.repeat(30_000)}-->`],
])('words behind %s of more than its length are in the beginning of a long mail', (_, head) => {
  expect(head.length).toBeGreaterThan(FIRST_CHARS_MAX)
  const part = firstPart(`${head}${'<p>words</p>'.repeat(400_000)}`)
  expect(part.slice(head.length)).toMatch(/^<p>words<\/p>/)
})

test('comments and style sheets without an end are cut like text', () => {
  for (const head of ['<!-- ', '<style>']) expect(firstPart(`${head}${'x '.repeat(2_000_000)}`).length).toBe(FIRST_CHARS_MAX)
})

test('of letters that take a browser long, fewer are shown', () => {
  for (const text of ['これは長い文章です。', 'هذا نص طويل ', 'यह एक लंबा पाठ है '])
    expect(firstPart(`<p>${text.repeat(200_000)}`).length).toBeLessThan(FIRST_CHARS_MAX / 4)
  expect(firstPart(`<p>${'Это длинный текст. '.repeat(200_000)}`).length).toBe(FIRST_CHARS_MAX)
})

describe('plain text', () => {
  test('keeps every line, in order, whatever ends it', () => {
    const text = 'one\r\ntwo\n\nthree\rfour\n'
    expect(splitText(text).flatMap(block => block.lines)).toEqual(['one', 'two', '', 'three', 'four', ''])
  })

  test('separates quotes and cuts long text into pieces, except quotes', () => {
    const own = Array.from({ length: 450 }, (_, i) => `line ${i}`)
    const quoted = Array.from({ length: 450 }, (_, i) => `> line ${i}`)
    const blocks = splitText([...own, ...quoted, 'end'].join('\n'))
    expect(blocks.map(block => [block.isQuote, block.lines.length, block.at])).toEqual([
      [false, 100, 0],
      [false, 100, 100],
      [false, 100, 200],
      [false, 100, 300],
      [false, 50, 400],
      [true, 450, 450],
      [false, 1, 900],
    ])
  })

  test('a long line is parted behind a blank, and its letters stay the same', () => {
    for (const unit of ['http://xn--pypal-4ve.a.a.a.a.a.a.a.a/ ', 'http://a.a/,', 'word ', '\u{1f600}', '(א[a']) {
      const line = unit.repeat(Math.ceil(60_000 / unit.length))
      const lines = splitText(line).flatMap(block => block.lines)
      expect(lines.join('')).toBe(line)
      expect(Math.max(...lines.map(part => part.length))).toBeLessThanOrEqual(4100)
      if (unit.endsWith(' ')) expect(lines.slice(0, -1).every(part => part.endsWith(' '))).toBe(true)
      expect(lines.every(part => part.isWellFormed())).toBe(true)
    }
    const paragraph = 'word '.repeat(1600)
    expect(splitText(paragraph).flatMap(block => block.lines)).toEqual([paragraph])
  })

  test('a piece of long lines has fewer, in a quote as well', () => {
    const line = 'http://a.example/ '.repeat(100)
    const [quote, ...own] = splitText(`${`> ${line}\n`.repeat(100)}${`${line}\n`.repeat(100)}`)
    expect(quote?.lines).toHaveLength(100)
    for (const pieces of [cutPieces(quote as TextBlock), own])
      expect(Math.max(...pieces.map(({ lines }) => lines.join('').length))).toBeLessThan(8000)
    expect(own[1]).toMatchObject({ at: 103, charsBefore: 100 * (line.length + 2) + 3 * line.length, linksBefore: 10_300 })
  })

  test('quotes that alternate with own lines are few blocks, and no line is lost', () => {
    for (const unit of ['x\n>\n', 'x\n> a\n> b\n> c\n', '> a\n\n']) {
      const text = unit.repeat(25_000)
      const blocks = splitText(text)
      expect(blocks.flatMap(({ lines }) => lines).join('\n')).toBe(text)
      expect(blocks.filter(({ isQuote }) => isQuote).length).toBeLessThanOrEqual(100)
      expect(blocks.length).toBeLessThan(201 + text.length / 200)
    }
  })

  test('words below each other are told from sentences', () => {
    expect(hasColumns('Host      Disk\n--------  ----\ndb-01     2 TB\ndb-02     1 TB')).toBe(true)
    expect(hasColumns('a\tb\nc\td\ne\tf')).toBe(true)
    expect(hasColumns('Dear Ada,\n\n    this is indented.   Twice.\n\n--\nGrace\n======\n> > quoted')).toBe(false)
    expect(hasColumns('a  b\n'.repeat(50))).toBe(false)
  })

  test('of 20,000 lines is cut in linear time', () => {
    expect(splitText('a line of a log\n'.repeat(20_000))).toHaveLength(201)
  })
})

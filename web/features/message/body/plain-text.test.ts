import { describe, expect, test } from 'vitest'
import { hasColumns, linkSpans, splitText } from './plain-text.ts'

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

  test('makes links of http, https and mailto only', () => {
    const linked = (text: string) => linkSpans(text).flatMap(span => span.href ?? [])
    expect(linked('See https://example.com/a?b=c. Write to me@example.com, or www.example.org!')).toEqual([
      'https://example.com/a?b=c',
      'mailto:me@example.com',
      'http://www.example.org',
    ])
    expect(linked('javascript:alert(1) ftp://a.example/x //evil.example/x data:text/html,x file:///etc/passwd')).toEqual([])
  })

  test('loses no character around links', () => {
    for (const text of ['', 'no link', '<https://a.example>', 'a@b.example', '> https://a.example https://b.example <']) {
      expect(
        linkSpans(text)
          .map(span => span.text)
          .join(''),
      ).toBe(text)
    }
  })

  test('words below each other are told from sentences', () => {
    expect(hasColumns('Host      Disk\n--------  ----\ndb-01     2 TB\ndb-02     1 TB')).toBe(true)
    expect(hasColumns('a\tb\nc\td\ne\tf')).toBe(true)
    expect(hasColumns('Dear Ada,\n\n    this is indented.   Twice.\n\n--\nGrace\n======\n> > quoted')).toBe(false)
    expect(hasColumns('a  b\n'.repeat(50))).toBe(false)
  })

  test('20,000 lines and one enormous line are cut in linear time', () => {
    expect(splitText('a line of a log\n'.repeat(20_000))).toHaveLength(201)
    expect(linkSpans('https://a.example/'.repeat(20_000))).toHaveLength(1)
  })

  test('only http, https and mailto become links, whatever surrounds them', () => {
    const hrefs = (text: string) => linkSpans(text).flatMap(({ href }) => href ?? [])
    // one value, which React sets as an attribute: its quotes end nothing
    expect(hrefs('http://x.test/?"onmouseover="alert(1)"')).toEqual(['http://x.test/?"onmouseover="alert(1)'])
    expect(hrefs('javascript:alert(1) data:text/html,x vbscript:x file:///etc/passwd ftp://x.test //x.test')).toEqual([])
    expect(hrefs('[1]: https://x.test <mailto:a@x.test>')).toEqual(['https://x.test', 'mailto:a@x.test'])
    // a megabyte without a space is not an ordinary line: it is shown but not searched
    expect(hrefs('mailto:'.repeat(150_000))).toEqual([])
    expect(
      linkSpans('www.'.repeat(20_000))
        .map(({ text }) => text)
        .join(''),
    ).toBe('www.'.repeat(20_000))
  })
})

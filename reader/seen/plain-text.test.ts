import { describe, expect, test } from 'vitest'
import { textLinks, textRuns } from './plain-text.ts'

const urls = (text: string) => textLinks(text).map(({ url }) => url)

describe('the links of a plain text', () => {
  test.each([
    ['*https://a.example/confirm?t=9f2c*', 'https://a.example/confirm?t=9f2c'],
    ['**https://a.example/x**, and', 'https://a.example/x'],
    ['_https://a.example/x_', 'https://a.example/x'],
    ['_Confirm: https://a.example/x_', 'https://a.example/x'],
    ['token https://a.example/x_ end', 'https://a.example/x_'],
    ['`https://a.example/x`', 'https://a.example/x'],
    ['|https://a.example/x|', 'https://a.example/x'],
    ...[...'」】》！；：…·؟।。、，）'].map(mark => [`https://a.example/x${mark}`, 'https://a.example/x']),
    ['https://a.example/aです。', 'https://a.example/a'],
    ['请点击https://a.example/a?t=1继续', 'https://a.example/a?t=1'],
    ['https://a.example/a입니다', 'https://a.example/a'],
    ['https://shop.exampleをご覧ください', 'https://shop.example'],
    ['https://例え.jp/a', 'https://例え.jp/a'],
    ['https://пример.рф/подтвердить', 'https://пример.рф/подтвердить'],
    ['https://user:pw@host.example/a', 'https://user:pw@host.example/a'],
    ['https://shop.example./confirm?x=1 now', 'https://shop.example./confirm?x=1'],
    ['Open https://shop.example. Next', 'https://shop.example'],
    ['https://a_b.example.org/x', 'https://a_b.example.org/x'],
    ['(https://a.example/x_(y))', 'https://a.example/x_(y)'],
    ['https://a.example/?u=https://b.example/y', 'https://a.example/?u=https://b.example/y'],
    ['http://127.0.0.1:8025/confirm/abc.', 'http://127.0.0.1:8025/confirm/abc'],
  ])('%s', (text, url) => {
    expect(urls(text)).toEqual([url])
  })

  test('have no line breaks and indents of their own within brackets', () => {
    const text = 'See <https://a.example/very/\r\n   long?x=1\r\n   &y=2>, or <URL:https://b.example/x> or\n<https://c.example/x and more>.'
    expect(urls(text)).toEqual(['https://a.example/very/long?x=1&y=2', 'https://b.example/x', 'https://c.example/x'])
    const [first] = textLinks(text)
    expect(text.slice(first?.start, first?.end)).toBe('https://a.example/very/\r\n   long?x=1\r\n   &y=2')
  })

  test('are parted where one follows another', () => {
    expect(urls('*https://a.example/x*,*https://b.example/y*')).toEqual(['https://a.example/x', 'https://b.example/y'])
    expect(urls('https://a.example/x,https://b.example/y')).toEqual(['https://a.example/x', 'https://b.example/y'])
  })

  test('are http, https and mailto only, whatever surrounds them', () => {
    expect(urls('See https://example.com/a?b=c. Write to me@example.com, or www.example.org!')).toEqual([
      'https://example.com/a?b=c',
      'mailto:me@example.com',
      'http://www.example.org',
    ])
    expect(urls('javascript:alert(1) data:text/html,x vbscript:x file:///etc/passwd ftp://x.test //x.test')).toEqual([])
    // One value, which the page sets as an attribute: its quotes end nothing.
    expect(urls('http://x.test/?"onmouseover="alert(1)"')).toEqual(['http://x.test/?"onmouseover="alert(1)'])
    expect(urls('[1]: https://x.test <mailto:a@x.test>')).toEqual(['https://x.test', 'mailto:a@x.test'])
    // A megabyte without a space is no line of a text.
    expect(urls('mailto:'.repeat(150_000))).toEqual([])
  })

  test.each(['', 'no link', '<https://a.example>', 'a@b.example', '> https://a.example https://b.example <', 'www.'.repeat(20_000)])(
    'and the text around them are all of %j',
    text => {
      expect(
        textRuns(text)
          .map(run => run.text)
          .join(''),
      ).toBe(text)
    },
  )

  test.each(['*https://a.example/*', 'https://a.example/で', '<https://a.example/\n', 'https://a.example/(', 'a@b.c,', 'www.'])(
    'takes linear time for many of %j',
    piece => {
      // A longer line is not searched.
      const line = piece.repeat(Math.floor(96_000 / piece.length))
      const text = `${line}\n`.repeat(4)
      // Each character is read a fixed number of times: a quadratic search takes minutes, which the test's own limit ends.
      expect(textLinks(text, 1000).length).toBeLessThanOrEqual(1000)
    },
  )
})

import { expect, test } from 'vitest'
import { linkSpans } from '#web/features/message/views/plain-text.ts'

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

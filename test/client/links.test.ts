/** Finding links in a mail, also in one that is made to be slow. */
import { expect, test } from 'vitest'
import { findCode, findLink, listLinks } from '../../client/links-and-codes.ts'

test('a hostile mail does not slow down the search for a link', () => {
  const startedMs = performance.now()
  const html = `${'<a '.repeat(200_000)}<a href="https://shop.test/confirm">`
  expect(findLink({ links: [], html }, 'shop.test')).toBe('https://shop.test/confirm')
  const text = `https://a.test/${'.'.repeat(200_000)}x https://shop.test/text?!`
  expect(findLink({ links: [], text }, 'shop.test')).toBe('https://shop.test/text')
  const unclosed = { codes: [], subject: '', html: `<img${' alt=""'.repeat(150_000)} <img alt="4711">` }
  expect(findCode(unclosed as unknown as Parameters<typeof findCode>[0], /\d+/)).toBe('4711')
  expect(performance.now() - startedMs).toBeLessThan(2000)
})

test('a link that stands in both parts is listed once, with the text of the HTML', () => {
  const html = '<a href="https://shop.test/b">Second</a> <a href="https://shop.test/a">First</a> <a href="https://shop.test/b">Again</a>'
  expect(listLinks({ html, text: 'https://shop.test/a or https://shop.test/c.' })).toEqual([
    { url: 'https://shop.test/b', text: 'Second' },
    { url: 'https://shop.test/a', text: 'First' },
    { url: 'https://shop.test/c', text: 'https://shop.test/c' },
  ])
})

/** Finding links in a mail that is made to be slow. */
import { expect, test } from 'vitest'
import { findLink } from '../../client/message.ts'

test('a hostile mail does not slow down the search for a link', () => {
  const startedMs = performance.now()
  const html = `${'<a '.repeat(200_000)}<a href="https://shop.test/confirm">`
  expect(findLink({ links: [], html }, 'shop.test')).toBe('https://shop.test/confirm')
  const text = `https://a.test/${'.'.repeat(200_000)}x https://shop.test/text?!`
  expect(findLink({ links: [], text }, 'shop.test')).toBe('https://shop.test/text')
  expect(performance.now() - startedMs).toBeLessThan(2000)
})

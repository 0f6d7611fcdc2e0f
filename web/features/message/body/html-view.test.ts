import { expect, test } from 'vitest'
import { FIRST_CHARS_MAX, firstPart } from './html-view.tsx'

test('a mail of ordinary length is shown completely', () => {
  const html = `<p>${'x'.repeat(FIRST_CHARS_MAX)}</p>`
  expect(firstPart(html)).toBe(html)
})

test('a long mail is cut before a tag, never inside one', () => {
  const html = '<p title="a > b">word</p>'.repeat(40_000)
  const part = firstPart(html)
  expect(part.length).toBeLessThanOrEqual(FIRST_CHARS_MAX)
  expect(part.length).toBeGreaterThan(FIRST_CHARS_MAX - 100)
  expect(html.startsWith(part)).toBe(true)
  expect(html.slice(part.length)).toMatch(/^<\/?p/)
})

test('a long mail without tags is cut too', () => {
  expect(firstPart(`<p>${'x'.repeat(2_000_000)}`).length).toBe(FIRST_CHARS_MAX)
})

/** Holds the table "Cases" of docs/mail-corpora.md to the code: a row for each of M01–M32, and every test it names exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linkSpans } from '#web/features/message/views/plain-text.ts'

const root = resolve(import.meta.dirname, '..')
const CASES = 32

type Row = { readonly id: string; readonly tests: readonly string[] }
const rows = readFileSync(join(root, 'docs/mail-corpora.md'), 'utf8')
  .split('\n')
  .flatMap((line): Row[] => {
    const [, id, tests] = /^\| (M\d\d) \| [^|]+ \| (.+) \|$/.exec(line) ?? []
    return id && tests ? [{ id, tests: tests.split(/; (?=`)/) }] : []
  })

describe('the cases of docs/mail-corpora.md', () => {
  test('are all there, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: CASES }, (_, index) => `M${String(index + 1).padStart(2, '0')}`))
  })

  test.each(rows)('$id has a test that bears its name, and names only tests that exist', ({ id, tests }) => {
    expect(tests.some(reference => titleOf(reference).startsWith(id))).toBe(true)
    expect(
      tests.filter(reference => !testExists(reference)),
      'write `path/to/file.test.ts` › how the title begins',
    ).toEqual([])
  })
})

function titleOf(reference: string): string {
  return reference.split(' › ')[1] ?? ''
}

function testExists(reference: string): boolean {
  const path = /^`([^`]+)`/.exec(reference)?.[1] ?? ''
  const title = titleOf(reference)
  if (title === '' || !existsSync(join(root, path))) return false
  const text = readFileSync(join(root, path), 'utf8')
  return ["'", '"', '`'].some(quote => text.includes(`${quote}${title}`))
}

test('M28: only http, https and mailto become links, whatever stands around them', () => {
  const hrefs = (text: string) => linkSpans(text).flatMap(({ href }) => href ?? [])
  // one value, which React sets as an attribute: its quotes end nothing
  expect(hrefs('http://x.test/?"onmouseover="alert(1)"')).toEqual(['http://x.test/?"onmouseover="alert(1)'])
  expect(hrefs('javascript:alert(1) data:text/html,x vbscript:x file:///etc/passwd ftp://x.test //x.test')).toEqual([])
  expect(hrefs('[1]: https://x.test <mailto:a@x.test>')).toEqual(['https://x.test', 'mailto:a@x.test'])
  // a megabyte without a space is no line of mail: it is shown, not searched
  expect(hrefs('mailto:'.repeat(150_000))).toEqual([])
  expect(
    linkSpans('www.'.repeat(20_000))
      .map(({ text }) => text)
      .join(''),
  ).toBe('www.'.repeat(20_000))
})

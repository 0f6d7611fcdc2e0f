/** Every requirement, and every case of hostile mail, has a test that names it in a `// covers` comment. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coveringTests } from './covering-tests.ts'
import { catalogs, renderPage } from './pages.ts'

const root = resolve(import.meta.dirname, '../..')
const tests = coveringTests(root)

describe.each(Object.entries(catalogs))('%s', (page, statements) => {
  test('each statement has a test, or a reason why there is none', () => {
    const unproved = statements.filter(({ id, note }) => note === undefined && !tests.has(id)).map(({ id }) => id)
    expect(unproved, 'write `// covers ID` above the test that proves it').toEqual([])
  })

  test('is generated from the comments above the tests', () => {
    expect(readFileSync(join(root, page), 'utf8') === renderPage(root, page), 'run: npm run requirements-pages').toBe(true)
  })
})

test('no comment names an unknown statement', () => {
  const known = new Set(Object.values(catalogs).flatMap(statements => statements.map(({ id }) => id)))
  expect([...tests.keys()].filter(id => !known.has(id))).toEqual([])
})

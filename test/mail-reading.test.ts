/** Holds docs/mail-reading.md to the code: every row of the attack list for HTML mail has tests, and they exist. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testExists } from './named-tests.ts'

const root = resolve(import.meta.dirname, '..')
const rows = readFileSync(join(root, 'docs/mail-reading.md'), 'utf8')
  .split('\n')
  .flatMap(line => {
    const [, id, proof] = /^\| (X\d\d) \| .* \| (.*) \|$/.exec(line) ?? []
    return id && proof ? [{ id, references: proof.split(/; (?=`)/) }] : []
  })

describe('docs/mail-reading.md', () => {
  test('has one row for each case', () => {
    expect(rows.map(row => row.id)).toEqual(Array.from({ length: 20 }, (_, i) => `X${String(i + 1).padStart(2, '0')}`))
  })

  test.each(rows)('$id names tests that exist, and one whose title begins with it', ({ id, references }) => {
    const broken = references.filter(reference => !testExists(root, reference))
    expect(broken, 'write `path/to/file.test.ts` › the title of a test in it; several are separated by "; "').toEqual([])
    expect(references.some(reference => reference.includes(`› ${id} `))).toBe(true)
  })
})

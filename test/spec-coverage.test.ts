/** Holds docs/spec-coverage.md to the code: every statement of the specification has a row, every row names tests that exist. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testExists } from './named-tests.ts'

const root = resolve(import.meta.dirname, '..')
/** How many statements each section of the specification has. */
const STATEMENTS = { 1: 16, 2: 40, 3: 16, 4: 23, 5: 23, 6: 4, 7: 16, 8: 15, 9: 17 }

type Row = { id: string; built: string; proof: string }
const rows = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .flatMap((line): Row[] => {
    const [, id, built, proof] = /^\| (\d\.\d\d) \| (.*) \| (.*) \|$/.exec(line) ?? []
    return id && built && proof ? [{ id, built, proof }] : []
  })

describe('docs/spec-coverage.md', () => {
  test('has one row for each statement', () => {
    const expected = Object.entries(STATEMENTS).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, i) => `${section}.${String(i + 1).padStart(2, '0')}`),
    )
    expect(rows.map(row => row.id)).toEqual(expected)
  })

  test.each(rows)('$id names tests that exist, or says why there is none', ({ proof }) => {
    if (/^(?:describes: \S|deviation: decision \d+, \S)/.test(proof)) return
    const broken = proof.split(/; (?=`)/).filter(reference => !testExists(root, reference))
    expect(broken, 'write `path/to/file.test.ts` › the title of a test in it; several are separated by "; "').toEqual([])
  })
})

import { expect, test } from 'vitest'
import { measureSet, sum } from './measure-set.ts'

const results = measureSet()
const rates = (what: 'codes' | 'links') => {
  const { found, right, expected, hit } = sum(results.map(result => result[what]))
  return { precision: right / found, recall: hit / expected }
}

test('the search for codes and links finds in the labelled set what it found when it was measured', () => {
  const [codes, links] = [rates('codes'), rates('links')]
  expect(codes.precision).toBe(1)
  expect(codes.recall).toBeGreaterThanOrEqual(0.99)
  expect(links.precision).toBe(1)
  expect(links.recall).toBe(1)
})

test('a mail has the same codes as text and as HTML', () => {
  expect(results.filter(({ isSame }) => !isSame).map(({ language, name }) => `${language} ${name}`)).toEqual([])
})

import { expect, test } from 'vitest'
import concepts from './concepts.json' with { type: 'json' }
import { type Concept, findConcepts } from './concepts.ts'

const found = (text: string) => findConcepts(text).map(({ concept, start, end }) => `${concept}: ${text.slice(start, end)}`)

test('words are found at the beginning of words, with and without accents, and as a part of long names', () => {
  expect(found('Bestatigungscode')).toEqual(['confirm: Bestatigung', 'code: code'])
  expect(found('BESTÄTIGUNG')).toEqual(['confirm: BESTÄTIGUNG'])
  expect(found('Your pin')).toContain('code: pin')
  expect(found('Your pint spins')).not.toContain('code: pin')
  expect(found('Bekräftelsekod, bekräftelsekoden')).toEqual(['confirm: Bekräft', 'code: kod', 'confirm: bekräft', 'code: koden'])
  expect(found('szkoda, przeszkody')).toEqual([])
  expect(found('您的验证码')).toContain('code: 验证码')
})

test('every stem of the lists is found in a text of its own', () => {
  const missed = Object.entries(concepts).flatMap(([concept, lines]) =>
    lines
      .join(' ')
      .split(' ')
      .filter(
        stem =>
          !findConcepts(
            stem
              .replace(/^\*?=?/, '')
              .replaceAll('_', ' ')
              .trim()
              .concat(' '),
          ).some(hit => hit.concept === (concept as Concept)),
      ),
  )
  expect(missed).toEqual([])
})

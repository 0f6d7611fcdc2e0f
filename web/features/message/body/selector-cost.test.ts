import { expect, test } from 'vitest'
import { matchCost } from './selector-cost.ts'

const shape = {
  elements: 102,
  depth: 3,
  siblings: 100,
  counts: new Map([['p', 100]]),
  longest: new Map(),
  classes: 0,
  chars: 100,
}

test.each(['before', 'after', 'first-letter', 'first-line'])('a ::%s costs more than a hundred classes', name => {
  const cost = matchCost(`p::${name}`, shape)
  expect(cost.boxes).toBe(100)
  expect(cost.steps).toBeGreaterThan(matchCost(`p${'.a'.repeat(100)}`, shape).steps)
  expect(matchCost(`p:${name}`, shape)).toEqual(cost)
  expect(matchCost(`p::${name.toUpperCase()}`, shape)).toEqual(cost)
})

test.each(['backdrop', 'file-selector-button'])('a ::%s that no mail can have takes no other part of its rule with it', name => {
  expect(matchCost(`*, ::${name}`, shape).steps).toBeLessThan(100)
})

test.each(['scroll-marker', 'scroll-marker-group', 'column', 'details-content', '-webkit-anything', 'target-text', 'highlight(a)'])(
  'no rule for ::%s is kept',
  name => {
    expect(matchCost(`p::${name}`, shape).steps).toBe(Number.POSITIVE_INFINITY)
  },
)

import { expect, test } from 'vitest'
import { checkAddress } from './chosen-names.ts'

const offered = { domains: ['mayfly.test', 'xn--mnchen-3ya.test'], operatorNames: new Set<string>() }

test.each([
  [undefined, 'mayfly.test'],
  ['Mayfly.TEST', 'mayfly.test'],
  ['MÜNCHEN.test', 'xn--mnchen-3ya.test'],
])('the domain %s is served as %s', (domain, served) => {
  expect(checkAddress({ domain, localPart: 'ada' }, offered)).toEqual({ domain: served, localPart: 'ada' })
})

test.each(['elsewhere.test', '', 'a b'])('the domain "%s" is not served', domain => {
  expect(() => checkAddress({ domain }, offered)).toThrow(expect.objectContaining({ code: 'domain_not_served' }))
})

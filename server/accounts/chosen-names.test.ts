import { expect, test } from 'vitest'
import { testDomains } from '#test/harness/mayfly/start-mail.ts'
import { checkAddress } from './chosen-names.ts'

const domains = testDomains('mayfly.test', 'xn--mnchen-3ya.test')

test.each([
  [undefined, 'mayfly.test'],
  ['Mayfly.TEST', 'mayfly.test'],
  ['MÜNCHEN.test', 'xn--mnchen-3ya.test'],
])('the domain %s is served as %s', (domain, served) => {
  expect(checkAddress({ domain, localPart: 'ada' }, domains)).toEqual({ domain: served, localPart: 'ada' })
})

test.each(['elsewhere.test', '', 'a b'])('the domain "%s" is not served', domain => {
  expect(() => checkAddress({ domain }, domains)).toThrow(expect.objectContaining({ code: 'domain_not_served' }))
})

import { expect, test } from 'vitest'
import { testDomains } from '#test/harness/mayfly/start-mail.ts'
import { checkAddress } from './chosen-names.ts'

const domains = testDomains('mayfly.test', 'xn--mnchen-3ya.test')
const offered = { domains: () => domains }

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

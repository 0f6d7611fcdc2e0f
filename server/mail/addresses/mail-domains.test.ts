import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressDomain, createMailDomains, initialDomains, type MailDomain } from './mail-domains.ts'

const own = { supportEmail: 'Help+web@box.example', mailFrom: 'no-reply@elsewhere.example', contactTo: undefined }
let now = 0
const domains = (...all: readonly MailDomain[]) => createMailDomains(all, own, () => now)
const [one, two, wild] = initialDomains(['one.example', 'two.example', '*.box.example'])
if (!one || !two || !wild) throw new Error('three names make three domains')

test('names of MAIL_DOMAINS are offered in their order, the first by default', () => {
  const served = domains(one, two, wild)
  expect(served.offered).toEqual(['one.example', 'two.example', 'box.example'])
  expect(served.main).toBe('one.example')
  expect(served.choose()).toBe(one)
  expect(served.choose('TWO.example')).toBe(two)
  expect([served.choose('box.example'), served.choose('*.BOX.example')]).toEqual([wild, wild])
  for (const other of ['three.example', '', 'a.two.example', 'a.box.example', '*.two.example', '*'])
    expect(() => served.choose(other), other).toThrow(expect.objectContaining({ code: 'domain_not_served' }))
})

test('instead of a refused domain the next one is chosen, round and round', () => {
  const served = domains(one, two, wild)
  expect(served.choose(undefined, 'one.example')).toBe(two)
  expect(served.choose(undefined, 'ONE.Example.')).toBe(two)
  expect(served.choose(undefined, 'maple-fox.box.example')).toBe(one)
  expect(served.choose(undefined, 'unknown.example'), 'one that is not ours').toBe(one)
  expect(served.choose('one.example', 'one.example'), 'a wish wins').toBe(one)
  expect(domains(one).choose(undefined, 'one.example'), 'there is no other').toBe(one)
})

test('a paused domain receives, a retired one until its date, and neither gives addresses', () => {
  const paused = { ...one, state: 'paused' } as const
  const retired = { ...two, state: 'retired', endsAt: 1000 } as const
  const served = domains(paused, retired, wild)
  expect(served.offered).toEqual(['box.example'])
  expect(served.main, 'addresses of the operator are at one that is offered').toBe('box.example')
  expect(() => served.choose('one.example')).toThrow()
  expect([served.receiving('one.example'), served.receiving('two.example')]).toEqual([paused, retired])
  now = 1000
  expect([served.receiving('one.example'), served.receiving('two.example')]).toEqual([paused, undefined])
  now = 0
})

test('mail is taken for a domain with subdomains itself and for one label below it', () => {
  const served = domains(one, wild)
  expect(served.receiving('box.example')).toBe(wild)
  expect(served.receiving('maple-fox.box.example')).toBe(wild)
  for (const other of ['a.b.box.example', 'xbox.example', 'a.one.example', 'example', '', '.', '.box.example.'])
    expect(served.receiving(other), other).toBeUndefined()
})

test('whatever label an address gets, mail for it is taken, and the label is two words', () => {
  const served = domains(wild)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), bytes => {
      const domain = addressDomain(wild, () => bytes)
      expect(domain).toMatch(/^[a-z]{3,5}-[a-z]{3,5}\.box\.example$/)
      expect(served.receiving(domain)).toBe(wild)
    }),
  )
  expect(addressDomain(one)).toBe('one.example')
})

test('the local parts of configured addresses at own domains belong to the service', () => {
  expect([...domains(one, wild).operatorNames]).toEqual(expect.arrayContaining(['postmaster', 'abuse', 'help']))
  expect(domains(one).operatorNames.has('help'), 'box.example is not ours then').toBe(false)
  expect(domains(one, wild).operatorNames.has('no-reply'), 'of a domain that is not ours').toBe(false)
})

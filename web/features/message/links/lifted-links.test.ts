import { expect, test } from 'vitest'
import { liftedLinks } from './lifted-links.ts'

const link = { url: 'https://shop.example/confirm?x=1', label: 'Confirm my address' }
const from = { name: 'Shop', address: 'hello@shop.example' }
const none = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' } as const

test('a confirmation link is shown above the mail', () => {
  expect(liftedLinks({ links: [link], from })).toEqual([link])
  expect(liftedLinks({ links: [link], from, authentication: none })).toEqual([link])
  expect(liftedLinks({ links: [link], from, authentication: { ...none, spf: 'fail', dkim: 'pass' } })).toEqual([link])
  expect(liftedLinks({ links: [link], from, authentication: { ...none, spf: 'softfail' } })).toEqual([link])
})

test('no confirmation link is shown after the checks of the sender failed', () => {
  expect(liftedLinks({ links: [link], from, authentication: { ...none, dmarc: 'fail', spf: 'pass' } })).toEqual([])
  expect(liftedLinks({ links: [link], from, authentication: { ...none, spf: 'fail' } })).toEqual([])
})

test('no confirmation link is shown if the sender or the link pretends to be somebody else', () => {
  expect(liftedLinks({ links: [link], from: { name: 'PayPal', address: 'x@shop.example' } })).toEqual([])
  expect(liftedLinks({ links: [{ ...link, label: 'bank.example.net' }], from })).toEqual([])
  expect(liftedLinks({ links: [{ ...link, url: 'https://bank.example@evil.example/confirm' }], from })).toEqual([])
})

import { expect, test } from 'vitest'
import { judgeLink } from '#contract/links.ts'
import { alarmOf, liftedLinks } from './trusted-links.ts'

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

const counter = (at: number) => `https://click.news.example/c?id=${at}`
const newsletter = Array.from({ length: 12 }, (_, at) => counter(at))

test.each([
  ['Walmart.com', false],
  ['https://www.shop.example/sale', false],
  ['paypal.com', true],
  ['https://www.paypal.com/signin', true],
])('%s over the counter of a newsletter: warned of %s', (text, isWarned) => {
  expect(alarmOf(newsletter, false)(judgeLink(counter(3), text))).toBe(isWarned)
})

test('a click counter excuses no unverified sender, and no mail whose links are one page', () => {
  const verdict = judgeLink(counter(3), 'Walmart.com')
  expect(alarmOf(newsletter, true)(verdict)).toBe(true)
  expect(alarmOf([counter(3), counter(3), 'https://other.example/'], false)(verdict)).toBe(true)
})

test('a click counter excuses neither foreign letters nor a name before an @', () => {
  const imitating = Array.from({ length: 9 }, (_, at) => `https://xn--pple-43d.com/${at}`)
  expect(alarmOf(imitating, false)(judgeLink(imitating[0] ?? '', 'apple.com'))).toBe(true)
  const hiding = Array.from({ length: 9 }, (_, at) => `https://shop.example@evil.example/${at}`)
  expect(alarmOf(hiding, false)(judgeLink(hiding[0] ?? '', 'here'))).toBe(true)
})

test('an ordinary link causes no warning', () => {
  expect(alarmOf([], false)(judgeLink('https://shop.example/', 'Shop'))).toBe(false)
})

import { expect, test } from 'vitest'
import { judgeLink } from '#reader/links/judge-link.ts'
import { alarmOf, liftedLinks } from './trusted-links.ts'

const link = { url: 'https://shop.example/confirm?x=1', label: 'Confirm my address' }
const senders = { vouched: { verdict: 'vouched' }, unknown: { verdict: 'unknown' }, contradicted: { verdict: 'contradicted' } } as const

test('a confirmation link is shown above the mail unless its sender is contradicted', () => {
  expect(liftedLinks({ links: [link], ...senders.vouched })).toEqual([link])
  expect(liftedLinks({ links: [link], ...senders.unknown })).toEqual([link])
  expect(liftedLinks({ links: [link], ...senders.contradicted })).toEqual([])
})

test('no confirmation link is shown that pretends to lead elsewhere', () => {
  expect(liftedLinks({ links: [{ ...link, label: 'bank.example.net' }], ...senders.vouched })).toEqual([])
  expect(liftedLinks({ links: [{ ...link, url: 'https://bank.example@evil.example/confirm' }], ...senders.vouched })).toEqual([])
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

test('a click counter excuses no contradicted sender, and no mail whose links are one page', () => {
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

import { expect, test } from 'vitest'
import { judgeLink } from '#contract/links/link-target.ts'
import { alarmOf } from './alarming-links.ts'

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

import { expect, test } from 'vitest'
import { clickCounters } from './click-counters.ts'

const counted = (count: number, of = (at: number) => `https://click.news.example/c?id=${at}`) =>
  Array.from({ length: count }, (_, at) => of(at))

test('a host with a different URL for each link is a click counter', () => {
  expect(clickCounters([...counted(5), 'https://shop.example/'])).toEqual(new Set(['click.news.example']))
})

test('a repeated URL, also with other tracking parameters, is one page', () => {
  expect(clickCounters(Array.from({ length: 20 }, () => 'https://evil.example/login'))).toEqual(new Set())
  expect(clickCounters(counted(20, at => `https://evil.example/login#${at}`))).toEqual(new Set())
  expect(clickCounters(counted(4))).toEqual(new Set())
})

test('links of a mail gateway are counted by their targets', () => {
  const wrapped = counted(6, at => `https://www.google.com/url?q=${encodeURIComponent(`https://shop${at}.example/`)}`)
  expect(clickCounters(wrapped)).toEqual(new Set())
})

test('links that are not web addresses are ignored', () => {
  expect(clickCounters(counted(9, at => `mailto:a${at}@b.example`))).toEqual(new Set())
})

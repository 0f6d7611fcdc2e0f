/** What the site claims about itself, as the specification wants it claimed. */
import { expect, test } from 'vitest'
import { auth } from './en/auth.ts'
import { homeSections as english } from './en/home-sections.ts'
import { meta } from './en/meta.ts'
import { homeSections as spanish } from './es/home-sections.ts'

const answerTo = (sections: typeof english, index: number) => sections.faq.items[index]?.answer ?? ''

test('the questions say ten minutes and not extendable', () => {
  expect(answerTo(english, 0)).toMatch(/^Ten minutes.*cannot be extended/)
  expect(answerTo(spanish, 0)).toMatch(/^Diez minutos/)
})

test('it is free, without registration, and allows as many addresses as needed', () => {
  expect(answerTo(english, 1)).toContain('It is free, without registration, and you may use as many addresses as you need.')
  expect(meta.home.description).toContain('No registration.')
})

test('a Pro account offers longer-lasting addresses and more', () => {
  expect(english.faq.items.some(({ answer }) => /Addresses that live 24 hours instead of ten minutes, up to ten/.test(answer))).toBe(true)
  expect(auth.lead).toMatch(/^Addresses that live 24 hours/)
})

test('there are four steps, six use cases and eight questions, in the order of the specification', () => {
  expect(english.howItWorks.steps.map(step => step.title)).toEqual(['Generated', 'Use anywhere', 'Receive instantly', 'Auto-delete'])
  expect(english.useCases.cases.map(({ title }) => title)).toEqual([
    'Sign-ups',
    'Downloads',
    'Testing',
    'Online shopping',
    'Content access',
    'Public Wi-Fi',
  ])
  for (const { howItWorks, useCases, faq } of [english, spanish]) {
    expect([howItWorks.steps.length, useCases.cases.length, faq.items.length]).toEqual([4, 6, 8])
  }
})

import { expect, test } from 'vitest'
import { hasLookalikeWord } from './skeleton.ts'

test.each([
  ['Your Аccount is limited', true], // А is Cyrillic
  ['Vеrify your account', true], // е is Cyrillic
  ['Νetflix: payment declined', true], // Ν is Greek
  ['Your account is limited', false],
  ['Última oportunidad, señor Müller', false],
  ['SMSка пришла вчера вечером', false],
  ['Привет, Anna', false],
  ['10kΩ resistors and β-blockers', false],
  ['Новый iPhone', false],
  ['Δt and λ', false],
  ['', false],
])('%s contains look-alike letters: %s', (subject, isDisguised) => {
  expect(hasLookalikeWord(subject)).toBe(isDisguised)
})

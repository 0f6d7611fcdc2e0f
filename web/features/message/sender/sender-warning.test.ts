import { expect, test } from 'vitest'
import { hasLookalikeWord } from './lookalike-words.ts'
import { senderWarning } from './sender-warning.ts'

// covers X12
test.each([
  ['Ada', 'ada@sender.example', undefined],
  ['', 'ada@sender.example', undefined],
  ['ada@sender.example', 'ada@sender.example', undefined],
  ['ada@sender.example', 'bounce@mail.sender.example', undefined],
  ['Ada (via list@lists.example)', 'list@lists.example', undefined],
  ['security@bank.example', 'x7@evil.example', { kind: 'otherAddress', name: 'x7@evil.example' }],
  ['"Bank" <security@bank.example>', 'x7@evil.example', { kind: 'otherAddress', name: 'x7@evil.example' }],
  ['Apple', 'id@xn--80ak6aa92e.com', { kind: 'lookalike', name: 'xn--80ak6aa92e.com' }],
  ['Apple', 'id@аррӏе.com', { kind: 'lookalike', name: 'xn--80ak6aa92e.com' }],
  ['Stadt', 'info@münchen.example', undefined],
  ['a@b', '', undefined],
] as const)('X12 the sender %s <%s>', (name, address, warning) => {
  expect(senderWarning({ name, address })).toEqual(warning)
})

test.each([
  ['PayPal', 'service@paypal.com', undefined],
  ['PayPal', 'service@intl.paypal.com', undefined],
  ['service@paypal.com', 'service@paypal.com', undefined],
  ['Amazon', 'ship-confirm@amazon.co.jp', undefined],
  ['Microsoft account team', 'account-security-noreply@accountprotection.microsoft.com', undefined],
  ['Facebook', 'security@facebookmail.com', undefined],
  ['Joana from Netflix', 'x@evil.example', 'Netflix'],
  ['Pаypal', 'x@evil.example', 'PayPal'],
  ['Pay\u200bPal Support', 'x@evil.example', 'PayPal'],
  ['Bank of America', 'x@evil.example', 'Bank of America'],
  ['Mercado Pago', 'x@mercadopago.com.evil.example', 'Mercado Pago'],
  ['PayPal', 'service@paypal.com.evil.example', 'PayPal'],
  ['Apple', 'x@evil.example', 'Apple'],
  ['Apple Support', 'x@evil.example', 'Apple'],
  ['Soporte de Apple', 'x@evil.example', 'Apple'],
  ['Fiona Apple', 'fiona@music.example', undefined],
  ['Apple Valley Farm', 'hello@farm.example', undefined],
  ['Emma Chase', 'emma@chase-family.example', undefined],
  ['Netflixing', 'x@fans.example', undefined],
  ['Amazon Rainforest Fund', 'news@fund.example', undefined],
])('the sender %s <%s> uses the name of %s', (name, address, brand) => {
  const warning = senderWarning({ name, address })
  expect(warning?.kind === 'brand' ? warning.brand : undefined).toBe(brand)
})

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

import { expect, test } from 'vitest'
import { judgeLink } from '#contract/links.ts'
import { alarmOf, hasLookalikeWord, liftedLinks, senderWarning } from './sender-warning.ts'

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

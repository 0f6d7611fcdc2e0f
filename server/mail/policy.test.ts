import { expect, test } from 'vitest'
import { ALLOW_ALL, type Block, createPolicy, defaultSettings } from './policy.ts'

const NOW = 1_000_000
const policyWith = (...blocks: Omit<Block, 'endsAt'>[]) =>
  createPolicy(
    blocks.map(block => ({ ...block, endsAt: null })),
    defaultSettings,
    () => NOW,
    domain => (/^([a-z-]+\.)?wild\.test$/.test(domain) ? 'wild.test' : undefined),
  )

test('a sender is blocked by address or domain, including subdomains, in any case', () => {
  const policy = policyWith({ kind: 'sender', value: 'ann@one.test' }, { kind: 'domain', value: 'spam.test' })
  for (const blocked of ['ann@one.test', 'ANN@One.Test', 'x@spam.test', 'x@mx.SPAM.test']) expect(policy.blocksSender(blocked)).toBe(true)
  for (const free of ['', 'bob@one.test', 'x@notspam.test', 'spam.test@x.test']) expect(policy.blocksSender(free)).toBe(false)
})

test.each([
  ['josé@one.test', 'jose\u0301@one.test'],
  ['ann@one.test', '\uff41\uff4e\uff4e@one.test'],
  ['ann@münchen.test', 'Ann@xn--mnchen-3ya.test'],
  ['ann@xn--mnchen-3ya.test', 'ann@MU\u0308NCHEN.test.'],
])('a blocked %s is blocked in any Unicode spelling: %s', (blocked, spelling) => {
  expect(policyWith({ kind: 'sender', value: blocked }).blocksSender(spelling)).toBe(true)
  expect(policyWith({ kind: 'sender', value: blocked }).blocksSender(`x${spelling}`)).toBe(false)
})

test('a blocked domain is blocked in its own script, in full width and with a final dot', () => {
  const policy = policyWith({ kind: 'domain', value: 'xn--mnchen-3ya.test' })
  for (const sender of ['a@münchen.test', 'a@mx.mu\u0308nchen.test', 'a@münchen\uff0etest', 'a@münchen.test.']) {
    expect(policy.blocksSender(sender), sender).toBe(true)
  }
})

test('a network is blocked by its range, also as IPv4 mapped into IPv6', () => {
  const policy = policyWith({ kind: 'network', value: '192.0.2.0/24' }, { kind: 'network', value: '2001:db8::/32' })
  for (const blocked of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1::1']) expect(policy.blocksNetwork(blocked)).toBe(true)
  for (const free of ['192.0.3.7', '2001:db9::1', 'nonsense', '']) expect(policy.blocksNetwork(free)).toBe(false)
})

test('a recipient pattern matches the whole address, and stars match any text', () => {
  const policy = policyWith({ kind: 'recipient', value: 'promo-*@box.test' }, { kind: 'recipient', value: '*casino*@*' })
  for (const blocked of ['promo-@box.test', 'Promo-1@BOX.test', 'my.casino.7@x.test']) expect(policy.blocksRecipient(blocked)).toBe(true)
  for (const free of ['promo@box.test', 'promo-1@box.test.org', 'xpromo-1@box.test', 'x@casino.test']) {
    expect(policy.blocksRecipient(free)).toBe(false)
  }
})

test('a recipient at a subdomain of ours is blocked as one at the domain itself', () => {
  const policy = policyWith({ kind: 'recipient', value: 'ann@wild.test' }, { kind: 'recipient', value: '*@maple-fox.wild.test' })
  for (const blocked of ['ann@wild.test', 'Ann@Blue-Owl.wild.test', 'bob@maple-fox.wild.test'])
    expect(policy.blocksRecipient(blocked)).toBe(true)
  for (const free of ['bob@blue-owl.wild.test', 'ann@sub.box.test', 'bob@wild.test']) expect(policy.blocksRecipient(free)).toBe(false)
})

test('a pattern that is made to be slow is matched in linear time', () => {
  const policy = policyWith({ kind: 'recipient', value: `${'*a'.repeat(100)}*b@x.test` })
  const started = performance.now()
  expect(policy.blocksRecipient(`${'a'.repeat(100_000)}@x.test`)).toBe(false)
  expect(performance.now() - started).toBeLessThan(200)
})

test('a block ends at its time without being removed', () => {
  let now = NOW
  const policy = createPolicy(
    [{ kind: 'sender', value: 'a@x.test', endsAt: NOW + 1 }],
    defaultSettings,
    () => now,
    () => undefined,
  )
  expect(policy.blocksSender('a@x.test')).toBe(true)
  now = NOW + 1
  expect(policy.blocksSender('a@x.test')).toBe(false)
})

test('without blocks nothing is blocked', () => {
  expect([ALLOW_ALL.blocksNetwork('192.0.2.1'), ALLOW_ALL.blocksSender('a@b.test'), ALLOW_ALL.blocksRecipient('a@b.test')]).toEqual([
    false,
    false,
    false,
  ])
})

import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import type { BotCheckAction } from '#contract/site.ts'
import type { BotCheck } from './bot-check.ts'
import { createPow } from './pow.ts'

const NETWORK = '192.0.2.0/24'

async function solve(check: BotCheck, action: BotCheckAction) {
  const challenge = (await check.challenge(action, NETWORK)) as unknown as Challenge
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
}
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

test('a solution is good once, for its action, until it expires, and only where it was issued', async () => {
  let now = Date.now()
  const check = createPow(() => now)
  const solved = await solve(check, 'generate_email')
  const token = encode(solved)
  expect(await check.verify(token, 'signup', NETWORK)).toBe(false)
  expect(await createPow(() => now).verify(token, 'generate_email', NETWORK)).toBe(false)
  const parallel = await Promise.all(Array.from({ length: 20 }, () => check.verify(token, 'generate_email', NETWORK)))
  expect(parallel.filter(Boolean)).toHaveLength(1)
  const late = encode(await solve(check, 'contact'))
  now += 5 * 60_000
  expect(await check.verify(late, 'contact', NETWORK)).toBe(false)
})

test('altered, easier, empty and foreign solutions are refused', async () => {
  const check = createPow(Date.now)
  const { challenge, solution } = await solve(check, 'generate_email')
  const parameters = { ...challenge.parameters, cost: 1 }
  const wrong: unknown[] = [
    { challenge: { ...challenge, parameters }, solution },
    { challenge: { ...challenge, signature: '' }, solution },
    { challenge: { ...challenge, signature: challenge.signature?.toUpperCase() }, solution: { ...solution, counter: Number.NaN } },
    { challenge, solution: { counter: 0, derivedKey: '00' } },
    { challenge },
    null,
    [],
  ]
  for (const payload of wrong) expect(await check.verify(encode(payload), 'generate_email', NETWORK)).toBe(false)
  for (const token of [undefined, '', 'garbage', '\0']) expect(await check.verify(token, 'generate_email', NETWORK)).toBe(false)
  expect(await check.verify(encode({ challenge, solution }), 'generate_email', NETWORK)).toBe(true)
})

test('a full table of used solutions forgets none: older challenges become void', async () => {
  let now = Date.now()
  const check = createPow(() => now, 1)
  const first = encode(await solve(check, 'contact'))
  expect(await check.verify(first, 'contact', NETWORK)).toBe(true)
  now += 2000
  expect(await check.verify(encode(await solve(check, 'contact')), 'contact', NETWORK)).toBe(true)
  expect(await check.verify(first, 'contact', NETWORK)).toBe(false)
})

test('a solution counts only in the network that asked for the challenge', async () => {
  const check = createPow(Date.now)
  const token = encode(await solve(check, 'contact'))
  expect(await check.verify(token, 'contact', '198.51.100.0/24')).toBe(false)
  expect(await check.verify(token, 'contact', NETWORK)).toBe(true)
})

test('the counter can be anywhere in its range, so that skipping the beginning saves no work', async () => {
  const check = createPow(Date.now)
  const solved = await Promise.all(Array.from({ length: 12 }, () => solve(check, 'contact')))
  // With a start at 100 all twelve would be at least that; by chance it happens twice in a million runs.
  expect(Math.min(...solved.map(({ solution }) => solution?.counter ?? Number.NaN))).toBeLessThan(100)
})

import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import type { BotCheckAction } from '#contract/site.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createMemoryLimits } from '#server/platform/limits/limiter.ts'
import type { BotCheck } from './bot-check.ts'
import { createPow } from './pow.ts'

const NETWORK = '192.0.2.0/24'
const createCheck = (clock: Clock) => createPow(clock, { sharedLimits: createMemoryLimits(clock) })

async function solve(check: BotCheck, action: BotCheckAction) {
  const challenge = (await check.challenge(action, NETWORK)) as unknown as Challenge
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
}
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

test('a solution is accepted once, for its action, until it expires, and only where it was issued', async () => {
  let now = Date.now()
  const check = createCheck(() => now)
  const solved = await solve(check, 'generate_email')
  const token = encode(solved)
  expect(await check.verify(token, 'signup', NETWORK)).toBe('failed')
  expect(await createCheck(() => now).verify(token, 'generate_email', NETWORK)).toBe('failed')
  const parallel = await Promise.all(Array.from({ length: 20 }, () => check.verify(token, 'generate_email', NETWORK)))
  expect(parallel.filter(verdict => verdict === 'passed')).toHaveLength(1)
  const late = encode(await solve(check, 'contact'))
  now += 5 * 60_000
  expect(await check.verify(late, 'contact', NETWORK)).toBe('failed')
})

test('altered, easier, empty and foreign solutions are refused', async () => {
  const check = createCheck(Date.now)
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
  for (const payload of wrong) expect(await check.verify(encode(payload), 'generate_email', NETWORK)).toBe('failed')
  for (const token of [undefined, '', 'garbage', '\0']) expect(await check.verify(token, 'generate_email', NETWORK)).toBe('failed')
  expect(await check.verify(encode({ challenge, solution }), 'generate_email', NETWORK)).toBe('passed')
})

test('a full table of used solutions makes older challenges invalid instead of forgetting a solution', async () => {
  let now = Date.now()
  const check = createPow(() => now, { sharedLimits: createMemoryLimits(() => now, { marksMax: 1 }) })
  const first = encode(await solve(check, 'contact'))
  expect(await check.verify(first, 'contact', NETWORK)).toBe('passed')
  now += 2000
  expect(await check.verify(encode(await solve(check, 'contact')), 'contact', NETWORK)).toBe('passed')
  expect(await check.verify(first, 'contact', NETWORK)).toBe('failed')
})

test('a solution is accepted only from the network that asked for the challenge, and is used up by any attempt', async () => {
  const check = createCheck(Date.now)
  const token = async () => encode(await solve(check, 'contact'))
  expect(await check.verify(await token(), 'contact', NETWORK)).toBe('passed')
  const carried = await token()
  expect(await check.verify(carried, 'contact', '192.0.3.77')).toBe('elsewhere')
  expect(await check.verify(carried, 'contact', '192.0.3.77')).toBe('failed')
  expect(await check.verify(carried, 'contact', NETWORK)).toBe('failed')
})

test('the counter can be anywhere in its range, so skipping the beginning saves no work', async () => {
  const check = createCheck(Date.now)
  // With a start at 100 none would be below. By chance all forty are at least 100 once in nine million runs.
  let counter = Number.POSITIVE_INFINITY
  for (let tried = 0; tried < 40 && counter >= 100; tried++) counter = (await solve(check, 'contact')).solution?.counter ?? counter
  expect(counter).toBeLessThan(100)
})

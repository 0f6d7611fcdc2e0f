import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import type { BotCheckAction } from '#contract/site.ts'
import type { BotCheck } from './bot-check.ts'
import { createPow } from './pow.ts'

async function solve(check: BotCheck, action: BotCheckAction) {
  const challenge = (await check.challenge(action)) as unknown as Challenge
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
}
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

test('a solution is good once, for its action, until it expires, and only where it was issued', async () => {
  let now = Date.now()
  const check = createPow(() => now)
  const solved = await solve(check, 'generate_email')
  const token = encode(solved)
  expect(await check.verify(token, 'signup')).toBe(false)
  expect(await createPow(() => now).verify(token, 'generate_email')).toBe(false)
  const parallel = await Promise.all(Array.from({ length: 20 }, () => check.verify(token, 'generate_email')))
  expect(parallel.filter(Boolean)).toHaveLength(1)
  const late = encode(await solve(check, 'contact'))
  now += 5 * 60_000
  expect(await check.verify(late, 'contact')).toBe(false)
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
  for (const payload of wrong) expect(await check.verify(encode(payload), 'generate_email')).toBe(false)
  for (const token of [undefined, '', 'garbage', '\0']) expect(await check.verify(token, 'generate_email')).toBe(false)
  expect(await check.verify(encode({ challenge, solution }), 'generate_email')).toBe(true)
})

test('a full table of used solutions forgets none: older challenges become void', async () => {
  let now = Date.now()
  const check = createPow(() => now, 1)
  const first = encode(await solve(check, 'contact'))
  expect(await check.verify(first, 'contact')).toBe(true)
  now += 2000
  expect(await check.verify(encode(await solve(check, 'contact')), 'contact')).toBe(true)
  expect(await check.verify(first, 'contact')).toBe(false)
})

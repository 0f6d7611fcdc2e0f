import { pbkdf2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { findCounter, fromHex } from './find-counter.ts'

const SALT = 'a0a1a2a3'
const NONCE = '00112233'
const derive = async (password: Uint8Array) => new Uint8Array(pbkdf2Sync(password, fromHex(SALT), 3, 32, 'sha256'))
const keyOf = async (counter: number) =>
  Buffer.from(await derive(Buffer.from(NONCE + counter.toString(16).padStart(8, '0'), 'hex'))).toString('hex')

async function puzzleFor(counter: number) {
  const keyPrefix = (await keyOf(counter)).slice(0, 32)
  return { parameters: { algorithm: 'PBKDF2/SHA-256', nonce: NONCE, salt: SALT, cost: 3, keyLength: 32, keyPrefix }, signature: '' }
}

test.each([
  { counter: 0, first: 0, step: 1, atOnce: 4 },
  { counter: 7, first: 0, step: 1, atOnce: 4 },
  { counter: 258, first: 2, step: 4, atOnce: 1 },
])('finds counter $counter, from $first in steps of $step, $atOnce at once', async ({ counter, ...share }) => {
  const solution = await findCounter(await puzzleFor(counter), share, derive)
  expect(solution).toEqual({ counter, derivedKey: await keyOf(counter) })
})

test('stops when it is no longer wanted', async () => {
  const puzzle = await puzzleFor(1)
  const impossible = { ...puzzle, parameters: { ...puzzle.parameters, keyPrefix: 'no key' } }
  let tries = 0
  const left = new AbortController()
  const counted = async (password: Uint8Array) => {
    tries += 1
    if (tries === 10) left.abort(new Error('left'))
    return derive(password)
  }
  await expect(findCounter(impossible, { first: 0, step: 1, atOnce: 1 }, counted, left.signal)).rejects.toThrow('left')
  expect(tries).toBe(10)
})

import { createHook } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '#server/platform/limits/clients.ts'
import { createPasswordHasher } from './password-hasher.ts'

test('the server uses the full cost and a salt, and accepts a password in either Unicode form', async () => {
  const passwords = createPasswordHasher()
  const [one, two] = await Promise.all([passwords.hash('caf\u00e9 olé'), passwords.hash('caf\u00e9 olé')])
  expect(one).not.toBe(two)
  expect(await passwords.verify({ hash: one, password: 'cafe\u0301 olé' })).toBe(true)
  expect(await passwords.verify({ hash: one, password: 'cafe olé' })).toBe(false)
  // A cheaper derivation, were it ever used in production, would not open it.
  expect(await createPasswordHasher({ N: 2 ** 5, r: 8, p: 1, maxmem: 1024 * 1024 }).verify({ hash: one, password: 'caf\u00e9 olé' })).toBe(
    false,
  )
})

test('finding a password among many hashes with one salt takes one hash, and so does an account without a password', async () => {
  const passwords = createPasswordHasher({ N: 2 ** 5, r: 8, p: 1, maxmem: 1024 * 1024 })
  const salt = Buffer.alloc(16, 1)
  const hashes = await Promise.all(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map(one => passwords.hash(one, salt)))
  let computed = 0
  const counting = createHook({
    init: (_, type) => {
      if (type === 'SCRYPTREQUEST') computed += 1
    },
  }).enable()
  onTestFinished(() => void counting.disable())
  expect(await passwords.indexOf('seven', hashes)).toBe(6)
  expect(await passwords.indexOf('nine', hashes)).toBe(-1)
  expect(computed).toBe(2)
  expect(await passwords.verify({ hash: '', password: 'one' })).toBe(false)
  expect(computed).toBe(3)
})

test('two passwords are hashed at once, networks take turns, and each has only a share of the places that wait', async () => {
  const passwords = createPasswordHasher({ N: 2 ** 5, r: 8, p: 1, maxmem: 1024 * 1024 })
  const served: string[] = []
  const refused: unknown[] = []
  const hash = async (network: string) => {
    try {
      await serve([network], () => passwords.hash('a password'))
      served.push(network)
    } catch (error) {
      refused.push(error)
    }
  }
  await Promise.all([...Array.from({ length: 40 }, () => hash('192.0.2.1')), hash('198.51.100.1')])
  // Two are hashed at once, and the later may be ready first.
  expect(served.indexOf('198.51.100.1')).toBeLessThanOrEqual(5)
  expect(served).toHaveLength(26)
  expect(refused[0]).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 })
  for (let network = 0; network < 4; network++) for (let place = 0; place < 25; place++) void hash(`10.0.${network}.1`)
  expect(refused.at(-1)).not.toMatchObject({ code: 'unavailable' })
  for (let place = 0; place < 30; place++) void hash(`10.1.${place}.1`)
  await nextTurn()
  expect(refused.at(-1)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
})

import { expect, test } from 'vitest'
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

test('attempts wait in a bounded queue, and further ones are told to retry', async () => {
  const passwords = createPasswordHasher({ N: 2 ** 5, r: 8, p: 1, maxmem: 1024 * 1024 })
  const ends = await Promise.allSettled(Array.from({ length: 200 }, () => passwords.hash('correct horse')))
  const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
  expect(ends.length - refused.length).toBe(102)
  expect(refused[0]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
})

test('finding a password among many hashes with one salt takes as long as one hash', async () => {
  const passwords = createPasswordHasher({ N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 })
  const salt = Buffer.alloc(16, 1)
  const hashes = await Promise.all(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map(one => passwords.hash(one, salt)))
  const measureMs = async (some: readonly string[]) => {
    const startedMs = performance.now()
    expect(await passwords.indexOf('nine', some)).toBe(-1)
    return performance.now() - startedMs
  }
  const times = async (some: readonly string[]) => Math.min(await measureMs(some), await measureMs(some), await measureMs(some))
  expect(await passwords.indexOf('seven', hashes)).toBe(6)
  expect(await times(hashes)).toBeLessThan(3 * (await times(hashes.slice(0, 1))))
})

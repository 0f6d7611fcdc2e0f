import { expect, test } from 'vitest'
import { readVapid } from '#test/harness/clients/push-browser.ts'
import { openVapid } from './vapid.ts'

const secret = Buffer.alloc(32, 7)

test('a push service can verify the sender by a token for it alone, valid for half a day', () => {
  const vapid = openVapid(secret, 'mailto:support@mayfly.example')
  const { claims, key } = readVapid(vapid.authorization('https://push.example/send/abc', 1_700_000_000_000))
  expect(claims).toEqual({ aud: 'https://push.example', exp: 1_700_043_200, sub: 'mailto:support@mayfly.example' })
  expect(key).toBe(vapid.publicKey)
  expect(Buffer.from(key, 'base64url')).toHaveLength(65)
})

test('every process with the secret has the same key, and others have another', () => {
  const keys = [secret, secret, Buffer.alloc(32, 8)].map(of => openVapid(of, 'mailto:a@b.example').publicKey)
  expect(keys[0]).toBe(keys[1])
  expect(keys[2]).not.toBe(keys[0])
})

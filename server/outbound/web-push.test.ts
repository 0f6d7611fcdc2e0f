/** The example of RFC 8291, appendix A, byte for byte. */
import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptPush, newBrowserKeys, readVapid } from '#test/harness/clients/push-browser.ts'
import { encryptPush, isPublicKey, openVapid } from './web-push.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')
const RFC_8291 = {
  content: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('the example of RFC 8291 gives the same bytes', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(bytes(RFC_8291.senderPrivate))
  const keys = { p256dh: bytes(RFC_8291.p256dh), auth: bytes(RFC_8291.auth) }
  const message = encryptPush(keys, Buffer.from(RFC_8291.content), { salt: bytes(RFC_8291.salt), sender })
  expect(message.toString('base64url')).toBe(RFC_8291.message)
})

test('two messages with the same content have different bytes, and only the browser can read them', () => {
  const browser = newBrowserKeys()
  const [one, two] = [encryptPush(browser.keys, Buffer.from('{"id":"a"}')), encryptPush(browser.keys, Buffer.from('{"id":"a"}'))]
  expect(one.equals(two)).toBe(false)
  expect(decryptPush(browser, two).toString()).toBe('{"id":"a"}')
  expect(() => decryptPush(newBrowserKeys(), one)).toThrow()
})

test('a key that is not a point of the curve is refused', () => {
  const { p256dh } = newBrowserKeys().keys
  const bent = Buffer.from(p256dh)
  bent.writeUInt8((bent.at(-1) ?? 0) ^ 1, 64)
  expect([p256dh, bent, Buffer.alloc(65, 4), Buffer.alloc(0)].map(isPublicKey)).toEqual([true, false, false, false])
})

const secret = 'a secret of a test, which is known to all'

test('a push service can verify the sender by a token for it alone, valid for half a day', () => {
  const vapid = openVapid(secret, 'mailto:support@mayfly.example')
  const { claims, key } = readVapid(vapid.authorization('https://push.example/send/abc', 1_700_000_000_000))
  expect(claims).toEqual({ aud: 'https://push.example', exp: 1_700_043_200, sub: 'mailto:support@mayfly.example' })
  expect(key).toBe(vapid.publicKey)
  expect(Buffer.from(key, 'base64url')).toHaveLength(65)
})

test('every process with the secret has the same key in every release, and others have another', () => {
  const keys = [secret, 'another secret'].map(of => openVapid(of, 'mailto:a@b.example').publicKey)
  expect(keys[0]).toBe('BG8HUZmEbf4MCs5mRjGuNdDaeMw-TJqPiVYa0vgytEXWaVd-vkpXv95cifWfzqU8SkbeV6cjL535vULattYbhps')
  expect(keys[1]).not.toBe(keys[0])
})

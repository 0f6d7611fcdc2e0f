/** The browser's part of web push: keys of a subscription, and decryption as RFC 8291 section 3 describes it for receivers. */
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { PushKeys } from '#server/outbound/web-push.ts'

type BrowserKeys = { readonly own: ECDH; readonly keys: PushKeys }

export function newBrowserKeys(): BrowserKeys {
  const own = createECDH('prime256v1')
  own.generateKeys()
  return { own, keys: { p256dh: own.getPublicKey(), auth: randomBytes(16) } }
}

/** The content of one record. Throws if it was not encrypted for this browser. */
export function decryptPush({ own, keys: { p256dh, auth } }: BrowserKeys, message: Buffer): Buffer {
  const salt = message.subarray(0, 16)
  const senderKey = message.subarray(21, 21 + (message.at(20) ?? 0))
  const sealed = message.subarray(21 + senderKey.length)
  const hkdf = (key: Buffer, by: Buffer, info: Buffer, bytes: number) => Buffer.from(hkdfSync('sha256', key, by, info, bytes))
  const ikm = hkdf(own.computeSecret(senderKey), auth, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey]), 32)
  const key = hkdf(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(0x02))
}

/** The claims of `authorization: vapid t=…, k=…` (RFC 8292). Throws if the signature is not that of the key. */
export function readVapid(header: string): { readonly claims: { aud: string; exp: number; sub: string }; readonly key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, 'base64url')))
    throw new Error('not signed by this key')
  return { claims: JSON.parse(Buffer.from(body, 'base64url').toString()), key }
}

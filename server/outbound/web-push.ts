/**
 * Encrypts the content of a push message for one browser (RFC 8291, with the `aes128gcm` encoding of RFC 8188, as a single record), and
 * says to its push service who sends it (VAPID, RFC 8292).
 */
import { createCipheriv, createECDH, createPrivateKey, type ECDH, hkdfSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { deriveSubkey } from '#server/platform/cryptography.ts'

const CURVE = 'prime256v1'
const SALT_BYTES = 16
/** RFC 8291 section 4: a single record, and every push service accepts 4096 bytes. */
const RECORD_BYTES = 4096
/** RFC 8188 section 2: marks the last record. Zeros may follow it as padding. */
const LAST_RECORD = 0x02

/** The browser's public key (an uncompressed point) and its authentication secret. */
export type PushKeys = { readonly p256dh: Buffer; readonly auth: Buffer }

/** Random, except in the test with the example of RFC 8291. */
type Random = { readonly salt: Buffer; readonly sender: ECDH }

export function encryptPush({ p256dh, auth }: PushKeys, content: Buffer, { salt, sender } = newRandom()): Buffer {
  const senderKey = sender.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey])
  const ikm = derive(sender.computeSecret(p256dh), auth, keyInfo, 32)
  const contentKey = derive(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  const sealed = Buffer.concat([cipher.update(content), cipher.update(Buffer.of(LAST_RECORD)), cipher.final(), cipher.getAuthTag()])
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(RECORD_BYTES)
  sizes.writeUInt8(senderKey.length, 4)
  return Buffer.concat([salt, sizes, senderKey, sealed])
}

/** Whether it is a point of the curve, as a browser's key always is. */
export function isPublicKey(key: Buffer): boolean {
  try {
    const [first] = key
    const sender = createECDH(CURVE)
    sender.generateKeys()
    sender.computeSecret(key)
    return first === 0x04 && key.length === 65
  } catch {
    return false
  }
}

function newRandom(): Random {
  const sender = createECDH(CURVE)
  sender.generateKeys()
  return { salt: randomBytes(SALT_BYTES), sender }
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** RFC 8292 allows a day. */
const TOKEN_SECONDS = 12 * 3600

/** Identifies the server to push services: RFC 8292. */
export type Vapid = ReturnType<typeof openVapid>

/**
 * The key pair is derived from the server's secret, so all processes have the same one without storing it, and subscriptions survive a
 * restored secret. `contact`: where a push service reaches the operator, `mailto:` or `https:`.
 */
export function openVapid(secret: string, contact: string) {
  const { publicKey, signingKey } = deriveKeys(secret)
  return {
    /** In base64url, with which browsers subscribe. */
    publicKey,
    /** The `Authorization` header of a push message to `endpoint`. */
    authorization(endpoint: string, now: number): string {
      const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + TOKEN_SECONDS, sub: contact }
      const signed = [{ typ: 'JWT', alg: 'ES256' }, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      const signature = sign('sha256', Buffer.from(signed), { key: signingKey, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}

/** About one value in 2^32 is not a valid private key of P-256; then the next is used. */
function deriveKeys(secret: string, tries = 0): { publicKey: string; signingKey: KeyObject } {
  const d = deriveSubkey(secret, `mayfly/push/vapid/v1/${tries}`)
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(d)
  } catch {
    return deriveKeys(secret, tries + 1)
  }
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: d.toString('base64url') }
  return { publicKey: point.toString('base64url'), signingKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

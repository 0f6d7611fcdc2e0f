/** Identifies the server to push services: RFC 8292. */
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { deriveSubkey } from '#server/platform/derive-subkey.ts'

/** RFC 8292 allows a day. */
const TOKEN_SECONDS = 12 * 3600

export type Vapid = {
  /** The public key in base64url, with which browsers subscribe. */
  readonly publicKey: string
  /** The `Authorization` header of a push message to `endpoint`. */
  authorization(endpoint: string, now: number): string
}

/**
 * The key pair is derived from the server's secret, so all processes have the same one without storing it, and subscriptions survive a
 * restored secret. `contact`: where a push service reaches the operator, `mailto:` or `https:`.
 */
export function openVapid(secret: Uint8Array, contact: string): Vapid {
  const { publicKey, signingKey } = deriveKeys(secret)
  return {
    publicKey,
    authorization(endpoint, now) {
      const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + TOKEN_SECONDS, sub: contact }
      const signed = [{ typ: 'JWT', alg: 'ES256' }, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      const signature = sign('sha256', Buffer.from(signed), { key: signingKey, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}

/** About one value in 2^32 is not a valid private key of P-256; then the next is used. */
function deriveKeys(secret: Uint8Array, tries = 0): { publicKey: string; signingKey: KeyObject } {
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

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const NONCE_BYTES = 12 // the size that AES-GCM is made for (NIST SP 800-38D, 8.2)
const TAG_BYTES = 16
/** How much longer than its content a sealed value is. */
export const SEALING_BYTES = NONCE_BYTES + TAG_BYTES

/**
 * AES-256-GCM: nonce, ciphertext and tag in one value, bound to a `context` that decryption must repeat; with an empty one, to its key
 * alone.
 * @param key 32 bytes
 */
export function sealBytes(key: Uint8Array, context: string, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** `undefined` for anything not encrypted with this key for this `context`. */
export function openBytes(key: Uint8Array, context: string, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < SEALING_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

/**
 * A key of 32 bytes derived from a secret for one purpose (HKDF-SHA-256, RFC 5869), so that a value encrypted or hashed for one purpose
 * cannot be used for another. A label never changes: with another one, what was stored cannot be read.
 */
export function deriveSubkey(secret: string | Uint8Array, label: string, salt = ''): Buffer<ArrayBuffer> {
  return Buffer.from(hkdfSync('sha256', secret, salt, label, 32))
}

/** Compares secrets in constant time. The time taken reveals only their lengths. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}

/** Encrypts what is stored under the server's secret, with a subkey per purpose: no value serves another purpose or `context`. */
export type SecretBox = ReturnType<typeof createSecretBox>

/** @param secret the server's secret, at least 32 characters */
export function createSecretBox(secret: string) {
  const sealingKey = deriveSubkey(secret, 'mayfly/site/seal/v1')
  const hashingKey = deriveSubkey(secret, 'mayfly/site/hash/v1')
  return {
    seal: (context: string, bytes: Uint8Array) => sealBytes(sealingKey, context, bytes),
    /** `undefined` for anything not sealed here for this `context`, e.g. after the secret was changed. */
    open: (context: string, sealed: Uint8Array) => openBytes(sealingKey, context, sealed),
    /** Keyed hash in base64url, for values that must be found but not read: tokens, keys, chosen names. */
    hash: (context: string, value: string) => createHmac('sha256', hashingKey).update(`${context}\0${value}`).digest('base64url'),
  }
}

/** Text sealed with a key that the server does not keep, bound to its row by `context`. In base64. */
export function sealText(key: Uint8Array, context: string, text: string): string {
  return sealBytes(key, context, Buffer.from(text)).toString('base64')
}

/** `undefined` if it was sealed with another key or changed. */
export function openText(key: Uint8Array, context: string, sealed: string): string | undefined {
  return openBytes(key, context, Buffer.from(sealed, 'base64'))?.toString()
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

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

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12 // AES-GCM's own size (NIST SP 800-38D, 8.2)
const TAG_BYTES = 16

/**
 * What the server keeps sealed under the server's secret: each purpose has a subkey of its own,
 * and what was sealed for one purpose or `context` cannot be passed off as another.
 */
export type SecretBox = {
  /** AES-256-GCM; the result is nonce, ciphertext and tag in one. */
  seal(context: string, bytes: Uint8Array): Buffer
  /** `undefined` for anything this secretBox did not seal for this `context`, e.g. after the secret was changed. */
  open(context: string, sealed: Uint8Array): Buffer | undefined
  /** Keyed hash in base64url, for what must be found again but not read: tokens, keys, chosen names. */
  hash(context: string, value: string): string
}

/** @param secret the server's secret, any length from 32 bytes on. */
export function createSecretBox(secret: Uint8Array): SecretBox {
  const sealingKey = subkey(secret, 'site/seal/v1')
  const hashingKey = subkey(secret, 'site/hash/v1')
  return {
    seal(context, bytes) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    },
    open(context, sealed) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        return undefined
      }
    },
    hash: (context, value) => createHmac('sha256', hashingKey).update(`${context}\0${value}`).digest('base64url'),
  }
}

/** 32 bytes derived from the server's secret for one purpose (HKDF, RFC 5869). */
export function subkey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `mayfly/${purpose}`, 32))
}

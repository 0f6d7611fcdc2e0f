import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

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

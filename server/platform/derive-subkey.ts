import { hkdfSync } from 'node:crypto'

/**
 * A key of 32 bytes derived from a secret for one purpose (HKDF-SHA-256, RFC 5869), so that a value encrypted or hashed for one purpose
 * cannot be used for another. A label never changes: with another one, what was stored cannot be read.
 */
export function deriveSubkey(secret: string | Uint8Array, label: string, salt = ''): Buffer<ArrayBuffer> {
  return Buffer.from(hkdfSync('sha256', secret, salt, label, 32))
}

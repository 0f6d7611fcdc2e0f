import { createHmac, hkdfSync } from 'node:crypto'
import { openBytes, sealBytes } from './aes-gcm.ts'

/**
 * What the server keeps sealed under the server's secret: each purpose has a subkey of its own,
 * and what was sealed for one purpose or `context` cannot be passed off as another.
 */
export type SecretBox = {
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
    seal: (context, bytes) => sealBytes(sealingKey, context, bytes),
    open: (context, sealed) => openBytes(sealingKey, context, sealed),
    hash: (context, value) => createHmac('sha256', hashingKey).update(`${context}\0${value}`).digest('base64url'),
  }
}

/** 32 bytes derived from the server's secret for one purpose (HKDF, RFC 5869). */
export function subkey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `mayfly/${purpose}`, 32))
}

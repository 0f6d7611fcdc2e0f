import { createHmac } from 'node:crypto'
import { deriveSubkey, openBytes, sealBytes } from '#server/platform/cryptography.ts'

/**
 * Encrypts what the server stores under its secret. Each purpose has its own subkey, so that a value sealed for one purpose or `context`
 * cannot be used for another.
 */
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

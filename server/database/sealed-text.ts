/** Text sealed with a key that the server does not keep, bound to its row by `context`. */
import { openBytes, sealBytes } from './aes-gcm.ts'

/** In base64. */
export function sealText(key: Uint8Array, context: string, text: string): string {
  return sealBytes(key, context, Buffer.from(text)).toString('base64')
}

/** `undefined` if it was sealed with another key or changed. */
export function openText(key: Uint8Array, context: string, sealed: string): string | undefined {
  return openBytes(key, context, Buffer.from(sealed, 'base64'))?.toString()
}

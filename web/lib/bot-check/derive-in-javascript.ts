import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { DeriveKeyFunction } from 'altcha-lib/types'

/** PBKDF2 for pages served over plain http, where browsers have no `crypto.subtle`. About twenty times slower. */
export const deriveInJavaScript: DeriveKeyFunction = async (parameters, salt, password) => ({
  parameters: {},
  derivedKey: await pbkdf2Async(sha256, password, salt, { c: parameters.cost, dkLen: parameters.keyLength }),
})

/** Solves the proof of work off the main thread. Without `crypto.subtle` (plain-http origins) it derives keys in JavaScript. */
import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { deriveKey as deriveWithWebCrypto } from 'altcha-lib/algorithms/web/pbkdf2'
import type { DeriveKeyFunction } from 'altcha-lib/types'
import { handler } from 'altcha-lib/workers/shared'

const deriveInJavaScript: DeriveKeyFunction = async (parameters, salt, password) => ({
  parameters: {},
  derivedKey: await pbkdf2Async(sha256, password, salt, { c: parameters.cost, dkLen: parameters.keyLength }),
})

handler({ deriveKey: globalThis.crypto?.subtle ? deriveWithWebCrypto : deriveInJavaScript })

/** Solves the proof of work off the main thread. Without `crypto.subtle` (plain-http origins) it uses JavaScript. */
import { deriveKey as deriveWithWebCrypto } from 'altcha-lib/algorithms/web/pbkdf2'
import type { DeriveKeyFunction } from 'altcha-lib/types'
import { handler } from 'altcha-lib/workers/shared'

const deriveInJavaScript: DeriveKeyFunction = async (...parameters) => {
  const fallback = await import('./derive-in-javascript.ts')
  return fallback.deriveInJavaScript(...parameters)
}

handler({ deriveKey: globalThis.crypto?.subtle ? deriveWithWebCrypto : deriveInJavaScript })

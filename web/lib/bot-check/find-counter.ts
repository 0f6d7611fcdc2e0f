/**
 * Solves an ALTCHA puzzle of version 2 with PBKDF2/SHA-256: which counter, behind the nonce, gives a key with this prefix? Written by hand,
 * because the library's solver is 1.5 kB of a first visit.
 */
import type { Challenge, Solution } from '#contract/site.ts'

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16))
}

const toHex = (bytes: Uint8Array): string => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** Derives a key of `challenge` from a password. */
export type Derive = (password: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

/** Which counters to try: from `first` in steps of `step`, `atOnce` of them at a time. */
type Share = { readonly first: number; readonly step: number; readonly atOnce: number }

/** Throws the reason of `signal` once it aborts. */
export async function findCounter(
  { parameters: { nonce, keyPrefix } }: Challenge,
  { first, step, atOnce }: Share,
  derive: Derive,
  signal?: AbortSignal,
): Promise<Solution> {
  const password = fromHex(nonce)
  const firstByte = Number.parseInt(keyPrefix.slice(0, 2), 16)
  for (let next = first; ; next += step * atOnce) {
    signal?.throwIfAborted()
    const counters = Array.from({ length: atOnce }, (_, index) => next + step * index)
    const keys = await Promise.all(counters.map(counter => derive(withCounter(password, counter))))
    // Nearly every key differs in its first byte, which costs a slow phone less to see than writing all keys as hex.
    const found = keys.findIndex(key => key[0] === firstByte && toHex(key).startsWith(keyPrefix))
    const [counter, key] = [counters[found], keys[found]]
    if (counter !== undefined && key !== undefined) return { counter, derivedKey: toHex(key) }
  }
}

/** The nonce, then the counter as 32 bits. */
function withCounter(nonce: Uint8Array, counter: number): Uint8Array<ArrayBuffer> {
  const password = new Uint8Array(nonce.length + 4)
  password.set(nonce)
  new DataView(password.buffer).setUint32(nonce.length, counter)
  return password
}

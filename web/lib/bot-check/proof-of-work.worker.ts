/**
 * Solves a share of a proof of work off the main thread: an ALTCHA puzzle of version 2 with PBKDF2/SHA-256. Which counter, behind the nonce,
 * gives a key with this prefix? Written by hand, because the library's solver is 1.5 kB of a first visit.
 */
import { fromHex, toHex } from './hex.ts'
import type { Work } from './proof-of-work.ts'

/** This many derivations run at once, and the browser distributes them over its threads. */
const AT_ONCE = 4

type Derive = (password: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

async function solve({ challenge, first, step }: Work) {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const derive = await chooseDerivation(fromHex(salt), cost, keyLength)
  const atOnce = globalThis.crypto?.subtle ? AT_ONCE : 1
  for (let counter = first; ; counter += step * atOnce) {
    const counters = Array.from({ length: atOnce }, (_, index) => counter + step * index)
    const keys = await Promise.all(counters.map(async number => toHex(await derive(withCounter(fromHex(nonce), number)))))
    const found = keys.findIndex(key => key.startsWith(keyPrefix))
    if (found !== -1) return { counter: counters[found], derivedKey: keys[found] }
  }
}

async function chooseDerivation(salt: Uint8Array<ArrayBuffer>, iterations: number, keyLength: number): Promise<Derive> {
  const subtle = globalThis.crypto?.subtle
  if (!subtle) {
    const { pbkdf2 } = await import('./pbkdf2.ts')
    return async password => pbkdf2(password, salt, iterations).subarray(0, keyLength)
  }
  return async password => {
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, keyLength * 8))
  }
}

/** The nonce, then the counter as 32 bits. */
function withCounter(nonce: Uint8Array, counter: number): Uint8Array<ArrayBuffer> {
  const password = new Uint8Array(nonce.length + 4)
  password.set(nonce)
  new DataView(password.buffer).setUint32(nonce.length, counter)
  return password
}

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  solve(data).then(postMessage, error => postMessage({ error: String(error) }))
})

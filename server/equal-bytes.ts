import { timingSafeEqual } from 'node:crypto'

/** Compares secrets: the time it takes tells their lengths and nothing else. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}

import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time. The time taken reveals only their lengths. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}

import type { MimePart } from '../types.ts'
import { decodeBytes, encodedBody } from './transfer-encoding.ts'

/** The size of a part's decoded body in bytes: exact, not estimated from the encoded size. */
export function decodedSize(raw: Uint8Array, part: MimePart): number {
  const bytes = encodedBody(raw, part)
  return decodeBytes(bytes, part.encoding).length
}

/** Parses the one byte range of a `Range` header (RFC 9110 section 14): start inclusive, end exclusive. */
type ByteRange = { readonly start: number; readonly end: number }

/** `'whole'`: no range, several, or one that may be ignored. `'unsatisfiable'`: 416. */
export function byteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!match) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size }
  const range = { start: Number(first), end: Math.min(size, last === '' ? size : Number(last) + 1) }
  if (last !== '' && Number(last) < range.start) return 'whole'
  return range.start < size ? range : 'unsatisfiable'
}

/** The value of two hexadecimal digits, or -1. */
export function hexPair(high: number | undefined, low: number | undefined): number {
  const a = hexDigit(high)
  const b = hexDigit(low)
  return a === -1 || b === -1 ? -1 : a * 16 + b
}

function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 65 && code <= 70) return code - 55
  if (code >= 97 && code <= 102) return code - 87
  return -1
}

/** Punycode decoding (RFC 3492 6.2), for showing international host names. Browsers encode but offer no way back. */

const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_N = 128
/** A DNS label has at most 63 octets. */
const LABEL_CHARS_MAX = 63

/** One label without its `xn--`; `undefined` when it is not Punycode. */
export function decodePunycode(input: string): string | undefined {
  if (input.length > LABEL_CHARS_MAX) return undefined
  const delimiter = input.lastIndexOf('-')
  const output = delimiter > 0 ? Array.from(input.slice(0, delimiter), char => char.codePointAt(0) ?? 0) : []
  let n = INITIAL_N
  let i = 0
  let bias = INITIAL_BIAS
  for (let at = delimiter > 0 ? delimiter + 1 : 0; at < input.length; ) {
    const before = i
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = parseDigit(input.charCodeAt(at++))
      if (digit === undefined) return undefined
      i += digit * weight
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    bias = adapt(i - before, output.length + 1, before === 0)
    n += Math.floor(i / (output.length + 1))
    i %= output.length + 1
    if (n > 0x10ffff) return undefined
    output.splice(i++, 0, n)
  }
  return String.fromCodePoint(...output)
}

function parseDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  if (code >= 0x41 && code <= 0x5a) return code - 0x41
  return undefined
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / points)
  let k = 0
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN))
    k += BASE
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

import { expect, test } from 'vitest'
import { findTimeStep, otpauthUrl, toBase32, totpCodeAt } from './second-factor.ts'

const secret = Buffer.from('12345678901234567890')

test('codes are those of RFC 6238 appendix B, truncated to six digits', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ]
  for (const [seconds, code] of vectors) expect(totpCodeAt(secret, Math.floor(seconds / 30))).toBe(code)
})

test('a code is accepted one step early or late, not two', () => {
  const now = 50_000_000 * 30_000
  for (const offset of [-1, 0, 1]) expect(findTimeStep(secret, totpCodeAt(secret, 50_000_000 + offset), now)).toBe(50_000_000 + offset)
  for (const offset of [-2, 2]) expect(findTimeStep(secret, totpCodeAt(secret, 50_000_000 + offset), now)).toBeUndefined()
  for (const wrong of ['', '12345', '1234567', '12345a', '١٢٣٤٥٦']) expect(findTimeStep(secret, wrong, now)).toBeUndefined()
})

test('authenticator apps can read the URL of the QR code', () => {
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(otpauthUrl(secret, { issuer: 'May fly', account: 'a+b@x.test' })).toBe(
    'otpauth://totp/May%20fly:a%2Bb%40x.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=May%20fly',
  )
})

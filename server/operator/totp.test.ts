import { expect, test } from 'vitest'
import { otpauthUrl, toBase32, totpCodeAt } from './totp.ts'

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

test('authenticator apps can read the URL of the QR code', () => {
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(otpauthUrl(secret, { issuer: 'May fly', account: 'a+b@x.test' })).toBe(
    'otpauth://totp/May%20fly:a%2Bb%40x.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=May%20fly',
  )
})

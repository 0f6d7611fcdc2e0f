/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds, as every authenticator app expects. */
import { createHmac } from 'node:crypto'

export const TOTP_STEP_MS = 30_000
const DIGITS = 6
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of one step (RFC 4226 section 5.3). */
export function totpCodeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** RFC 4648 section 6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The URL in the QR code for an authenticator app. */
export function otpauthUrl(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

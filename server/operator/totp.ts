/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds, as every authenticator app expects. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const DIGITS = 6
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Time steps before and after now that are accepted, because clocks of phones differ (RFC 6238 section 5.2). */
const WINDOW = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const createTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The code of one step (RFC 4226 section 5.3). */
export function totpCodeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step that a code belongs to; `undefined` if it belongs to none around now. The caller refuses used steps. */
export function findTimeStep(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const given = Buffer.from(code)
  if (!/^\d{6}$/.test(code)) return undefined
  const now = Math.floor(nowMs / STEP_MS)
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => now - WINDOW + index)
  return steps.filter(step => timingSafeEqual(Buffer.from(totpCodeAt(secret, step)), given)).at(-1)
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

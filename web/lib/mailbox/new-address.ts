/** New addresses of this device, for the home page and the account: whether one may be created now, and what was counted. */
import { deviceFingerprint } from '../bot-check/fingerprint.ts'
import { localStore } from '../browser/storage.ts'
import { allowanceFor, type NewAddressAllowance, newAddressLimit, recordAttempt } from './new-address-limit.ts'

/** The server's last refusal, whose count may differ from this browser's. `until`: a time of `Date.now()`. */
let refusal = { isPro: false, until: 0 }

/** The server creates no address for the next `seconds`: for this account with `isPro`, else for this network. */
export function noteRefusal(isPro: boolean, seconds: number): void {
  refusal = { isPro, until: Date.now() + seconds * 1000 }
}

/** What may be created now, by the browser's own count and by the server's last refusal. */
export function newAddressAllowance(isPro: boolean): NewAddressAllowance {
  const now = Date.now()
  const allowance = allowanceFor(localStore, deviceFingerprint(), now, newAddressLimit(isPro))
  const refusedSeconds = refusal.isPro === isPro ? Math.ceil((refusal.until - now) / 1000) : 0
  if (refusedSeconds <= 0) return allowance
  return { remaining: 0, secondsUntilReset: Math.max(refusedSeconds, allowance.secondsUntilReset) }
}

export function recordNewAddress(isPro: boolean): void {
  recordAttempt(localStore, deviceFingerprint(), Date.now(), newAddressLimit(isPro))
}

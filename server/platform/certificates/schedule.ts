/** When a certificate is renewed, and when a failed order is tried again. */
import { HOUR_MS } from '#contract/limits.ts'

const MINUTE_MS = 60_000
/** Public authorities limit failed checks of a name per hour, so the pauses grow quickly. */
const FIRST_PAUSE_MS = MINUTE_MS
const PAUSE_GROWTH = 4
const PAUSE_MS_MAX = 12 * HOUR_MS
/** Random, so that machines that failed together do not retry together. */
const PAUSE_JITTER = 0.2

type Validity = { readonly validFrom: number; readonly validTo: number }

/** Within the twelfth of its life before the last third begins: 30 days before the end of 90. `random` from 0 to 1. */
export function renewalAt({ validFrom, validTo }: Validity, random: number): number {
  const lifeMs = validTo - validFrom
  return validTo - lifeMs / 3 - (random * lifeMs) / 12
}

/** `failures`: in a row, including this one. `waitMs`: how long the authority asked to wait. */
export function retryAt(nowMs: number, failures: number, waitMs: number, random: number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** (failures - 1), PAUSE_MS_MAX)
  return nowMs + Math.max(waitMs, pauseMs) * (1 + random * PAUSE_JITTER)
}

/** How many connections the file descriptors of the process allow. */
import { readFileSync } from 'node:fs'

/** Share that SMTP may use at most, beside its refused connections. */
const SMTP_SHARE = 0.6
/** Refused connections of SMTP that still wait for their reply, as a share of the accepted ones. Beyond it they are dropped without one. */
export const REFUSALS_SHARE = 0.1
/** Share that is left for the store, threads and what the server sends. */
const OTHER_SHARE = 0.1

/** `smtpMax`: the most that SMTP may have however many descriptors there are. HTTP may have what it leaves. */
export function connectionsAllowed(smtpMax: number): { readonly smtp: number; readonly http: number } {
  const all = descriptorsMax()
  const smtp = Math.min(smtpMax, Math.floor(all * SMTP_SHARE))
  return { smtp, http: Math.floor(all * (1 - OTHER_SHARE) - smtp * (1 + REFUSALS_SHARE)) }
}

/** Node has no call for it. Without /proc there is no limit. */
function descriptorsMax(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit ? Number(limit) : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

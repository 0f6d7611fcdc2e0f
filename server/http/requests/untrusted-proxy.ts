/** Tells the operator of a proxy that TRUST_PROXY does not name. */
import type { Log } from '#server/platform/log.ts'
import { canonicalIp, type IpRanges, isLocalIp } from '#server/platform/net/ip-address.ts'

const HARM = 'so every visitor who comes that way counts as one and shares one limit'

/**
 * Logs once that a proxy missing from TRUST_PROXY forwards requests. Only private addresses are logged: a public one may belong to a
 * visitor who made the header up.
 */
export function createProxyWarning(log: Pick<Log, 'warn'>, trusted: IpRanges, onFound: (ip: string) => void = () => undefined) {
  const logged = new Set<'near' | 'far'>()
  return (peer: string | undefined, forwardedFor: string | undefined): void => {
    const ip = canonicalIp(peer ?? '')
    if (forwardedFor === undefined || ip === undefined || trusted.has(ip)) return
    const where = isLocalIp(ip) ? 'near' : 'far'
    if (logged.has(where)) return
    logged.add(where)
    if (where === 'near') onFound(ip)
    if (where === 'near')
      log.warn(`A proxy at ${ip} sends X-Forwarded-For and is not trusted, ${HARM}. If it is yours, set TRUST_PROXY=${ip}`)
    else
      log.warn(
        `A request came with X-Forwarded-For from an address that is not trusted. If your proxy has it, name it in TRUST_PROXY; else ignore this`,
      )
  }
}

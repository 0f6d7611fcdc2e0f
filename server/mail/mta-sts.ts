/**
 * MTA-STS (RFC 8461): senders that know of it deliver only to these hosts, over TLS with a certificate that they can verify. A subdomain of
 * its own has none, because DNS knows no wildcard between two labels.
 */
import { createHash } from 'node:crypto'

const WEEK_SECONDS = 604_800
const ID_CHARS = 20
const HOST = 'mta-sts.'

export const mtaStsHost = (domain: string) => HOST + domain
/** `undefined` for a host that serves no policy. */
export const domainOfMtaSts = (host: string) => (host.startsWith(HOST) ? host.slice(HOST.length) : undefined)

/** `record`: of `_mta-sts.DOMAIN`. It changes with the policy, which senders read again then. */
export function createMtaSts(mailHosts: readonly string[]): { readonly policy: string; readonly record: string } {
  const hosts = mailHosts.map(host => `mx: ${host}`)
  const policy = ['version: STSv1', 'mode: enforce', ...hosts, `max_age: ${WEEK_SECONDS}`, ''].join('\r\n')
  return { policy, record: `v=STSv1; id=${createHash('sha256').update(policy).digest('hex').slice(0, ID_CHARS)}` }
}

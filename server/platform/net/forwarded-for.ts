/** The client's address: the socket's peer, or what a trusted proxy reports. */
import { canonicalIp, type IpRanges } from './ip-address.ts'

/** No real chain of proxies is longer. */
const HOPS_MAX = 16

/**
 * Reads `X-Forwarded-For` from the right, as long as the hop that wrote an entry is trusted: the client can write anything further left.
 */
export function clientIp(peer: string | undefined, forwardedFor: string | undefined, trusted: IpRanges): string {
  let ip = canonicalIp(peer ?? '') ?? '0.0.0.0'
  if (forwardedFor === undefined) return ip
  const hops = forwardedFor.split(',').slice(-HOPS_MAX)
  for (let index = hops.length - 1; index >= 0 && trusted.has(ip); index--) {
    const hop = canonicalIp((hops[index] ?? '').trim())
    if (hop === undefined) break
    ip = hop
  }
  return ip
}

/** DNS blocklists (RFC 5782): looks up the sending server's address in the operator's lists. */
import { BoundedMap } from '../bounded-map.ts'
import { isPublicIp, reversedLabels } from './ip-address.ts'

/** Lists change within minutes; a sender of many mails is looked up once. */
const KEPT_MS = 5 * 60_000
const KEPT_MAX = 10_000

/** Whether an A record says that the address is on the list. */
export const isListing = (record: string) => record.startsWith('127.') && !isRefusal(record)
/** How Spamhaus and others say that this resolver may not ask, which is not a listing. */
export const isRefusal = (record: string) => record.startsWith('127.255.255.')

/**
 * Resolves to the zones that list the address, in their order. Never rejects: a list that does not respond lists nobody. `zones`: e.g.
 * `zen.example.org`. `resolve`: the A records of a name; rejects when there are none, or nobody answered. `nowMs`: monotonic.
 */
export function createBlocklists(zones: readonly string[], resolve: (name: string) => Promise<readonly string[]>, nowMs: () => number) {
  const kept = new BoundedMap<string, { readonly isListed: boolean; readonly until: number }>(KEPT_MAX)

  async function isListed(name: string): Promise<boolean> {
    const known = kept.get(name)
    if (known && known.until > nowMs()) return known.isListed
    try {
      const records = await resolve(name)
      return keep(name, records.some(isListing))
    } catch (error) {
      const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
      return isAbsent ? keep(name, false) : false
    }
  }

  function keep(name: string, listed: boolean): boolean {
    kept.set(name, { isListed: listed, until: nowMs() + KEPT_MS })
    return listed
  }

  return async (ip: string): Promise<string[]> => {
    if (zones.length === 0 || !isPublicIp(ip)) return []
    const { labels } = reversedLabels(ip)
    const listed = await Promise.all(zones.map(zone => isListed(`${labels}.${zone}`)))
    return zones.filter((_, index) => listed[index])
  }
}

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

type BlocklistDeps = {
  /** Zones, e.g. `zen.example.org`. */
  readonly zones: readonly string[]
  /** A records of a name. Rejects when there are none, or nobody answered. */
  readonly resolve: (name: string) => Promise<readonly string[]>
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
}

type Kept = { readonly isListed: boolean; readonly until: number }

/** Resolves to the zones that list the address, in their order. Never rejects: a list that does not respond lists nobody. */
export function createBlocklists({ zones, resolve, nowMs }: BlocklistDeps): (ip: string) => Promise<string[]> {
  const kept = new BoundedMap<string, Kept>(KEPT_MAX)

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

  return async ip => {
    if (zones.length === 0 || !isPublicIp(ip)) return []
    const { labels } = reversedLabels(ip)
    const listed = await Promise.all(zones.map(zone => isListed(`${labels}.${zone}`)))
    return zones.filter((_, index) => listed[index])
  }
}

/**
 * Newsletters send links through a click counter, even if the words of a link name a shop: `Walmart.com` opens click.news.example. A
 * counter has a different URL for each link, while a mail that imitates a shop leads to one page from everywhere. Pure: no DOM.
 */
import { judgeLink } from './link-target.ts'
import { unwrapLink } from './rewriters.ts'

/** A mail that imitates another has its one page, and perhaps a picture and a link to unsubscribe. */
const ADDRESSES_MIN = 5
/** A newsletter has about 50 links; the thousandth is an attack. */
const LINKS_READ_MAX = 2000

/** The hosts, as `judgeLink` shows them, to which this many different links of a mail lead. */
export function clickCounters(urls: readonly string[]): ReadonlySet<string> {
  const addresses = new Map<string, Set<string>>()
  for (const url of new Set(urls.slice(0, LINKS_READ_MAX))) {
    const { host } = judgeLink(url, '')
    // The part after `#` never reaches the host, so it does not count.
    const address = unwrapLink(url).replace(/#.*/, '')
    if (host !== '') addresses.set(host, (addresses.get(host) ?? new Set()).add(address))
  }
  return new Set([...addresses].flatMap(([host, { size }]) => (size >= ADDRESSES_MIN ? [host] : [])))
}

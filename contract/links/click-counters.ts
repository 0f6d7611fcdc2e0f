/**
 * Newsletters lead through a counter of clicks, also where the words of a link name a shop: `Walmart.com` opens click.news.example. Such a counter
 * has an address of its own for each link, while a mail that imitates a shop leads to one page from everywhere. Pure: no DOM.
 */
import { judgeLink } from './link-target.ts'
import { unwrapLink } from './rewriters.ts'

/** A mail that imitates another has its page, and perhaps a picture and a way to leave the list. */
const ADDRESSES_MIN = 5
/** A newsletter has some 50 links; the thousandth is an attack. */
const LINKS_READ_MAX = 2000

/** The hosts, as `judgeLink` shows them, that this many different links of one mail lead to. */
export function clickCounters(urls: readonly string[]): ReadonlySet<string> {
  const addresses = new Map<string, Set<string>>()
  for (const url of new Set(urls.slice(0, LINKS_READ_MAX))) {
    const { host } = judgeLink(url, '')
    // What follows `#` never reaches the host, so it counts nothing.
    const address = unwrapLink(url).replace(/#.*/, '')
    if (host !== '') addresses.set(host, (addresses.get(host) ?? new Set()).add(address))
  }
  return new Set([...addresses].flatMap(([host, { size }]) => (size >= ADDRESSES_MIN ? [host] : [])))
}

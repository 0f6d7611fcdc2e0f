/** Which of a mail's odd links the reader is warned of, once all its links are known. Pure: no DOM. */
import { clickCounters } from '#contract/links/click-counters.ts'
import type { LinkVerdict } from '#contract/links/link-target.ts'
import { isBrandHost } from '../sender/brands.ts'

/**
 * Whether a link of this mail deserves a warning. One that names a shop and opens the mail's counter of clicks does not, unless the name is one that
 * phishing mail takes most or the sender is doubtful; where it leads is written beside it all the same.
 */
export function alarmOf(urls: readonly string[], isSenderDoubtful: boolean): (link: LinkVerdict) => boolean {
  const counters = isSenderDoubtful ? new Set<string>() : clickCounters(urls)
  return ({ flag, host, named = '' }) => flag !== undefined && !(flag === 'mismatch' && counters.has(host) && !isBrandHost(named))
}

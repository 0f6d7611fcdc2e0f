/** Decides which of a mail's unusual links cause a warning, once all its links are known. Pure: no DOM. */
import { clickCounters } from '#contract/links/click-counters.ts'
import type { LinkVerdict } from '#contract/links/link-target.ts'
import { isBrandHost } from '../sender/brands.ts'

/**
 * Whether a link of this mail deserves a warning. A link that names a shop and opens the mail's click counter does not, unless phishing
 * often uses that name or the sender is doubtful. Its target is shown next to it in any case.
 */
export function alarmOf(urls: readonly string[], isSenderDoubtful: boolean): (link: LinkVerdict) => boolean {
  const counters = isSenderDoubtful ? new Set<string>() : clickCounters(urls)
  return ({ flag, host, named = '' }) => flag !== undefined && !(flag === 'mismatch' && counters.has(host) && !isBrandHost(named))
}

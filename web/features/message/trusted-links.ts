/** What a mail's warnings mean for its links. Pure: no DOM. */
import { isBrandHost } from '#contract/claimed-brand.ts'
import type { ConfirmationLink, Message } from '#contract/mailbox.ts'
import { clickCounters, judgeLink, type LinkVerdict } from '#reader/links/judge-link.ts'

/**
 * Whether a link of this mail deserves a warning. A link that names a shop and opens the mail's click counter does not, unless phishing
 * often uses that name or the sender is contradicted. Its target is shown next to it in any case.
 */
export function alarmOf(urls: readonly string[], isContradicted: boolean): (link: LinkVerdict) => boolean {
  const counters = isContradicted ? new Set<string>() : clickCounters(urls)
  return ({ flag, host, named = '' }) => flag !== undefined && !(flag === 'mismatch' && counters.has(host) && !isBrandHost(named))
}

const LINKS_MAX = 3

type Sender = Pick<Message, 'verdict'>

/** The confirmation links put before the mail itself. */
export function liftedLinks(message: Sender & Pick<Message, 'links'>): Message['links'] {
  return message.links.filter(link => isLinkTrusted(message, link)).slice(0, LINKS_MAX)
}

/**
 * Whether a link may be offered outside the mail: not if the sender is contradicted, and not if the link is deceptive.
 */
export function isLinkTrusted({ verdict }: Sender, { url, label }: ConfirmationLink): boolean {
  return verdict !== 'contradicted' && judgeLink(url, label).flag === undefined
}

import { hasFailedAuthentication } from '#contract/failed-authentication.ts'
import { judgeLink } from '#contract/links/link-target.ts'
import type { Message } from '#contract/mailbox.ts'
import { senderWarning } from '../sender/sender-warning.ts'

const LINKS_MAX = 3

/** The confirmation links put before the mail itself: none of a sender who pretends or failed the checks, and none that pretends itself. */
export function liftedLinks(message: Pick<Message, 'links' | 'from' | 'authentication'>): Message['links'] {
  if (hasFailedAuthentication(message.authentication) || senderWarning(message.from)) return []
  return message.links.filter(({ url, label }) => judgeLink(url, label).flag === undefined).slice(0, LINKS_MAX)
}

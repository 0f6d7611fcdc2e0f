import { hasFailedAuthentication } from '#contract/failed-authentication.ts'
import { judgeLink } from '#contract/links/link-target.ts'
import type { ConfirmationLink, Message } from '#contract/mailbox.ts'
import { senderWarning } from '../sender/sender-warning.ts'

const LINKS_MAX = 3

type Sender = Pick<Message, 'from' | 'authentication'>

/** The confirmation links put before the mail itself. */
export function liftedLinks(message: Sender & Pick<Message, 'links'>): Message['links'] {
  return message.links.filter(link => isLinkTrusted(message, link)).slice(0, LINKS_MAX)
}

/**
 * Whether a link may be offered outside the mail: not if the sender is deceptive or failed the checks, and not if the link is deceptive.
 */
export function isLinkTrusted({ from, authentication }: Sender, { url, label }: ConfirmationLink): boolean {
  if (hasFailedAuthentication(authentication) || senderWarning(from)) return false
  return judgeLink(url, label).flag === undefined
}

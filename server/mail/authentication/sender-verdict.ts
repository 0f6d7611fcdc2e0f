/** The one verdict on the shown sender. Whatever tells a reader or a program about the sender follows from it. */
import type { Authentication, SenderVerdict } from '#contract/mailbox.ts'
import { senderWarning } from '#contract/sender-warning.ts'
import type { MailAddress } from '#reader/mime/types.ts'
import { senderDomain } from '#reader/shown-sender.ts'

/** `authentication` is missing until the checks are done. */
export function senderVerdict(from: MailAddress, authentication: Authentication | undefined): SenderVerdict {
  if (senderWarning(from) !== undefined) return { verdict: 'contradicted', verdictReason: 'imitation' }
  if (!authentication) return { verdict: 'unknown', verdictReason: 'unchecked' }
  const { dmarc, policy, domain, unsigned = [], dkim, domainBy = dkim === 'pass' ? 'dkim' : 'spf' } = authentication
  // docs/decisions/0038-who-is-contradicted.md. A check that was not complete is no fail: evaluateDmarc.
  if (dmarc === 'fail' && (policy === 'quarantine' || policy === 'reject')) return { verdict: 'contradicted', verdictReason: 'policy' }
  if (dmarc === 'permerror') return { verdict: 'unknown', verdictReason: 'several_senders' }
  if (domain === undefined) return { verdict: 'unknown', verdictReason: 'unverified' }
  if (unsigned.length > 0) return { verdict: 'unknown', verdictReason: 'signed_in_part' }
  if (dmarc === 'pass' || (isUnjudged(dmarc) && isOwn(domain, senderDomain(from.address))))
    return { verdict: 'vouched', verdictReason: domainBy === 'dkim' ? 'signed' : 'server' }
  return { verdict: 'unknown', verdictReason: domainBy === 'dkim' ? 'signed_by_other' : 'server_of_other' }
}

/** The owner publishes no record, or it could not be read: a signature counts all the same. */
function isUnjudged(dmarc: Authentication['dmarc']): boolean {
  return dmarc === 'none' || dmarc === 'temperror'
}

/** Without a record only the domain itself, or one above it, is known to have the same owner. */
function isOwn(domain: string, author: string): boolean {
  return author === domain || author.endsWith(`.${domain}`)
}

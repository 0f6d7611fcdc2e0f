/** The one verdict on the shown sender. Whatever tells a reader or a program about the sender follows from it. */
import { isCalled } from '#contract/claimed-brand.ts'
import type { Authentication, SenderVerdict } from '#contract/mailbox.ts'
import { senderWarning } from '#contract/sender-warning.ts'
import { isSameSite, plainAddresses } from '#reader/links/judge-link.ts'
import type { MailAddress } from '#reader/mime/types.ts'
import { senderDomain } from '#reader/shown-sender.ts'

/** Names and hosts of this site, which writes to nobody at its own domains. */
export type OwnSite = { readonly names: readonly string[]; readonly hosts: readonly string[] }
/** `address`: it is at a domain of this site. */
export type SiteClaim = 'address' | 'name'

/** How a sender says that it is this site. "localhost" is also whatever runs beside it. */
export function siteClaim({ name, address }: MailAddress, { names, hosts }: OwnSite): SiteClaim | undefined {
  const host = senderDomain(address)
  const own = hosts.filter(each => each.includes('.'))
  if (own.some(each => host === each || host.endsWith(`.${each}`))) return 'address'
  if (own.some(each => `.${host}`.includes(`.${each}.`))) return 'name'
  const called = plainAddresses(name).toLowerCase()
  const isNamed = own.some(each => called.includes(each)) || isCalled(name, names)
  return isNamed && !own.some(each => isSameSite(each, host)) ? 'name' : undefined
}

/** `authentication` is missing until the checks are done. */
export function senderVerdict(from: MailAddress, authentication: Authentication | undefined, claim?: SiteClaim): SenderVerdict {
  const isClaimed = claim === 'name' || (claim === 'address' && authentication?.dmarc !== 'pass')
  if (isClaimed || senderWarning(from) !== undefined) return { verdict: 'contradicted', verdictReason: 'imitation' }
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

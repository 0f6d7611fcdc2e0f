/** The one verdict on the shown sender. Whatever tells a reader or a program about the sender follows from it. */
import { isCalled } from '#contract/claimed-brand.ts'
import type { Authentication, SenderVerdict } from '#contract/mailbox.ts'
import { addressBehind, senderWarning } from '#contract/sender-warning.ts'
import { isSameSite, plainAddresses } from '#reader/links/judge-link.ts'
import type { MailAddress } from '#reader/mime/types.ts'
import { senderDomain } from '#reader/shown-sender.ts'
import { isReserved } from '../addresses/chosen-addresses.ts'

/** This site, which writes to nobody at its own domains. `isChecking`: authentication results follow. */
export type OwnSite = { readonly name: string; readonly operator: string; readonly hosts: readonly string[]; readonly isChecking: boolean }
/** `address`: it is at a domain of this site, which the checks may confirm. */
export type SiteClaim = 'address' | 'name'

/** A company's name has one of its forms, or is one word. A person shares the name with others. */
const COMPANY =
  /[ .](?:ltd|limited|gmbh|mbh|ug|ag|kg|ohg|inc|llc|corp|company|plc|sl|sa|srl|sarl|sas|bv|ab|oy|aps|v|foundation|stiftung)\.?$/i
const PERSON = /^\p{L}[^ \d]*(?: \p{L}[^ \d]*){1,5}$/u

/** `box.co` is neither in `Dropbox.com` nor in `box.co.uk`. */
const LETTER_BEFORE = /[\p{L}\p{N}-]$/u
const MORE_BEHIND = /^(?:[\p{L}\p{N}-]|\.[a-z]{2}(?![\p{L}\p{N}-]|\.[\p{L}\p{N}]))/u

/** How a sender says that it is this site. "localhost" is also whatever runs beside it. */
export function siteClaim({ name, address }: MailAddress, site: OwnSite): SiteClaim | undefined {
  const host = senderDomain(address)
  const own = site.hosts.filter(each => each.includes('.'))
  if (own.some(each => host === each || host.endsWith(`.${each}`))) return site.isChecking ? 'address' : 'name'
  if (own.some(each => isSameSite(each, host))) return undefined
  const called = plainAddresses(name).toLowerCase()
  const isShared = PERSON.test(site.operator) && !COMPANY.test(site.operator)
  const isNamed = own.some(each => namesHost(host, each) || namesHost(called, each))
  // `Ann via Mayfly` is a list's form, too.
  const names = [name, ...name.split(/ via /i).slice(1)]
  return isNamed || names.some(each => isCalled(each, site.name) || isCalled(each, site.operator, isShared)) ? 'name' : undefined
}

/** Lists and forms put the address of whom they write for into a name, so an address that a visitor can have is no claim. */
function namesHost(text: string, own: string): boolean {
  const [first = '', ...rest] = text.split(own)
  return rest.some((behind, i) => {
    const before = i === 0 ? first : (rest[i - 1] ?? '')
    const [local = '', ...domain] = addressBehind(before)
    const isVisitor = domain.length > 0 && local !== '' && !isReserved(local)
    return !isVisitor && !LETTER_BEFORE.test(before) && !MORE_BEHIND.test(behind)
  })
}

/** `authentication` is missing until the checks are done. */
export function senderVerdict(from: MailAddress, authentication: Authentication | undefined, claim?: SiteClaim): SenderVerdict {
  const isClaimed = claim === 'name' || (claim === 'address' && authentication && authentication.dmarc !== 'pass')
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
const isUnjudged = (dmarc: Authentication['dmarc']): boolean => dmarc === 'none' || dmarc === 'temperror'

/** Without a record only the domain itself, or one above it, is known to have the same owner. */
const isOwn = (domain: string, author: string): boolean => author === domain || author.endsWith(`.${domain}`)

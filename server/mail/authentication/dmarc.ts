/** DMARC of the shown sender (RFC 9989): whether its domain vouches for the mail, and what its owner asks for if it does not. */
import { createRecordLookup, discoverPolicy } from 'mailauth/lib/dmarc/get-dmarc-record.js'
import { dmarc as checkDmarc } from 'mailauth/lib/dmarc/index.js'
import type { Authentication } from '#contract/mailbox.ts'
import { registeredDomain } from '#server/platform/net/registered-domain.ts'
import { isWithin, type LibraryResolve } from './lookups.ts'

/** A domain in Punycode that SPF or a signature speaks for, and the result. */
export type Identifier = { readonly domain: string; readonly result: string }

export type Evaluation = {
  readonly result: string
  readonly organization: string
  /** The policy in force, and the domain whose record says so; missing without a record. */
  readonly policy?: Authentication['policy']
  readonly policyDomain?: string | undefined
  /** The aligned domain that signed, and that of the sending server. */
  readonly signer?: string | undefined
  readonly sender?: string | undefined
}

/** With whether the owner asks that the domain itself signs or sends, and not another one of theirs. */
type Judgement = Evaluation & { readonly isStrict?: { readonly signer: boolean; readonly sender: boolean } }

/** DMARC fails only if it was evaluated completely: nothing that could have passed ended with a temporary error. */
export async function evaluateDmarc(
  author: string,
  senders: readonly Identifier[],
  signers: readonly Identifier[],
  resolve: LibraryResolve,
): Promise<Evaluation> {
  const organization = await declaredOrganization(author, resolve)
  // Owners below one public suffix are strangers to each other and to its operator, also where that operator publishes a DMARC record
  // without `psd`, as those of hosting services do.
  const isOneOwner = (domain: string) =>
    domain !== '' &&
    (registeredDomain(domain) === registeredDomain(author) || (organization !== undefined && isWithin(domain, organization)))
  const having = (results: readonly string[]) =>
    [senders, signers].map(all => all.filter(({ domain, result }) => results.includes(result) && isOneOwner(domain)))
  const [spf = [], dkim = []] = having(['pass'])
  const found = await judge(author, spf, dkim, resolve)
  if (found.result === 'fail') {
    const [mayPass = [], maySign = []] = having(['pass', 'temperror'])
    const best = await judge(author, mayPass, maySign, resolve)
    if (best.result !== 'fail') return { ...found, result: 'temperror' }
    // The record stands below what signed or sent: a fail since RFC 9989, and a pass by the public suffix list that most receivers still
    // follow (RFC 7489 section 3.2). Its owner may not know, and is not accused.
    const isOutside = ({ domain }: Identifier) => isWithin(author, domain) && !isWithin(domain, found.policyDomain ?? '')
    const isAlignedByList = (!found.isStrict?.signer && dkim.some(isOutside)) || (!found.isStrict?.sender && spf.some(isOutside))
    return isAlignedByList && organization === undefined ? { ...found, policy: 'none' } : found
  }
  if (found.result === 'pass') return found
  // Without a record only the domain itself, or one above it, is known to belong to the same owner.
  const isAbove = ({ domain }: Identifier) => isWithin(author, domain)
  return { ...found, signer: dkim.find(isAbove)?.domain, sender: spf.find(isAbove)?.domain }
}

/**
 * The domain above or at `author` whose record says that everything below it has one owner (`psd=n`, RFC 9989 section 4.7). It is believed
 * also where the public list names it a suffix, since nobody else can publish it.
 */
async function declaredOrganization(author: string, resolve: LibraryResolve): Promise<string | undefined> {
  try {
    const { orgDomain, orgRecord } = await discoverPolicy(author, createRecordLookup(resolve, { strict: true }))
    return orgDomain && orgRecord && orgRecord.psd === 'n' ? orgDomain : undefined
  } catch {
    // The evaluation meets the same fault of DNS, and says so.
    return undefined
  }
}

/** DMARC of a sender of `author` for whom the domains of SPF and DKIM vouch. */
async function judge(
  author: string,
  spf: readonly Identifier[],
  dkim: readonly Identifier[],
  resolver: LibraryResolve,
): Promise<Judgement> {
  if (author === '') return { result: 'none', organization: '' }
  const spfDomains = spf.map(({ domain }) => domain)
  const dkimDomains = dkim.map(({ domain }) => ({ domain }))
  // Strict: a record that has a tag twice is none (RFC 9989 section 4.7).
  const found = await checkDmarc({ headerFrom: [`sender@${author}`], fromFields: 1, spfDomains, dkimDomains, resolver, strict: true })
  if (!found) return { result: 'none', organization: author }
  const { result = 'none' } = found.status
  const organization = found.domain || author
  if (result !== 'pass' && result !== 'fail') return { result, organization }
  const { alignment, policyDomain } = found
  const vouching = { signer: alignment.dkim.result || undefined, sender: alignment.spf.result || undefined }
  const isStrict = { signer: alignment.dkim.strict, sender: alignment.spf.strict }
  return { result, organization, policy: policyInForce(found), policyDomain, ...vouching, isStrict }
}

/**
 * The policy that the owner asks for. With `t=y` they are testing, and expect that mail of their own fails (RFC 9989 section 4.7).
 * `pct=0` said so before it (RFC 7489 section 6.3); other values of `pct` mean nothing any more.
 */
function policyInForce({ policy, testMode, rr = '' }: Exclude<Awaited<ReturnType<typeof checkDmarc>>, false>): Evaluation['policy'] {
  const isTesting = testMode || /(?:^|;)\s*pct\s*=\s*0+\s*(?:;|$)/i.test(rr)
  return !isTesting && (policy === 'reject' || policy === 'quarantine') ? policy : 'none'
}

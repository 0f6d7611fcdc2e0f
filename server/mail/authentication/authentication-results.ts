import { spf as checkSpf } from 'mailauth'
import type { Authentication } from '#contract/mailbox.ts'
import { senderDomain } from '#reader/shown-sender.ts'
import { CpuTurns } from '#server/platform/limits/cpu-turns.ts'
import { largestNetwork, networksAround } from '#server/platform/net/ip-address.ts'
import { type Evaluation, evaluateDmarc, type Identifier } from './dmarc.ts'
import { boundedLookups, isWithin, type Resolve } from './lookups.ts'
import type { SignedMail, UnsignedMail } from './shown-authors.ts'
import { checkSignatures, NO_SIGNATURES, type Signature } from './signatures.ts'

/** What is known about the connection that a message came over. */
export type AuthenticatedConnection = {
  readonly clientAddress: string
  /** The EHLO name as the client gave it: untrusted. */
  readonly helo: string
  /** Reverse path; empty for `MAIL FROM:<>`. */
  readonly from: string
}

const RESULTS = new Set<string>(['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'])
type Result = Authentication['spf']

/** How long a mail waits for its turns to be read, until which its check goes on. */
type Waits = { readonly nowMs?: () => number; readonly turnMsMax?: number; readonly ended?: Promise<void> }

/** All checks of this thread take them. */
const turns = new CpuTurns()

/** Milliseconds of CPU time that the largest network around this client has lately had of all checks. */
export const cpuUsedBy = (clientAddress: string): number => turns.usedBy(largestNetwork(networksAround(clientAddress)))

/**
 * SPF, DKIM, DMARC and ARC of one message (RFC 7208, 6376, 9989, 8617). Reads only DNS, through `resolve`. A failing resolver leads to
 * `temperror`, never to an exception. Once `ended`, no more of its body and signatures is read.
 */
export async function readAuthentication(
  connection: AuthenticatedConnection,
  mail: SignedMail | UnsignedMail,
  resolve: Resolve,
  waits: Waits = {},
): Promise<Authentication> {
  const ending = new AbortController()
  void waits.ended?.then(() => ending.abort())
  try {
    return await readInTurns(connection, mail, resolve, waits, () => turns.next(networksAround(connection.clientAddress), ending.signal))
  } finally {
    // Answers that nobody waits for any more would still have their turns.
    ending.abort()
  }
}

/** `nextTurn` resolves to `false` if the check is to end instead. */
async function readInTurns(
  connection: AuthenticatedConnection,
  mail: SignedMail | UnsignedMail,
  resolve: Resolve,
  { nowMs = () => performance.now(), turnMsMax }: Waits,
  nextTurn: () => Promise<boolean>,
): Promise<Authentication> {
  const { clientAddress: ip, helo, from: sender } = connection
  const { author, areSeveral } = mail
  const lookups = boundedLookups(resolve, author, nowMs, nextTurn)
  // SPF needs no header: a mail whose form keeps its signatures from being read is judged by it alone.
  const checkingSpf = checkSpf({ ip, helo, sender, mta: 'mayfly', resolver: lookups.spf, strict: true })
  // The organization is known first, because what its names need is not shared with what the mail itself names.
  lookups.organization = (await evaluateDmarc(author, [], [], lookups.author)).organization
  const checkingSignatures = 'raw' in mail ? checkSignatures(mail, lookups.keys, { next: nextTurn, msMax: turnMsMax }) : NO_SIGNATURES
  const [spf, signatures] = await Promise.all([checkingSpf, checkingSignatures])
  const senders = spf ? [{ domain: senderDomain(`@${spf.domain || ''}`), result: spf.status.result }] : []
  // The first one that is aligned vouches: that should be one of all that is shown.
  const signers = (signatures?.dkim ?? []).toSorted((one, other) => gaps(one) - gaps(other))
  const dmarc = await evaluateDmarc(author, senders, signers, lookups.author)
  // One of several senders is shown, and nobody vouches for that (RFC 9989 section 5.3.1).
  const isNobodyOwn = areSeveral || (signatures?.fromFields ?? 0) > 1
  return {
    spf: resultWord(senders[0]?.result),
    dkim: signatures ? resultWord(signers[0]?.result) : 'permerror',
    dmarc: isNobodyOwn && author !== '' && dmarc.result !== 'fail' ? 'permerror' : resultWord(dmarc.result),
    arc: signatures ? resultWord(signatures.arc) : 'permerror',
    ...(dmarc.policy && { policy: dmarc.policy, policyDomain: dmarc.policyDomain }),
    ...voucher(author, dmarc, senders, signers),
  }
}

type Voucher = Pick<Authentication, 'domain' | 'domainBy' | 'unsigned'>

/** Who vouches for the mail: the domain of the sender itself if it does, by a signature of all that is shown if there is one. */
function voucher(author: string, dmarc: Evaluation, senders: readonly Identifier[], signers: readonly Signature[]): Voucher {
  const isOwn = ({ domain }: Identifier) => domain === dmarc.signer
  const whole = signers.filter(({ result, unsigned }) => result === 'pass' && unsigned.length === 0)
  const signer = whole.find(isOwn)
  if (signer) return { domain: signer.domain, domainBy: 'dkim' }
  if (dmarc.sender !== undefined) return { domain: dmarc.sender, domainBy: 'spf' }
  const inPart = signers.find(({ domain, unsigned }) => unsigned.length > 0 && (domain === dmarc.signer || domain === author))
  if (inPart) return { domain: inPart.domain, domainBy: 'dkim', unsigned: [...inPart.unsigned] }
  // A domain above the sender's that does not vouch for it is the operator of a public suffix.
  const isOther = ({ domain }: Identifier) => domain !== '' && (domain === author || !isWithin(author, domain))
  const other = whole.find(isOther)
  if (other) return { domain: other.domain, domainBy: 'dkim' }
  const server = senders.find(each => each.result === 'pass' && isOther(each))
  return server ? { domain: server.domain, domainBy: 'spf' } : {}
}

const gaps = ({ result, unsigned }: Signature): number => (result === 'pass' ? unsigned.length : Number.MAX_SAFE_INTEGER)

/** Keeps the words of RFC 8601. `policy` is a signature that we do not accept; anything else counts as none. */
function resultWord(result: string | undefined): Result {
  if (result === 'policy') return 'fail'
  return result !== undefined && isResult(result) ? result : 'none'
}

const isResult = (result: string): result is Result => RESULTS.has(result)

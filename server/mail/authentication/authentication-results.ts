import { Readable } from 'node:stream'
import { authenticate as checkAuthentication, spf as checkSpf } from 'mailauth'
import { dmarc as checkDmarc } from 'mailauth/lib/dmarc/index.js'
import { KIB, MIB } from '#contract/limits.ts'
import type { Authentication } from '#contract/mailbox.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { senderDomain, shownSender } from '#reader/shown-sender.ts'

/** What is known about the connection that a message came over. */
export type AuthenticatedConnection = {
  readonly clientAddress: string
  /** The EHLO name as the client gave it: untrusted. */
  readonly helo: string
  /** Reverse path; empty for `MAIL FROM:<>`. */
  readonly from: string
}

/** Looks up one DNS record set. Rejects with `code` `ENOTFOUND` or `ENODATA` if there is none. */
type Resolve = (domain: string, type: string) => Promise<string[] | string[][]>

/**
 * How much may be looked up for one mail, each for itself: what the domain of the shown sender publishes, the keys of other signers, and
 * SPF. Whoever sends a mail chooses its signers and its envelope. If those have hundreds of names, or name servers that never reply, the
 * rest is looked up all the same, and the results are there before nobody waits for them.
 */
const LOOKUPS_MAX = 40
const LOOKUPS_MS_MAX = { author: 6000, signers: 4000, spf: 6000 } as const
type Purpose = keyof typeof LOOKUPS_MS_MAX

/**
 * The library reads some headers in a time that grows with the square of their lines, fields, spaces or words, and hashes the body again
 * for each signature with another `l=`. Of 1,150 mails of the corpora, the largest header has 205 KiB in 3,308 lines, the longest run of
 * spaces has 81 characters, and none has more than two signatures.
 */
const HEADER_BYTES_MAX = 256 * KIB
const HEADER_LINES_MAX = 5000
const HEADER_FIELDS_MAX = 1000
/** ARC fields stay under 20 kB. */
const PARSED_FIELD_BYTES_MAX = 32 * KIB
const PARSED_FIELD = /^(?:from|received|return-path|content-type|dkim-signature|arc-[a-z-]+)[ \t\r\n]*:/i
/** Spaces, line ends and dots. */
const RUN_MAX = 1000
/** DKIM signatures, and each of the three fields of an ARC set. */
const SIGNATURES_MAX = 10
const SIGNATURE = /^(?:dkim-signature|arc-[a-z-]+)/i
/** In a signature's `h=`: each is looked for among all fields. */
const SIGNED_NAMES_MAX = 1000

/**
 * CPU time to read a body, which is hashed for each signature. Measured: 17 ms for a MiB with one or two signatures, and 3,600 ms where
 * each line has a tab and ten signatures have an `l=`; lines that end with a bare LF take a second for a MiB.
 */
const CPU_MS_MIN = 500
const CPU_MS_PER_MIB = 200
const PIECE_BYTES = 64 * KIB

/**
 * The domain decides how long a record is: one of 64 KiB for SPF takes 14 seconds to read. A key of 4096 bits has 760 characters, and of
 * the longest lists of servers each record less than 4 KiB.
 */
const RECORD_CHARS_MAX = 4096

const RESULTS = new Set<string>(['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'])
type Result = Authentication['spf']

/**
 * SPF, DKIM, DMARC and ARC of one message (RFC 7208, 6376, 9989, 8617). Reads only DNS, through `resolve`. A failing resolver leads to
 * `temperror`, never to an exception.
 */
export async function readAuthentication(
  connection: AuthenticatedConnection,
  raw: Uint8Array,
  resolve: Resolve,
  nowMs = () => performance.now(),
): Promise<Authentication> {
  const author = shownDomain(raw)
  const lookups = boundedLookups(resolve, author, nowMs)
  const { resolver } = lookups
  // The organization is known first, because what its names need is not shared with what the mail itself names.
  lookups.organization = (await evaluateDmarc(author, [], [], resolver)).organization
  const envelope = { ip: connection.clientAddress, helo: connection.helo, sender: connection.from, mta: 'mayfly', resolver }
  const read = isHeaderOrdinary(raw)
    ? await inTurn(raw, message => checkAuthentication(message, { ...envelope, trustReceived: false, disableBimi: true }))
    : undefined
  // A mail's form can keep its signatures from being read, and whoever forges a sender chooses the form. SPF needs no header.
  const spf = read ? read.spf : await checkSpf(envelope)
  const senders = spf ? [identifier(spf.domain, spf.status.result)] : []
  const signers = (read?.dkim.results ?? []).map(row => identifier(row.signingDomain, row.status.result))
  const dmarc = await dmarcResult(author, senders, signers, resolver)
  // The library reads From fields in its own way, and does not judge several senders. What it finds for another domain than the one that is
  // shown vouches for nobody.
  const isShownRead = read !== undefined && read.dmarc !== false && senderDomain(`@${read.dmarc.status.header?.from}`) === author
  const isUnclear = author !== '' && dmarc.result !== 'fail' && !isShownRead
  const signer = signers.find(({ domain, result }) => result === 'pass' && (dmarc.signer ?? domain) === domain)
  const sender = senders.find(({ result }) => result === 'pass')
  const isSigned = signer !== undefined && (dmarc.signer !== undefined || dmarc.sender === undefined)
  const voucher = isSigned ? signer : sender
  return {
    spf: resultWord(senders[0]?.result),
    dkim: read ? resultWord((signer ?? signers[0])?.result) : 'permerror',
    dmarc: isUnclear ? 'permerror' : resultWord(dmarc.result),
    arc: read ? resultWord(read.arc ? read.arc.status.result : 'none') : 'permerror',
    ...(dmarc.policy && { policy: dmarc.policy }),
    ...(voucher && { domain: voucher.domain, domainBy: isSigned ? ('dkim' as const) : ('spf' as const) }),
  }
}

/** A domain in Punycode that SPF or a signature speaks for, and the result. */
type Identifier = { readonly domain: string; readonly result: string }

function identifier(domain: string | false | undefined, result: string | undefined): Identifier {
  return { domain: senderDomain(`@${domain || ''}`), result: result ?? 'none' }
}

type Evaluation = {
  readonly result: string
  readonly organization: string
  /** The policy in force; missing without a record. */
  readonly policy?: Authentication['policy']
  /** The aligned domain that signed, and that of the sending server. */
  readonly signer?: string | undefined
  readonly sender?: string | undefined
}

/** DMARC fails only if it was evaluated completely: nothing that could have passed ended with a temporary error. */
async function dmarcResult(author: string, senders: readonly Identifier[], signers: readonly Identifier[], resolver: Resolve) {
  const having = (results: readonly string[]) =>
    [senders, signers].map(all => all.filter(({ domain, result }) => domain !== '' && results.includes(result)).map(({ domain }) => domain))
  const [spf = [], dkim = []] = having(['pass'])
  const found = await evaluateDmarc(author, spf, dkim, resolver)
  if (found.result === 'fail') {
    const [mayPass = [], maySign = []] = having(['pass', 'temperror'])
    const best = await evaluateDmarc(author, mayPass, maySign, resolver)
    return best.result === 'fail' ? found : { ...found, result: 'temperror' }
  }
  if (found.result === 'pass') return found
  // Without a record only the domain itself, or one above it, is known to belong to the same owner.
  const isAbove = (domain: string) => isWithin(author, domain)
  return { ...found, signer: dkim.find(isAbove), sender: spf.find(isAbove) }
}

/** DMARC of a sender of `author` for whom the domains of SPF and DKIM vouch. */
async function evaluateDmarc(author: string, spfDomains: string[], dkim: readonly string[], resolver: Resolve): Promise<Evaluation> {
  if (author === '') return { result: 'none', organization: '' }
  const dkimDomains = dkim.map(domain => ({ domain }))
  // Strict: a record that has a tag twice is none (RFC 9989 section 4.7).
  const found = await checkDmarc({ headerFrom: [`sender@${author}`], fromFields: 1, spfDomains, dkimDomains, resolver, strict: true })
  if (!found) return { result: 'none', organization: author }
  const { result = 'none' } = found.status
  const organization = found.domain || author
  if (result !== 'pass' && result !== 'fail') return { result, organization }
  const { spf, dkim: signature } = found.alignment
  return { result, organization, policy: policyInForce(found), signer: signature.result || undefined, sender: spf.result || undefined }
}

/**
 * The policy that the owner asks for. With `t=y` they are testing, and expect that mail of their own fails (RFC 9989 section 4.7).
 * `pct=0` said so before it (RFC 7489 section 6.3); other values of `pct` mean nothing any more.
 */
function policyInForce({ policy, testMode, rr = '' }: Exclude<Awaited<ReturnType<typeof checkDmarc>>, false>): Evaluation['policy'] {
  const isTesting = testMode || /(?:^|;)\s*pct\s*=\s*0+\s*(?:;|$)/i.test(rr)
  return !isTesting && (policy === 'reject' || policy === 'quarantine') ? policy : 'none'
}

function isWithin(domain: string, organization: string): boolean {
  return domain === organization || domain.endsWith(`.${organization}`)
}

/** The message whose body is read last. One at a time is read, so that the time which that takes is its own. */
let lastRead = Promise.resolve()

/** Lets `check` read the message once all before it are read; `undefined` if that took too long. */
async function inTurn<Results>(raw: Uint8Array, check: (message: Readable) => Promise<Results>): Promise<Results | undefined> {
  const before = lastRead
  const read = Promise.withResolvers<void>()
  lastRead = before.then(() => read.promise)
  await before
  const dear = new Error('reading the body takes too long')
  const cpuMsMax = CPU_MS_MIN + (CPU_MS_PER_MIB * raw.byteLength) / MIB
  async function* pieces() {
    const start = process.threadCpuUsage()
    for (let at = 0; at < raw.byteLength; at += PIECE_BYTES) {
      const { user, system } = process.threadCpuUsage(start)
      if ((user + system) / 1000 > cpuMsMax) throw dear
      yield Buffer.from(raw.buffer, raw.byteOffset + at, Math.min(PIECE_BYTES, raw.byteLength - at))
    }
  }
  // The next piece is taken when the one before it is read.
  const message = Readable.from(pieces(), { highWaterMark: 1 }).once('close', () => read.resolve())
  try {
    return await check(message)
  } catch (error) {
    if (error === dear) return undefined
    throw error
  } finally {
    message.destroy()
  }
}

/** Whether the header is within the limits above. Fields are told apart as the library does: any other line belongs to the field above. */
function isHeaderOrdinary(raw: Uint8Array): boolean {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADER_BYTES_MAX + 1)).toString('latin1')
  const [header = ''] = start.split(/(?<=\n)\r?\n|^\r?\n/, 1)
  if (header.length > HEADER_BYTES_MAX || header.split(/\r\n?|\n/).length > HEADER_LINES_MAX) return false
  if (header.match(/[\s.]+/g)?.some(run => run.length > RUN_MAX)) return false
  const fields = header.split(/\r?\n(?=[!-9;-~]+[ \t\r\n]*:)/)
  const parsed = fields.filter(field => PARSED_FIELD.test(field))
  const signatures = Map.groupBy(parsed, field => SIGNATURE.exec(field)?.[0].toLowerCase())
  signatures.delete(undefined)
  return (
    fields.length <= HEADER_FIELDS_MAX &&
    parsed.every(field => field.length <= PARSED_FIELD_BYTES_MAX) &&
    [...signatures.values()].every(
      alike => alike.length <= SIGNATURES_MAX && alike.every(field => field.split(':').length <= SIGNED_NAMES_MAX),
    )
  )
}

/** Keeps the words of RFC 8601. `policy` is a signature that we do not accept; anything else counts as none. */
function resultWord(result: string | undefined): Result {
  if (result === 'policy') return 'fail'
  return result !== undefined && isResult(result) ? result : 'none'
}

function isResult(result: string): result is Result {
  return RESULTS.has(result)
}

/** Looks up nothing twice, and no more than is allowed for its purpose. */
function boundedLookups(resolve: Resolve, author: string, nowMs: () => number): { organization: string; readonly resolver: Resolve } {
  const known = new Map<string, ReturnType<Resolve>>()
  const used = { author: { count: 0, ms: 0 }, signers: { count: 0, ms: 0 }, spf: { count: 0, ms: 0 } }
  function purposeOf(name: string): Purpose {
    if (name.startsWith('_dmarc.')) return 'author'
    const [, signer] = name.split('._domainkey.')
    if (signer === undefined) return 'spf'
    return isWithin(signer, lookups.organization) ? 'author' : 'signers'
  }
  async function lookUp(domain: string, type: string) {
    const purpose = purposeOf(domain.toLowerCase())
    const spent = used[purpose]
    const msLeft = LOOKUPS_MS_MAX[purpose] - spent.ms
    spent.count++
    if (spent.count > LOOKUPS_MAX || msLeft <= 0) throw noTimeLeft()
    const startedMs = nowMs()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(noTimeLeft()), msLeft)
    try {
      const records = await Promise.race([resolve(domain, type), late.promise])
      return type === 'TXT' ? shortRecords(records) : records
    } catch (error) {
      // A key cannot have a name that DNS does not allow. The library would call it a temporary error, which keeps a forgery from failing.
      const isNoName = error instanceof Error && 'code' in error && error.code === 'EBADNAME' && domain.includes('._domainkey.')
      throw isNoName ? Object.assign(new Error('no such key'), { code: 'ENOTFOUND' }) : error
    } finally {
      clearTimeout(timer)
      spent.ms += nowMs() - startedMs
    }
  }
  const lookups = {
    organization: author,
    resolver(domain: string, type: string) {
      const key = `${type} ${domain}`
      const found = known.get(key) ?? lookUp(domain, type)
      known.set(key, found)
      return found
    },
  }
  return lookups
}

function noTimeLeft(): Error {
  return Object.assign(new Error('too many or too slow lookups for one message'), { code: 'ETIMEOUT' })
}

/** A record has one or more strings. */
function shortRecords(records: string[] | string[][]): string[] | string[][] {
  return (records as (string | string[])[]).filter(record => [record].flat().join('').length <= RECORD_CHARS_MAX) as string[][]
}

/** The domain of the sender as readers see it, or empty. */
function shownDomain(raw: Uint8Array): string {
  try {
    // Only the header of the message is needed.
    return senderDomain(shownSender(parseMessage(raw, { partsMax: 1 })).address)
  } catch {
    return ''
  }
}

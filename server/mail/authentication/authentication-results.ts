import { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import { type AuthenticateResult, authenticate as checkAuthentication, dmarc as checkDmarc } from 'mailauth'
import { KIB, MIB } from '#contract/limits.ts'
import type { Authentication } from '#contract/mailbox.ts'
import { parseMessage } from '#server/mime/structure/parse.ts'
import { shownSender } from '../message/shown-sender.ts'

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
 * The sender decides how many lookups a mail needs: one with hundreds of signatures must not make us query hundreds of servers (RFC 7208
 * 4.6.4 allows SPF 10).
 */
const LOOKUPS_MAX = 40
/** Time that the lookups of a mail may take, or name servers that never reply would delay its results until nobody waits for them. */
const LOOKUPS_MS_MAX = 10_000

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

/** Of a mail whose own form prevents the check. Whoever forges a sender chooses the form too, so its reader must be warned. */
const FORM_REFUSED: Authentication = { spf: 'permerror', dkim: 'permerror', dmarc: 'fail', arc: 'permerror' }

const RESULTS = new Set<string>(['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'])
type Result = Authentication['spf']

/**
 * SPF, DKIM, DMARC and ARC of one message (RFC 7208, 6376, 7489, 8617). Reads only DNS, through `resolve`. A failing resolver leads to
 * `temperror`, never to an exception.
 */
export async function readAuthentication(
  connection: AuthenticatedConnection,
  raw: Uint8Array,
  resolve: Resolve,
  nowMs = () => performance.now(),
): Promise<Authentication> {
  if (!isHeaderOrdinary(raw)) return FORM_REFUSED
  const resolver = bounded(resolve, nowMs)
  const shown = asciiDomain(shownDomain(raw))
  // The policy of the sender that readers see is looked up first: the lookups that the mail itself asks for cannot use up its share.
  await dmarcResult(shown, { resolver })
  const results = await inTurn(raw, message =>
    checkAuthentication(message, {
      ip: connection.clientAddress,
      helo: connection.helo,
      sender: connection.from,
      mta: 'mayfly',
      resolver,
      trustReceived: false,
      disableBimi: true,
    }),
  )
  if (results === undefined) return FORM_REFUSED
  const { spf, dkim, dmarc, arc } = results
  const signatures = dkim.results ?? []
  const signed =
    signatures.find(row => row.status.result === 'pass' && row.status.aligned) ?? signatures.find(row => row.status.result === 'pass')
  const read = dmarc ? dmarc.status : undefined
  // The library reads From fields in its own way, and does not judge several senders. A result for a domain other than the one shown would
  // vouch for a forged sender, or not warn of one.
  const isOther = shown === '' || asciiDomain(read?.header?.from ?? '') !== shown
  const isForged = isOther && (read?.result === 'pass' || (await dmarcResult(shown, { resolver, spf, signatures })) === 'fail')
  const words: Record<'spf' | 'dkim' | 'dmarc' | 'arc', Result> = {
    spf: resultWord(spf ? spf.status.result : 'none'),
    dkim: resultWord((signed ?? signatures[0])?.status.result),
    dmarc: isForged ? 'fail' : resultWord(read?.result),
    arc: resultWord(arc ? arc.status.result : 'none'),
  }
  const domain = authenticatedDomain(words, {
    header: dmarc ? dmarc.domain : undefined,
    signing: signed?.signingDomain,
    envelope: spf ? spf.domain : undefined,
  })
  return domain ? { ...words, domain } : words
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

/** The strongest claim wins: an aligned From, then a signature, then the sending server. */
function authenticatedDomain(
  results: Record<'spf' | 'dkim' | 'dmarc', Result>,
  domains: Record<'header' | 'signing' | 'envelope', string | undefined>,
): string | undefined {
  if (results.dmarc === 'pass') return domains.header
  if (results.dkim === 'pass') return domains.signing
  return results.spf === 'pass' ? domains.envelope : undefined
}

/** Keeps the words of RFC 8601. `policy` is a signature that we do not accept; anything else counts as none. */
function resultWord(result: string | undefined): Result {
  if (result === 'policy') return 'fail'
  return result !== undefined && isResult(result) ? result : 'none'
}

function isResult(result: string): result is Result {
  return RESULTS.has(result)
}

/** Looks up nothing twice. */
function bounded(resolve: Resolve, nowMs: () => number): Resolve {
  const known = new Map<string, ReturnType<Resolve>>()
  let takenMs = 0
  async function lookUp(domain: string, type: string) {
    if (known.size >= LOOKUPS_MAX || takenMs > LOOKUPS_MS_MAX)
      throw Object.assign(new Error('too many or too slow lookups for one message'), { code: 'ETIMEOUT' })
    const startedMs = nowMs()
    try {
      const records = await resolve(domain, type)
      return type === 'TXT' ? shortRecords(records) : records
    } finally {
      takenMs += nowMs() - startedMs
    }
  }
  return (domain, type) => {
    const key = `${type} ${domain}`
    const found = known.get(key) ?? lookUp(domain, type)
    known.set(key, found)
    return found
  }
}

/** A record has one or more strings. */
function shortRecords(records: string[] | string[][]): string[] | string[][] {
  return (records as (string | string[])[]).filter(record => [record].flat().join('').length <= RECORD_CHARS_MAX) as string[][]
}

type Checked = { readonly spf?: AuthenticateResult['spf']; readonly signatures?: AuthenticateResult['dkim']['results'] }

/** The result of DMARC for a sender of `domain`, which is in Punycode, with what SPF and the signatures have proven. */
async function dmarcResult(domain: string, { resolver, spf, signatures = [] }: Checked & { readonly resolver: Resolve }) {
  const spfDomains = spf && spf.status.result === 'pass' && spf.domain ? [spf.domain] : []
  const dkimDomains = signatures.filter(row => row.status.result === 'pass').map(row => ({ domain: row.signingDomain ?? '' }))
  const result = await checkDmarc({ headerFrom: [`sender@${domain}`], fromFields: 1, spfDomains, dkimDomains, resolver })
  return result ? result.status.result : 'none'
}

function shownDomain(raw: Uint8Array): string {
  try {
    // Only the header of the message is needed.
    const { address } = shownSender(parseMessage(raw, { partsMax: 1 }))
    return address.slice(address.lastIndexOf('@') + 1)
  } catch {
    return ''
  }
}

/** Lower case, in Punycode, without the root's dot; empty if it is not a domain. */
function asciiDomain(domain: string): string {
  return domainToASCII(domain).replace(/\.$/, '')
}

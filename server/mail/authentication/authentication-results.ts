import { domainToASCII } from 'node:url'
import { authenticate as checkAuthentication } from 'mailauth'
import { KIB } from '#contract/limits.ts'
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

/** Of a mail whose own form prevents the check. Whoever forges a sender chooses the form too, so its reader must be warned. */
const FORM_REFUSED: Authentication = { spf: 'permerror', dkim: 'permerror', dmarc: 'fail', arc: 'permerror' }

const RESULTS = new Set<string>(['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'])
type Result = Authentication['spf']

/**
 * SPF, DKIM, DMARC and ARC of one message (RFC 7208, 6376, 7489, 8617). Reads only DNS, through `resolve`. A failing resolver leads to
 * `temperror`, never to an exception.
 */
export async function readAuthentication(connection: AuthenticatedConnection, raw: Uint8Array, resolve: Resolve): Promise<Authentication> {
  if (!isHeaderOrdinary(raw)) return FORM_REFUSED
  const { spf, dkim, dmarc, arc } = await checkAuthentication(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ip: connection.clientAddress,
    helo: connection.helo,
    sender: connection.from,
    mta: 'mayfly',
    resolver: bounded(resolve),
    trustReceived: false,
    disableBimi: true,
  })
  const signatures = dkim.results ?? []
  const signed =
    signatures.find(row => row.status.result === 'pass' && row.status.aligned) ?? signatures.find(row => row.status.result === 'pass')
  const dmarcResult = resultWord(dmarc ? dmarc.status.result : 'none')
  // The library reads From fields in its own way. A pass for a domain other than the one shown would vouch for a forged sender.
  const isForged = dmarcResult === 'pass' && !isShownDomain(raw, dmarc ? dmarc.status.header?.from : undefined)
  const results: Record<'spf' | 'dkim' | 'dmarc' | 'arc', Result> = {
    spf: resultWord(spf ? spf.status.result : 'none'),
    dkim: resultWord((signed ?? signatures[0])?.status.result),
    dmarc: isForged ? 'fail' : dmarcResult,
    arc: resultWord(arc ? arc.status.result : 'none'),
  }
  const domain = authenticatedDomain(results, {
    header: dmarc ? dmarc.domain : undefined,
    signing: signed?.signingDomain,
    envelope: spf ? spf.domain : undefined,
  })
  return domain ? { ...results, domain } : results
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
    [...signatures.values()].every(({ length }) => length <= SIGNATURES_MAX)
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

function bounded(resolve: Resolve): Resolve {
  let lookups = 0
  return (domain, type) => {
    lookups++
    if (lookups > LOOKUPS_MAX) return Promise.reject(Object.assign(new Error('too many lookups for one message'), { code: 'ETIMEOUT' }))
    return resolve(domain, type)
  }
}

/** Whether the sender that readers see is of this domain. False in doubt. */
function isShownDomain(raw: Uint8Array, domain: string | undefined): boolean {
  if (domain === undefined) return false
  const shown = asciiDomain(shownDomain(raw))
  return shown !== '' && shown === asciiDomain(domain)
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

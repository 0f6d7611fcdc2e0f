/** The signatures of one message: DKIM (RFC 6376, 8301, 8463) and ARC (RFC 8617), and what of the message they cover. */
import type { Writable } from 'node:stream'
import { arc as checkArc, type DKIMResult } from 'mailauth'
import { DkimVerifier, type SignatureHeader } from 'mailauth/lib/dkim/dkim-verifier.js'
import { KIB, MIB } from '#contract/limits.ts'
import type { UnsignedPart } from '#contract/mailbox.ts'
import { senderDomain } from '#reader/shown-sender.ts'
import type { Identifier } from './dmarc.ts'
import type { LibraryResolve } from './lookups.ts'

/** A signature. Its result is `fail` also where it is valid, but what is shown is not what was signed. */
export type Signature = Identifier & {
  /** What a reader sees and a valid signature does not cover. */
  readonly unsigned: readonly UnsignedPart[]
}

type Signatures = {
  readonly dkim: readonly Signature[]
  readonly arc: string
  /** From fields as the library counts them. */
  readonly fromFields: number
}

/** The fields whose values a reader sees, or that decide how the body is shown. */
const SHOWN_FIELDS = ['from', 'subject', 'date', 'to', 'content-type'] as const
type ShownField = (typeof SHOWN_FIELDS)[number]

/** Clocks differ, and mail waits for minutes on its way. */
const EXPIRY_GRACE_MS = 10 * 60_000

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

/** Checks strictly by the RFCs, except for names that DNS holds and senders use. */
class SignatureVerifier extends DkimVerifier {
  /** The grammar of RFC 6376 has no `_` in selectors and domains, but large providers have. */
  override prepareSignature(header: SignatureHeader): void {
    const { parsed } = header
    const written = ['s', 'd', 'i'].map(tag => [parsed[tag], parsed[tag]?.value] as const)
    for (const [tag, value] of written) if (tag && typeof value === 'string') tag.value = withoutUnderscores(value)
    super.prepareSignature(header)
    for (const [tag, value] of written) if (tag) tag.value = value
    header.selector = String(parsed.s?.value ?? '')
    header.signingDomain = String(parsed.d?.value ?? '')
    const identity = String(parsed.i?.value ?? '')
    if (header.identityDomain?.includes('-') && identity.includes('_'))
      header.identityDomain = identity.slice(identity.lastIndexOf('@') + 1)
  }
}

/** Of a name, or of the domain of an address. */
function withoutUnderscores(text: string): string {
  const domain = text.lastIndexOf('@') + 1
  return text.slice(0, domain) + text.slice(domain).replaceAll('_', '-')
}

/**
 * `undefined` if the form of the message keeps it from being read. `shown` is how often the message has each field as its reader sees it.
 */
export async function checkSignatures(
  raw: Uint8Array,
  shown: (field: ShownField) => number,
  resolver: LibraryResolve,
): Promise<Signatures | undefined> {
  if (!isHeaderOrdinary(raw)) return undefined
  const verifier = new SignatureVerifier({ resolver, sender: '-', strict: true, curTime: new Date(Date.now() - EXPIRY_GRACE_MS) })
  if (!(await readInTurn(raw, verifier))) return undefined
  const fields = verifier.headers ? verifier.headers.parsed.map(({ key }) => key) : []
  const count = (names: readonly string[], field: string) => names.filter(name => name === field).length
  const covered = (row: DKIMResult): Signature => {
    const signed = (row.signingHeaders?.keys ?? '').toLowerCase().split(': ')
    const uncovered = SHOWN_FIELDS.filter(field => Math.max(count(fields, field), shown(field)) > count(signed, field))
    const domain = senderDomain(`@${row.signingDomain ?? ''}`)
    if (row.status.result !== 'pass') return { domain, result: row.status.result, unsigned: [] }
    const isCut = (row.canonBodyLengthTotal ?? 0) > (row.canonBodyLength ?? 0)
    // Whoever appends to a signed mail, or puts a second subject above the first, is not the signer.
    const isChanged = isCut || uncovered.some(field => count(signed, field) > 0)
    return { domain, result: isChanged ? 'fail' : 'pass', unsigned: isCut ? ['body', ...uncovered] : uncovered }
  }
  const arc = await checkArc(verifier.arc, { resolver, strict: true })
  return { dkim: verifier.results.map(covered), arc: arc.status.result, fromFields: count(fields, 'from') }
}

/** The message whose body is read last. One at a time is read, so that the time which that takes is its own. */
let lastRead = Promise.resolve()

/** Lets the verifier read the message once all before it are read. Resolves to whether that took no longer than allowed. */
async function readInTurn(raw: Uint8Array, verifier: Writable): Promise<boolean> {
  const before = lastRead
  const isRead = Promise.withResolvers<void>()
  lastRead = before.then(() => isRead.promise)
  await before
  const finished = Promise.withResolvers<void>()
  verifier.once('finish', finished.resolve).once('error', finished.reject)
  const cpuMsMax = CPU_MS_MIN + (CPU_MS_PER_MIB * raw.byteLength) / MIB
  const start = process.threadCpuUsage()
  try {
    for (let at = 0; at < raw.byteLength; at += PIECE_BYTES) {
      const { user, system } = process.threadCpuUsage(start)
      if ((user + system) / 1000 > cpuMsMax) return false
      const piece = Buffer.from(raw.buffer, raw.byteOffset + at, Math.min(PIECE_BYTES, raw.byteLength - at))
      await Promise.race([new Promise(written => verifier.write(piece, written)), finished.promise])
    }
  } finally {
    isRead.resolve()
  }
  // Keys are looked up now, beside the reading of the next message.
  verifier.end()
  await finished.promise
  return true
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

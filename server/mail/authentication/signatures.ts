/** The signatures of one message: DKIM (RFC 6376, 8301, 8463) and ARC (RFC 8617), and what of the message they cover. */
import type { Writable } from 'node:stream'
import { arc as checkArc, type DKIMResult } from 'mailauth'
import { DkimVerifier, type KeyCache, type SignatureHeader } from 'mailauth/lib/dkim/dkim-verifier.js'
import { getPublicKey, toALabel } from 'mailauth/lib/tools.js'
import { KIB, MIB } from '#contract/limits.ts'
import type { UnsignedPart } from '#contract/mailbox.ts'
import { senderDomain } from '#reader/shown-sender.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { Identifier } from './dmarc.ts'
import { type LibraryResolve, noAnswer } from './lookups.ts'
import { SHOWN_FIELDS, type SignedMail } from './shown-authors.ts'

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

export const NO_SIGNATURES: Signatures = { dkim: [], arc: 'none', fromFields: 0 }

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
/** Different values of `l=`: the body is hashed for each. */
const SIGNED_LENGTHS_MAX = 2
const SIGNED_LENGTH = /;[ \t\r\n]*l[ \t\r\n]*=([^;]*)/gi
const SIGNATURE = /^(?:dkim-signature|arc-[a-z-]+)/i
/** In a signature's `h=`: each is looked for among all fields. */
const SIGNED_NAMES_MAX = 1000

/**
 * CPU time to read a body, which is hashed for each signature. Measured: 17 ms for a MiB with one or two signatures, and 3,600 ms where
 * each line has a tab and ten signatures have an `l=`; lines that end with a bare LF take a second for a MiB.
 */
const cpuMsMax = (mib: number) => 500 + 200 * mib
/** One turn reads so much. */
const PIECE_BYTES = 16 * KIB

/** Keys that are kept, by their records and what was asked of them: reading one costs more than verifying a signature with it. */
const KEYS_KEPT_MAX = 500
const keysRead = new BoundedMap<string, ReturnType<typeof getPublicKey>>(KEYS_KEPT_MAX)

function createKeyCache(resolver: LibraryResolve, { next }: MailTurns): KeyCache {
  const read = async (...[type, name, bitsMin, options]: Parameters<KeyCache['get']>) => {
    // DNS says each time which record holds.
    const records = await resolver(toALabel(name), 'TXT')
    if (!(await next())) throw noAnswer()
    const asked = JSON.stringify([records[0], bitsMin, options])
    const key = keysRead.get(asked) ?? getPublicKey(type, name, bitsMin, async () => records, options)
    keysRead.set(asked, key)
    return await key
  }
  return {
    resolver,
    get(...wanted) {
      const key = read(...wanted)
      // The library asks for some before it waits for any.
      key.catch(() => undefined)
      return key
    },
  }
}

/** Keeps the verifier from going on with a check that was ended. */
class CheckEnded extends Error {}

/** Checks strictly by the RFCs, except for names that DNS holds and senders use. */
class SignatureVerifier extends DkimVerifier {
  readonly #turns: MailTurns

  constructor(resolver: LibraryResolve, turns: MailTurns) {
    super({ resolver, sender: '-', strict: true, curTime: new Date(Date.now() - EXPIRY_GRACE_MS) })
    this.#turns = turns
    this.keyCache = createKeyCache(resolver, turns)
    this.arc.keyCache = this.keyCache
  }

  /** Ten of a thousand names each, or by keys of long exponents, take 50 ms. */
  override async verifySignature(...signature: Parameters<DkimVerifier['verifySignature']>): ReturnType<DkimVerifier['verifySignature']> {
    if (!(await this.#turns.next())) throw new CheckEnded()
    return await super.verifySignature(...signature)
  }

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

/** Takes a name, or the domain of an address. */
function withoutUnderscores(text: string): string {
  const domain = text.lastIndexOf('@') + 1
  return text.slice(0, domain) + text.slice(domain).replaceAll('_', '-')
}

/** How long a body may wait for its turns in all. All results are given up after 30 s, and SPF is known long before. */
const TURN_MS_MAX = 15_000

/** Nobody knows what the signatures say: its reader is told so, and a signature of the author's domain might have vouched. */
const unknownSignatures = (author: string): Signatures => ({
  dkim: [{ domain: author, result: 'temperror', unsigned: [] }],
  arc: 'temperror',
  fromFields: 0,
})

/** `next` resolves to `false` if the check is to end instead. */
type MailTurns = { readonly next: () => Promise<boolean>; readonly msMax?: number | undefined }

/** `undefined` if the form of the message keeps it from being read, and `temperror` if a turn comes too late. */
export async function checkSignatures(
  { raw, author, fieldCounts }: SignedMail,
  resolver: LibraryResolve,
  turns: MailTurns,
): Promise<Signatures | undefined> {
  if (!isOrdinary(raw)) return undefined
  const verifier = new SignatureVerifier(resolver, turns)
  const outcome = await readInTurns(raw, verifier, turns).catch((error: unknown) => {
    if (error instanceof CheckEnded) return 'late'
    throw error
  })
  if (outcome !== 'read') return outcome === 'late' ? unknownSignatures(author) : undefined
  const fields = verifier.headers ? verifier.headers.parsed.map(({ key }) => key) : []
  const count = (names: readonly string[], field: string) => names.filter(name => name === field).length
  const covered = (row: DKIMResult): Signature => {
    const signed = (row.signingHeaders?.keys ?? '').toLowerCase().split(': ')
    const uncovered = SHOWN_FIELDS.filter(field => Math.max(count(fields, field), fieldCounts[field]) > count(signed, field))
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

/** Lets the verifier read the message. `dear`: the body takes more CPU time than any may. `late`: its turns come too late. */
async function readInTurns(
  raw: Uint8Array,
  verifier: Writable,
  { next, msMax = TURN_MS_MAX }: MailTurns,
): Promise<'read' | 'dear' | 'late'> {
  const finished = Promise.withResolvers<void>()
  verifier.once('finish', finished.resolve).once('error', finished.reject)
  let waitedMs = 0
  let restCpuMs = cpuMsMax(raw.byteLength / MIB)
  for (let at = 0; at < raw.byteLength; ) {
    const sinceMs = performance.now()
    const isTurn = await next()
    waitedMs += performance.now() - sinceMs
    if (!isTurn || waitedMs > msMax) return 'late'
    const start = process.threadCpuUsage()
    const piece = Buffer.from(raw.buffer, raw.byteOffset + at, Math.min(PIECE_BYTES, raw.byteLength - at))
    await Promise.race([new Promise(written => verifier.write(piece, written)), finished.promise])
    at += piece.byteLength
    const { user, system } = process.threadCpuUsage(start)
    restCpuMs -= (user + system) / 1000
    if (at < raw.byteLength && restCpuMs < 0) return 'dear'
  }
  verifier.end()
  await finished.promise
  return 'read'
}

/**
 * Whether the header is within the limits above. Fields are told apart as the library does: any other line belongs to the field above.
 */
function isOrdinary(raw: Uint8Array): boolean {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADER_BYTES_MAX + 1)).toString('latin1')
  const [header = ''] = start.split(/(?<=\n)\r?\n|^\r?\n/, 1)
  if (header.length > HEADER_BYTES_MAX || header.split(/\r\n?|\n/).length > HEADER_LINES_MAX) return false
  if (header.match(/[\s.]+/g)?.some(run => run.length > RUN_MAX)) return false
  const fields = header.split(/\r?\n(?=[!-9;-~]+[ \t\r\n]*:)/)
  const parsed = fields.filter(field => PARSED_FIELD.test(field))
  const signatures = Map.groupBy(parsed, field => SIGNATURE.exec(field)?.[0].toLowerCase())
  signatures.delete(undefined)
  const all = [...signatures.values()].flat()
  const lengths = new Set(all.flatMap(field => Array.from(field.matchAll(SIGNED_LENGTH), ([, value]) => value)))
  return (
    fields.length <= HEADER_FIELDS_MAX &&
    lengths.size <= SIGNED_LENGTHS_MAX &&
    parsed.every(field => field.length <= PARSED_FIELD_BYTES_MAX) &&
    [...signatures.values()].every(
      alike => alike.length <= SIGNATURES_MAX && alike.every(field => field.split(':').length <= SIGNED_NAMES_MAX),
    )
  )
}

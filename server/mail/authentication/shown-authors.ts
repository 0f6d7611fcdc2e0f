/** Who a mail says that it is from, as its readers see it. Without the library of the checks, so also for the threads that parse mail. */
import { KIB } from '#contract/limits.ts'
import { readAuthors } from '#reader/mime/headers/headers.ts'
import type { ParsedMessage } from '#reader/mime/types.ts'
import { senderDomain, shownSender } from '#reader/shown-sender.ts'

/** The fields whose values a reader sees, or that decide how the body is shown. */
export const SHOWN_FIELDS = ['from', 'subject', 'date', 'to', 'content-type'] as const

export type ShownAuthors = {
  /** The domain of the sender as readers see it, or empty. */
  readonly author: string
  /** The From fields name people of other domains too. */
  readonly areSeveral: boolean
  /** How often the message has each of `SHOWN_FIELDS`. */
  readonly fieldCounts: Readonly<Record<(typeof SHOWN_FIELDS)[number], number>>
}

/** A mail to be checked. The mail thread, which has a limit of CPU time, reads its header: all checks share one thread. */
export type SignedMail = ShownAuthors & { readonly raw: Uint8Array }

/** A mail that could not be parsed, and so shows nobody. */
export const NO_AUTHORS: ShownAuthors = {
  author: '',
  areSeveral: false,
  fieldCounts: { from: 0, subject: 0, date: 0, to: 0, 'content-type': 0 },
}

export function shownAuthors(parsed: ParsedMessage): ShownAuthors {
  const author = senderDomain(shownSender(parsed).address)
  const names = parsed.root.headers.map(({ name }) => name.toLowerCase())
  const fieldCounts = { ...NO_AUTHORS.fieldCounts }
  for (const field of SHOWN_FIELDS) fieldCounts[field] = names.filter(name => name === field).length
  const domains = readAuthors(parsed).map(({ address }) => senderDomain(address))
  return { author, areSeveral: fieldCounts.from > 1 || domains.some(domain => domain !== '' && domain !== author), fieldCounts }
}

/** An unsigned mail whose header all parsers read alike: its results depend only on its connection and this. */
export type UnsignedMail = Pick<ShownAuthors, 'author' | 'areSeveral'>

/** Far less than what checkSignatures accepts. */
const HEADER_BYTES_MAX = 16 * KIB
const LINES_MAX = 500
/** Lines that end with CRLF, each a field or a visible continuation of one, and then an empty line. */
const PLAIN_HEADER = /^(?:[!-9;-~]+:[\t -~\x80-\xff]*\r\n(?:[\t ]+[!-~\x80-\xff][\t -~\x80-\xff]*\r\n)*)+\r\n/
const SIGNATURE = /dkim-signature|\barc-/i
const LONG_RUN = /[\s.]{500}/

/** `false` for a mail that is signed, or may be read as signed. */
export function isUnsigned(raw: Uint8Array): boolean {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADER_BYTES_MAX)).toString('latin1')
  const header = start.slice(0, start.indexOf('\r\n\r\n') + 4)
  return PLAIN_HEADER.test(header) && !SIGNATURE.test(header) && !LONG_RUN.test(header) && header.split('\n').length <= LINES_MAX
}

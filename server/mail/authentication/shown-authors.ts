/** Who a mail says that it is from, as its readers see it. Without the library of the checks, so also for the threads that parse mail. */
import { KIB } from '#contract/limits.ts'
import { readAuthors } from '#reader/mime/headers/headers.ts'
import type { ParsedMessage } from '#reader/mime/types.ts'
import { senderDomain, shownSender } from '#reader/shown-sender.ts'

export type ShownAuthors = {
  /** The domain of the sender as readers see it, or empty. */
  readonly author: string
  /** The From fields name people of other domains too. */
  readonly areSeveral: boolean
  /** How often the message has a field, by its name in lower case. */
  readonly fieldCount: (name: string) => number
}

export function shownAuthors(parsed: ParsedMessage): ShownAuthors {
  const author = senderDomain(shownSender(parsed).address)
  const names = parsed.root.headers.map(({ name }) => name.toLowerCase())
  const fieldCount = (name: string) => names.filter(each => each === name).length
  const domains = readAuthors(parsed).map(({ address }) => senderDomain(address))
  return { author, areSeveral: fieldCount('from') > 1 || domains.some(domain => domain !== '' && domain !== author), fieldCount }
}

/**
 * A mail without signatures, whose header all parsers read alike: its results depend on its connection and on this alone, so nothing else
 * of it is needed.
 */
export type UnsignedMail = Pick<ShownAuthors, 'author' | 'areSeveral'>

/** Far less than what checkSignatures accepts. */
const HEADER_BYTES_MAX = 16 * KIB
const LINES_MAX = 500
/** Lines that end with CRLF, each a field or a visible continuation of one, and then an empty line. */
const PLAIN_HEADER = /^(?:[!-9;-~]+:[\t -~\x80-\xff]*\r\n(?:[\t ]+[!-~\x80-\xff][\t -~\x80-\xff]*\r\n)*)+\r\n/
const SIGNATURE = /dkim-signature|\barc-/i
const LONG_RUN = /[\s.]{500}/

/** `undefined` for a mail that is signed, or may be read as signed. */
export function readUnsigned(raw: Uint8Array, parsed: ParsedMessage): UnsignedMail | undefined {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADER_BYTES_MAX)).toString('latin1')
  const header = start.slice(0, start.indexOf('\r\n\r\n') + 4)
  if (!PLAIN_HEADER.test(header) || SIGNATURE.test(header) || LONG_RUN.test(header) || header.split('\n').length > LINES_MAX)
    return undefined
  const { author, areSeveral } = shownAuthors(parsed)
  return { author, areSeveral }
}

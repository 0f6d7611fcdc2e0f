import { decodeText, withRawJapanese } from '../charsets/charset.ts'
import { decodeBase64, hexPair } from '../encodings/transfer-encoding.ts'
import { toPrintableLine } from '../text/printable.ts'

type Word = { readonly charset: string; readonly isBase64: boolean; readonly text: string; readonly end: number }
/** Adjacent words of one charset are joined before decoding, because senders split characters between words in spite of RFC 2047 §5. */
type Run = { readonly charset: string; readonly chunks: (Buffer | string)[]; openBase64: string }

/**
 * Decodes the encoded-words of a header text (RFC 2047 §6) into one printable line. White space between two words is dropped. Lenient:
 * accepts spaces in Q text, words inside quotes or attached to other text, and languages (RFC 2231 §5). Unknown charsets are guessed.
 */
export function decodeWords(field: string): string {
  const text = withRawJapanese(field)
  if (!text.includes('=?')) return toPrintableLine(text)
  const words = new WordScanner(text)
  let out = ''
  let at = 0
  let run: Run | undefined
  for (let start = text.indexOf('=?'); start !== -1; start = text.indexOf('=?', Math.max(at, start + 2))) {
    const word = words.at(start)
    if (!word) continue
    const gap = text.slice(at, start)
    if (run && (gap.trim() !== '' || run.charset !== word.charset)) {
      out += finish(run)
      if (gap.trim() !== '') out += gap
      run = undefined
    } else if (!run) out += gap
    run ??= { charset: word.charset, chunks: [], openBase64: '' }
    append(run, word)
    at = word.end
  }
  if (run) out += finish(run)
  return toPrintableLine(out + text.slice(at))
}

const CHARSET_CHARS_MAX = 64
const QUESTION_MARK = 0x3f

/** Finds the words of one text. Remembers the next `?=`, so that a million openings without an end cost one search. */
export class WordScanner {
  readonly #text: string
  #nextEnd = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The encoded-word that starts at `start`, where `=?` is. */
  at(start: number): Word | undefined {
    const text = this.#text
    const charsetEnd = text.indexOf('?', start + 2)
    if (charsetEnd === -1) return undefined
    const letter = text.charCodeAt(charsetEnd + 1) | 0x20
    if ((letter !== 0x62 && letter !== 0x71) || text.charCodeAt(charsetEnd + 2) !== QUESTION_MARK) return undefined
    const label = text.slice(start + 2, charsetEnd)
    if (label === '' || label.length > CHARSET_CHARS_MAX || /\s/.test(label)) return undefined
    const from = charsetEnd + 3
    if (this.#nextEnd < from) {
      const found = text.indexOf('?=', from)
      this.#nextEnd = found === -1 ? Number.POSITIVE_INFINITY : found
    }
    const end = this.#nextEnd
    if (end === Number.POSITIVE_INFINITY) return undefined
    const inner = text.indexOf('=?', from)
    // a question mark cannot occur in Q or B text: this word was never closed and another one starts
    if (inner !== -1 && inner < end - 1) return undefined
    const charset = (label.includes('*') ? label.slice(0, label.indexOf('*')) : label).toLowerCase()
    return { charset, isBase64: letter === 0x62, text: text.slice(from, end), end: end + 2 }
  }
}

function append(run: Run, word: Word): void {
  if (!word.isBase64) {
    flushBase64(run)
    // raw 8-bit characters in a word were already decoded with the field
    for (const piece of word.text.split(/(\P{ASCII}+)/u))
      if (piece !== '') run.chunks.push(/^\p{ASCII}/u.test(piece) ? decodeQ(piece) : piece)
    return
  }
  run.openBase64 += word.text.replace(/\s+/g, '')
  // some senders cut base64 anywhere: whole groups or padding end a word, otherwise it continues in the next
  if (word.text.endsWith('=') || run.openBase64.length % 4 === 0) flushBase64(run)
}

function flushBase64(run: Run): void {
  if (run.openBase64 !== '') run.chunks.push(decodeBase64(Buffer.from(run.openBase64, 'latin1')))
  run.openBase64 = ''
}

function finish(run: Run): string {
  flushBase64(run)
  let out = ''
  let bytes: Buffer[] = []
  for (const chunk of [...run.chunks, '']) {
    if (typeof chunk !== 'string') bytes.push(chunk)
    else {
      if (bytes.length > 0) out += decodeText(bytes.length === 1 && bytes[0] ? bytes[0] : Buffer.concat(bytes), run.charset).text
      out += chunk
      bytes = []
    }
  }
  return out
}

function decodeQ(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const value = byte === 0x3d ? hexPair(bytes[at + 1], bytes[at + 2]) : -1
    if (value !== -1) at += 2
    bytes[length++] = value !== -1 ? value : byte === 0x5f ? 0x20 : byte
  }
  return bytes.subarray(0, length)
}

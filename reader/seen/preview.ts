import { decodeText } from '../mime/charsets/charset.ts'
import { decodeBytes, encodedBody, textEncoding } from '../mime/encodings/transfer-encoding.ts'
import { decodeWords } from '../mime/headers/encoded-words.ts'
import { firstHeader } from '../mime/headers/headers.ts'
import { joinHtml } from '../mime/structure/body.ts'
import { bodyParts, isEmbeddedMessage } from '../mime/structure/body-parts.ts'
import { bodyPictures } from '../mime/structure/pictures.ts'
import { isReport, reportText } from '../mime/structure/report.ts'
import { filesInText, partCharset, textKind } from '../mime/structure/text-part.ts'
import { withoutFiles } from '../mime/text/uuencoded-files.ts'
import type { BodyParts, MimePart, ParsedMessage } from '../mime/types.ts'
import { hasWords, htmlToText, readHtml, type SeenHtml } from './html.ts'
import { containsTag, taggedText } from './tagged-text.ts'

/** Encoded bytes per try: most mails start with their text, and HTML with 10 to 60 kB of style sheets. */
const TEXT_WINDOWS_BYTES = [2048, 16_384, 131_072, 1_048_576]
/** The first bytes of an HTML part are decoded and read once, for its preview, its codes and its links. */
const SAMPLE_BYTES = 65_536
/** So much of it is searched for style sheets. Nothing of a longer part is offered, because one behind might hide it. */
const SHEETS_BYTES_MAX = 4 * 1_048_576
/** So much of it is read where its start does not show what the text says: logos and style sheets in front take less. */
const WHOLE_CHARS_MAX = 1_048_576
const HTML_WINDOWS_BYTES = [SAMPLE_BYTES, 131_072, 1_048_576]
/** Beyond this, reading continues only if nothing was found: some mails start with more style sheets than this. */
const USUAL_BYTES = 131_072
// Soft hyphens, joiners, marks and fillers that newsletters put after their preheader to keep the body out of the preview
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2007\u2800]/gu
/** Says nothing in a preview: a character of rules at least four times, each next to the last or after one space. */
const RULE = /([-=_*~#+.•·─━═])(?: ?\1){3,}/g
/** A text counts without its markup: a row stays empty where more blanks, rules and invisible characters than this come first. */
const READ_CHARS_MAX = 65_536
// All white space but a single space between words: an object for each of those would be most of a preview's cost
const BLANKS = /(?! [^\s\p{Cc}])[\s\p{Cc}]+/gu
const ASCII_BLANKS = /[^!-~ ][^!-~]*| [^!-~]+/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * The first `charsMax` characters of the readable text on one line; empty if there is none. Decodes only as much of the body as needed: of
 * the HTML if it has words, since the page shows that, else of the plain text.
 */
export function textPrefix(raw: Uint8Array, parsed: ParsedMessage, charsMax: number): string {
  const parts = bodyParts(raw, parsed)
  const reports = parts.text.filter(isReport)
  const [first, second] = htmlSample(raw, parsed)?.hasWords ? [[...reports, ...parts.html], []] : [parts.text, parts.html]
  const seen = new Set<MimePart>()
  let out = ''
  for (const part of [...first, ...second]) {
    if ((textKind(part) === undefined && !isReport(part)) || seen.has(part)) continue
    // One view repeats the other, so the second is read only if the first was empty.
    if (out !== '' && !first.includes(part)) break
    seen.add(part)
    const left = charsMax - out.length
    const text = isReport(part) ? onOneLine(reportText(raw, parsed.root, part), left) : partPrefix(raw, part, left)
    if (text !== '') out = out === '' ? text : `${out} ${text}`
    if (out.length >= charsMax) break
  }
  return cut(out, charsMax)
}

function partPrefix(raw: Uint8Array, part: MimePart, charsMax: number): string {
  const encoded = encodedBody(raw, part)
  const windows = textKind(part) === 'html' ? HTML_WINDOWS_BYTES : TEXT_WINDOWS_BYTES
  for (const windowBytes of windows) {
    const window = encoded.subarray(0, Math.max(windowBytes, charsMax * 2))
    const isWhole = window.length === encoded.length
    const text = readable(raw, part, window, isWhole, charsMax)
    const line = onOneLine(text, charsMax)
    const isEnough = line.length >= charsMax || text.length >= READ_CHARS_MAX || (windowBytes >= USUAL_BYTES && line !== '')
    if (isWhole || isEnough || windowBytes === windows.at(-1)) return line
  }
  return ''
}

function readable(raw: Uint8Array, part: MimePart, window: Buffer, isWhole: boolean, charsMax: number): string {
  if (textKind(part) === 'html' && window.length <= SAMPLE_BYTES) return partSample(raw, part).seen.text
  const decoded = decodeWindow(raw, part, window, isWhole)
  if (textKind(part) === 'html') return htmlToText(decoded, charsMax * 2)
  const plain = withoutStyleSheets(decoded)
  const tagged = taggedText(plain)
  return tagged === undefined ? plain : htmlToText(tagged, charsMax * 2)
}

/** At least `charsMax` characters, if there are as many. Few texts are more than half white space; for those, more is read. */
function onOneLine(text: string, charsMax: number): string {
  const read = text.slice(0, READ_CHARS_MAX)
  for (let chars = charsMax * 2; ; chars *= 4) {
    const start = read.slice(0, chars)
    // No character of ASCII is invisible, and to ask for each what it is takes most of the time.
    const isPlain = !NOT_ASCII.test(start)
    const line = (isPlain ? start : start.replace(INVISIBLE, ''))
      .replace(RULE, ' ')
      .replace(isPlain ? ASCII_BLANKS : BLANKS, ' ')
      .trim()
    if (line.length >= charsMax || chars >= read.length) return line
  }
}

/** The first bytes of an encoded text as text. If they are not the whole text, nothing at the end is cut in two. */
function decodeWindow(raw: Uint8Array, part: MimePart, window: Buffer, isWhole: boolean): string {
  if (!isWhole) return decodeNow(raw, part, window, false)
  part.text ??= decodeNow(raw, part, window, true)
  return part.text
}

function decodeNow(raw: Uint8Array, part: MimePart, window: Buffer, isWhole: boolean): string {
  const encoding = textEncoding(window, part)
  const decoded = decodeBytes(isWhole ? window : wholeUnits(window, encoding), encoding)
  const bytes = withoutFiles(decoded, filesInText(raw, part))
  const whole = isWhole ? bytes : wholeCharacters(bytes)
  return decodeText(whole, partCharset(part, whole)).text
}

/** Removes a cut `=X` at the end. */
function wholeUnits(window: Buffer, encoding: string): Buffer {
  if (encoding !== 'quoted-printable') return window
  const equals = window.lastIndexOf(0x3d)
  return equals >= window.length - 2 && equals !== -1 ? window.subarray(0, equals) : window
}

/** Removes an incomplete UTF-8 sequence at the end, which would make the text look like another charset. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back)
  }
  return bytes
}

/** At most `charsMax` UTF-16 units, never half a surrogate pair. */
function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const code = text.charCodeAt(charsMax - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? charsMax - 1 : charsMax).trimEnd()
}

/** A declaration in braces, or a rule in a media query, but not the braces of ordinary text or of a template (`{{name}}`). */
const DECLARATION = /^\s*(?:\/\*|[\w-]{1,40}\s*:|[^\s{}][^{}\n]{0,200}\{|$)/
/** What may come before the braces: a selector at the start of a line or after the rule before. */
const SELECTOR_CHARS_MAX = 500

/** Removes style sheets that some programs copy into the plain text of a mail: `p { margin: 0 }`, `@media … { … }`. */
function withoutStyleSheets(text: string): string {
  if (!text.includes('{')) return text
  let out = ''
  let at = 0
  for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', at)) {
    const close = closingBrace(text, open)
    const start = selectorStart(text, open, at)
    const isRule = start < open && DECLARATION.test(text.slice(open + 1, open + 1 + SELECTOR_CHARS_MAX))
    out += text.slice(at, isRule ? start : close)
    at = close
  }
  return out + text.slice(at)
}

/** After the brace that closes the one at `open`; the end of the text if there is none. */
function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b) depth++
    else if (code === 0x7d && --depth === 0) return at + 1
  }
  return text.length
}

/** Where the selector of the rule at `open` starts: after an empty line or what was already read. It may have several lines. */
function selectorStart(text: string, open: number, from: number): number {
  const start = Math.max(from, open - SELECTOR_CHARS_MAX)
  // Only there: in the whole text each of a thousand rules on one line would be searched back to the first.
  const before = text.slice(start, open)
  let at = before.lastIndexOf('\n') + 1
  // `h1,` on the line before is part of the selector
  while (at > 0 && /,\s*$/.test(before.slice(Math.max(0, at - 20), at))) at = at < 2 ? 0 : before.lastIndexOf('\n', at - 2) + 1
  return start + at
}

/** The subjects that people write are shorter, and a text part behind one is still read. */
const SUBJECT_CHARS_MAX = 300

/**
 * The start of the plain parts, with their line breaks, decoded from at most `bytesMax` encoded bytes, and the subject of each message that
 * is forwarded among them. Empty if there is none, or if it is not known whether the HTML says something else.
 */
export function textSample(raw: Uint8Array, parsed: ParsedMessage, bytesMax: number): string {
  if (htmlSample(raw, parsed) === UNJUDGED) return ''
  let left = bytesMax
  const texts: string[] = []
  for (const part of bodyParts(raw, parsed).text) {
    if (left <= 0) break
    const [message] = isEmbeddedMessage(part) ? part.children : []
    const subject = message && decodeWords((firstHeader(message, 'subject') ?? '').slice(0, SUBJECT_CHARS_MAX))
    if (subject) texts.push(`${subject}\n`)
    left -= subject?.length ?? 0
    if (textKind(part) !== 'plain') continue
    texts.push(decodeStart(raw, part, left))
    left -= part.bodyLength
  }
  return texts.join('\n')
}

export type HtmlSample = {
  readonly html: string
  readonly seen: SeenHtml
  /** Whether a person sees words in it. If so, it is all that the page shows of the mail. */
  readonly hasWords: boolean
  /** The text that is seen, with the words that stand for pictures. */
  textWithPictures(): string
  /** Reads on, for what the text says and `seen` lacks. Missing if `seen` is all. */
  readonly whole?: () => HtmlSample
}

/**
 * The start of the view with HTML, with its tags and as a reader sees it. Nothing if there is none, or if its first part is too long to be
 * judged; of those after it, which may be forwarded mails, as many count as can be.
 */
export function htmlSample(raw: Uint8Array, parsed: ParsedMessage): HtmlSample | undefined {
  const parts = bodyParts(raw, parsed)
  if (!samples.has(parts)) samples.set(parts, viewSample(raw, parsed, parts))
  return samples.get(parts)
}

function viewSample(raw: Uint8Array, parsed: ParsedMessage, { html, text }: BodyParts): HtmlSample | undefined {
  if (html.every(part => textKind(part) !== 'html')) return undefined
  const judged: MimePart[] = []
  let bytesLeft = SHEETS_BYTES_MAX
  for (const part of html) {
    if (textKind(part) === 'html') bytesLeft -= part.bodyLength
    if (bytesLeft < 0) break
    judged.push(part)
  }
  const [first] = judged
  if (!first) return UNJUDGED
  const decode = (part: MimePart) => decodeStart(raw, part, textKind(part) === 'html' ? SHEETS_BYTES_MAX : SAMPLE_BYTES)
  // Without a tag it is shown only for want of a text.
  if (text.some(part => textKind(part) === 'plain') && !judged.some(part => containsTag(decode(part)))) return undefined
  return html.length === 1 ? partSample(raw, first) : sampleOf(joinHtml(judged, bodyPictures(raw, parsed), decode))
}

const samples = new WeakMap<MimePart | BodyParts, HtmlSample | undefined>()
const UNJUDGED: HtmlSample = { html: '', seen: { text: '', links: [] }, hasWords: true, textWithPictures: () => '' }

function partSample(raw: Uint8Array, part: MimePart): HtmlSample {
  const known = samples.get(part)
  if (known) return known
  const sample = sampleOf(decodeStart(raw, part, SHEETS_BYTES_MAX))
  samples.set(part, sample)
  return sample
}

function sampleOf(html: string, charsMax = SAMPLE_BYTES): HtmlSample {
  const start = readHtml(html, undefined, charsMax)
  const isCut = html.length > charsMax && charsMax < WHOLE_CHARS_MAX
  const seen =
    isCut && (start.text.length < LATE_CHARS_MAX || !hasWords(start.text)) ? readHtml(html, CODE_CHARS_MAX, WHOLE_CHARS_MAX) : start
  let whole: HtmlSample | undefined
  return {
    html: html.slice(0, charsMax),
    seen,
    hasWords: hasWords(seen.text),
    textWithPictures: () => readHtml(html, undefined, charsMax, true).text,
    ...(isCut && { whole: () => (whole ??= sampleOf(html, WHOLE_CHARS_MAX)) }),
  }
}

/** An HTML that shows less in its first bytes starts late, behind style sheets or a logo, and is read on as far as codes are searched. */
const LATE_CHARS_MAX = 400
const CODE_CHARS_MAX = 8192

function decodeStart(raw: Uint8Array, part: MimePart, bytesMax: number): string {
  const encoded = encodedBody(raw, part)
  const window = encoded.subarray(0, bytesMax)
  return decodeWindow(raw, part, window, window.length === encoded.length)
}

/** Reads the text of a mail line by line for whatever may be a one-time code. */

import { findConcepts } from '../concepts/concepts.ts'
import { isLineNearCode, isNamed, isNearCode, toWhole, type Whole } from './evidence.ts'
import { conceptsAt, has, isCited, type Part, type Spot, toSpot } from './place.ts'
import { findCandidates, isRare, mayHaveCandidates } from './shapes.ts'

/** Codes are near the top: in no mail that we know is one deeper than 6,000 characters. The rest is not searched. */
const TEXT_CHARS_MAX = 8192
const SUBJECT_CHARS_MAX = 1000
/** A line with more of them is a list or filler, of which none is a code. */
const CANDIDATES_PER_LINE_MAX = 4
/** Numbers weighed per part, since a mail may be nothing but numbers. */
const CANDIDATES_MAX = 40
/** Stands for each character of an address that was taken out of a line. */
const REMOVED = '\u0001'

const HAS_LINKS = /:\/\/|www\./i
const LINKS = /\b(?:https?:\/\/|www\.)\S+/gi
/** By the code of a character: 2 in the domain of an address or before its @, 1 only there. */
const IN_ADDRESS = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\w.-]/.test(String.fromCharCode(code)) ? 2 : Number(code === 0x25 || code === 0x2b),
)
const DOMAIN_CHARS_MAX = 255
const NOT_ASCII = /[^\0-\x7f]/
/** Marks of direction around Latin letters in a line from right to left, and where a word may be broken. */
const UNSEEN = /[\u034f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** How the subject of an answer begins: `Re:`, `AW:`. In other mails the same signs stand before a code of their own. */
const ANSWER = /^\s*(?:re|aw|antw|sv|vs|odp|ynt|rif|res|ref|отв|回复|答复|回覆|返信|회신|답장) ?(?:\[\d+\])? ?[:：]/iu
/** How an older mail begins below an answer: `>`, `-----Original-----`, `From: Moss <a@moss.example>`. */
const CITED = /^(?:>|-{3,}[^-]+-{3,}$|[\p{L}-]{2,12} ?[:：].*<[^\p{L}<]+>$)/u
/** Nothing, or a rule or a fence: ``` */
const SIGNS = /^[-=_*~`]*$/

/** `text`: what is to be read of the plain text, or of the HTML. */
export type CodeSource = { readonly subject?: string | undefined; readonly text?: string | undefined }

/** Whatever may be a code. */
export function readSpots({ subject = '', text = '' }: CodeSource): { spots: Spot[]; whole: () => Whole } {
  const given = [subject.slice(0, SUBJECT_CHARS_MAX), text.slice(0, TEXT_CHARS_MAX)]
  const parts = given.map(part =>
    withoutAddresses(NOT_ASCII.test(part) ? asciiDigits(part.replace(UNSEEN, '').replaceAll('İ', 'I')) : part),
  )
  const [title = '', body = ''] = parts
  const readable = parts.flatMap((part, at) => (mayHaveCandidates(part) ? [toPart(part.split('\n'), at === 0)] : []))
  const isSaid = readable.length > 0 && isNamed(title)
  const found = isSaid || readable.some(hasNearCode) ? readable.flatMap(findSpots) : []
  const isAnswered =
    ANSWER.test(title) && found.some(isCited) && found.some(spot => !(spot.part.isSubject || isCited(spot)) && isNearCode(spot))
  const all = isAnswered ? found.filter(spot => !isCited(spot)) : found
  return { spots: isSaid ? all : all.filter(isNearCode), whole: once(() => toWhole(all, findConcepts(title), body)) }
}

/** Removes links and addresses with their digits. The filler keeps the rest of the line from looking as if it stood alone. */
function withoutAddresses(text: string): string {
  const rest = HAS_LINKS.test(text) ? text.replace(LINKS, link => REMOVED.repeat(Math.min(link.length, 3))) : text
  let out = ''
  let kept = 0
  for (let at = rest.indexOf('@'); at !== -1; at = rest.indexOf('@', at + 1)) {
    let start = at
    let end = at + 1
    while (start > kept && (IN_ADDRESS[rest.charCodeAt(start - 1)] ?? 0) > 0) start--
    while (end <= at + DOMAIN_CHARS_MAX && IN_ADDRESS[rest.charCodeAt(end)] === 2) end++
    if (start === at || end === at + 1) continue
    out += rest.slice(kept, start) + REMOVED.repeat(Math.min(end - start, 3))
    kept = end
  }
  return out + rest.slice(kept)
}

/** Full-width, Arabic, Persian, Indic and Thai digits, and hyphens that break no line, as the reader would type them at a keyboard. */
function asciiDigits(text: string): string {
  return text
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g, digit => {
      const code = digit.charCodeAt(0)
      return String((code >= 0x966 && code <= 0x9ef ? code - 6 : code) & 0xf)
    })
}

/** Most mails have numbers, and few of them any that is near a word of codes: only then all are read, to be compared. */
function hasNearCode(part: Part): boolean {
  return part.lines.some((line, index) => mayHaveCandidates(line) && isLineNearCode(part, index) && spotsOf(part, index).some(isNearCode))
}

function findSpots(part: Part): Spot[] {
  const spots: Spot[] = []
  for (let index = 0; index < part.lines.length && spots.length < CANDIDATES_MAX; index++) spots.push(...spotsOf(part, index))
  return spots.slice(0, CANDIDATES_MAX)
}

function spotsOf(part: Part, index: number): Spot[] {
  const found = part.spots[index] ? [] : findCandidates(part.lines[index] ?? '')
  const isList = found.length > CANDIDATES_PER_LINE_MAX && found.filter(({ kind }) => !isRare(kind)).length > CANDIDATES_PER_LINE_MAX
  part.spots[index] ??= isList ? [] : found.map(candidate => toSpot(candidate, index, part)).filter(isPlausible)
  return part.spots[index]
}

/** `otp=481516`, as programs write to their users. */
const NAMED_FIELD = /([\p{L}_]+)=$/u
const FIELD_CHARS_MAX = 30

/**
 * Three digits are a code only where a mail says that it has three, in a line without another number such as `550 5.1.1`, and a word in
 * capitals only if the mail has it nowhere else. A line of fields has many numbers, so the name must be one of a code.
 */
function isPlausible(spot: Spot): boolean {
  const { candidate, before, after, part } = spot
  const field = NAMED_FIELD.exec(before.slice(-FIELD_CHARS_MAX))?.[1]
  if (field !== undefined && !isNamed(field)) return false
  if (candidate.kind === 'short')
    return !/\d[\d.]/.test(before + after) && [-1, 0, 1].some(offset => has(conceptsAt(spot, offset), 'three'))
  if (candidate.kind !== 'word') return true
  const word = candidate.value.toLowerCase()
  const text = part.lowered()
  const lineEnd = text.indexOf('\n', text.indexOf(word))
  return lineEnd === -1 || text.lastIndexOf(word) < lineEnd
}

function toPart(lines: string[], isSubject: boolean): Part {
  const read: string[] = []
  const begins: boolean[] = []
  let isAfterBlank = true
  const trimmed = lines.map(written => written.trim())
  const whole = trimmed.some(isDigit) ? joinDigits(trimmed) : trimmed
  for (const line of joinWrapped(whole)) {
    const isBlank = SIGNS.test(line)
    if (!isBlank) {
      read.push(line)
      begins.push(isAfterBlank)
    }
    isAfterBlank = isBlank
  }
  const cited = () => read.findIndex((line, at) => CITED.test(line) || (/[:：]$/.test(line) && read[at + 1]?.startsWith('>')))
  const lowered = () => read.join('\n').toLowerCase()
  return { lines: read, begins, areOfCode: [], hits: [], spots: [], isSubject, cited: once(cited), lowered: once(lowered) }
}

/** Lines of so many columns may be parts of a paragraph that a program has wrapped. */
const WRAPPED_COLUMNS = { min: 55, max: 100 }
/** The longest line of HTML is none that was wrapped, if a code stands alone below it. */
const SENTENCE_END = /[.!?:。！？：]$/
const WIDE = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]/g

/** Joins the lines of a paragraph: the first word of the next did not fit into the columns that the longest line has. */
function joinWrapped(lines: readonly string[]): readonly string[] {
  const columns = lines.map(columnsOf)
  const width = Math.max(...columns)
  if (width < WRAPPED_COLUMNS.min || width > WRAPPED_COLUMNS.max) return lines
  const joined: string[] = []
  let isOpen = false
  for (const [at, line] of lines.entries()) {
    const first = isOpen ? (/^\S+/.exec(line)?.[0] ?? '') : ''
    if (first !== '' && (columns[at - 1] ?? 0) + columnsOf(first) >= width) joined.push(`${joined.pop()} ${line}`)
    else joined.push(line)
    isOpen = (columns[at] ?? 0) >= WRAPPED_COLUMNS.min - 5 && !SENTENCE_END.test(line)
  }
  return joined
}

function columnsOf(line: string): number {
  return NOT_ASCII.test(line) ? line.length + (line.match(WIDE)?.length ?? 0) : line.length
}

function isDigit(line: string): boolean {
  return line.length === 1 && line >= '0' && line <= '9'
}

/** A code with each of its signs in a box of its own is a line for each in the text, perhaps with a hyphen in the middle. */
const SIGNS_APART = { min: 4, max: 8 }

function joinDigits(lines: string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at
    while (end < lines.length && /^[\dA-Z–-]?$/.test(lines[end] ?? '')) end++
    const signs = lines.slice(at, end).filter(line => /\w/.test(line))
    const [before, code, after] = withoutLogo(signs)
    const isFew = code.length >= SIGNS_APART.min && code.length <= SIGNS_APART.max
    const isCode = isFew && code.filter(isDigit).length > 1 && !isCounting(code)
    joined.push(...(isCode ? [...before, code.join(' '), '', ...after] : lines.slice(at, Math.max(end, at + 1))))
    at = Math.max(end, at + 1)
  }
  return joined
}

/** One letter above or below digits is a logo or a picture's stand-in, and no part of their code. */
function withoutLogo(signs: readonly string[]): [before: readonly string[], code: readonly string[], after: readonly string[]] {
  const from = signs.findIndex(isDigit)
  const to = signs.findLastIndex(isDigit) + 1
  const digits = signs.slice(Math.max(0, from), to)
  const isFramed = from <= 1 && signs.length - to <= 1 && digits.every(isDigit)
  return isFramed ? [signs.slice(0, Math.max(0, from)), digits, signs.slice(to)] : [[], signs, []]
}

/** The numbers of a list: 1, 2, 3, 4. */
function isCounting(digits: readonly string[]): boolean {
  return digits.every((digit, at) => at === 0 || Number(digit) === Number(digits[at - 1]) + 1)
}

function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

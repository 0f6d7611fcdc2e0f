/** Finds the one-time codes of a mail: what its shapes, its signals and its doubts say of each number together. */

import { patternsFor } from '../languages/patterns.ts'
import { DOUBTS } from './doubts.ts'
import { mentionsCode, mentionsTyping } from './mentions.ts'
import { findCandidates, isRare } from './shapes.ts'
import { REMOVED, SCORE_MIN, SIGNALS } from './signals.ts'
import { type Context, type Part, type Spot, saysThreeDigitsNear, toContext, toSpot } from './spot.ts'

/** Codes are near the top: in no mail that we know is one deeper than 6,000 characters. The rest is not searched. */
const TEXT_CHARS_MAX = 16_384
const SUBJECT_CHARS_MAX = 1000
/** A line with more of them is a list or filler, of which none is a code. */
const CANDIDATES_PER_LINE_MAX = 4
/** Numbers scored per part. Scoring one takes about 20 µs, and a mail may be nothing but numbers. */
const CANDIDATES_MAX = 200
const CODES_MAX = 3
/** A second code must be nearly as certain as the first. */
const SCORE_GAP = 20

/** The lookbehind lets each word be read once, not from each of its letters. */
const ADDRESSES = /\b(?:https?:\/\/|www\.)\S+|(?<![\w.+%-])[\w.+%-]+@[\w.-]{1,255}/gi
/** Enough for a text without an @. */
const LINKS = /\b(?:https?:\/\/|www\.)\S+/gi
/** Marks of direction around Latin letters in a line from right to left, and where a word may be broken. */
const UNSEEN = /[\u034f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** `htmlText` is the readable text of the HTML part. */
type CodeSource = { subject?: string | undefined; text?: string | undefined; htmlText?: string | undefined }

/**
 * The one-time codes of a mail, in the languages of `reader/languages/`, as the visitor has to type them, best guess first, at most three.
 * Deterministic, and linear in the length of the text. Numbers in addresses, telephone numbers, prices, dates, orders and transactions are
 * not codes. `isMentioned`: whether the subject or the text mentions a code, or the text asks to type one, if the caller knows.
 */
export function findCodes({ subject = '', text = '', htmlText = '' }: CodeSource, isMentioned?: boolean): string[] {
  const given = [subject.slice(0, SUBJECT_CHARS_MAX), text.slice(0, TEXT_CHARS_MAX), htmlText.slice(0, TEXT_CHARS_MAX)]
  const unread = isMentioned === undefined ? given : given.slice(2)
  if (!isMentioned && !unread.some(mentionsCode) && ![...given.slice(0, 1), ...unread].some(mentionsTyping)) return []
  const parts = given.map(written => asciiDigits(withoutAddresses(written.replace(UNSEEN, '').replaceAll('İ', 'I'))))
  const context = toContext(parts, patternsFor(parts.join('\n')))
  const scores = new Map<string, number>()
  for (const [at, part] of parts.entries()) {
    for (const [value, score] of scorePart(toPart(part.split(/\r?\n/), at === 0), context))
      scores.set(value, Math.max(score, scores.get(value) ?? 0))
  }
  const ranked = [...scores].filter(([value, score]) => score >= SCORE_MIN && !context.stolen.has(value)).sort(([, a], [, b]) => b - a)
  const best = ranked[0]?.[1] ?? 0
  return ranked
    .filter(([value, score]) => score >= best - SCORE_GAP && !ranked.some(([code]) => isGlued(value, code)))
    .slice(0, CODES_MAX)
    .map(([value]) => value)
}

/** `66K9P2Hello`: the code with the next word, where a text has lost the line between them. */
function isGlued(value: string, code: string): boolean {
  return value.length > code.length && value.startsWith(code) && /^\p{Lu}\p{Ll}/u.test(value.slice(code.length))
}

/** Removes links and addresses with their digits. The filler keeps the rest of the line from looking as if it stood alone. */
function withoutAddresses(text: string): string {
  return text.replace(text.includes('@') ? ADDRESSES : LINKS, address => REMOVED.repeat(Math.min(address.length, 3)))
}

/** Full-width, Arabic, Persian and Devanagari digits as the reader would type them at a keyboard. */
function asciiDigits(text: string): string {
  return text.replace(/[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, digit => {
    const code = digit.charCodeAt(0)
    return String((code >= 0x966 && code <= 0x96f ? code - 0x966 : code) & 0xf)
  })
}

function scorePart(part: Part, context: Context): [value: string, score: number][] {
  const spots = part.lines.flatMap((line, index) => {
    const found = findCandidates(line).filter(({ kind }) => kind !== 'short' || saysThreeDigitsNear(index, part, context))
    if (found.length > CANDIDATES_PER_LINE_MAX && found.filter(({ kind }) => !isRare(kind)).length > CANDIDATES_PER_LINE_MAX) return []
    return found.map(candidate => toSpot(candidate, index, part, context))
  })
  return spots.slice(0, CANDIDATES_MAX).map(spot => {
    const scored = scoreOf(spot)
    const score = scored >= SCORE_MIN && DOUBTS.some(doubt => doubt.applies(spot)) ? 0 : scored
    if (score >= SCORE_MIN) part.withCode.add(spot.index)
    return [spot.candidate.value, score]
  })
}

/** How surely the candidate is a code, from 0 to 100. */
function scoreOf(spot: Spot): number {
  for (const { score } of SIGNALS) {
    const decided = score(spot)
    if (decided !== undefined) return decided
  }
  return 0
}

function toPart(lines: string[], isSubject: boolean): Part {
  const part: Part = { lines: [], begins: [], identity: [], withCode: new Set(), isSubject }
  let isAfterBlank = true
  for (const line of joinDigits(lines.map(written => written.trim()))) {
    if (line !== '') {
      part.lines.push(line)
      part.begins.push(isAfterBlank)
    }
    isAfterBlank = line === ''
  }
  return part
}

/** A code with each of its digits in a box of its own is a line for each in the text. */
const DIGITS_APART = { min: 4, max: 8 }

function joinDigits(lines: string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at
    while (end < lines.length && /^\d?$/.test(lines[end] ?? '')) end++
    const digits = lines.slice(at, end).filter(line => line !== '')
    const isCode = digits.length >= DIGITS_APART.min && digits.length <= DIGITS_APART.max && !isCounting(digits)
    joined.push(...(isCode ? [digits.join(' '), ''] : lines.slice(at, Math.max(end, at + 1))))
    at = Math.max(end, at + 1)
  }
  return joined
}

/** The numbers of a list: 1, 2, 3, 4. */
function isCounting(digits: readonly string[]): boolean {
  return digits.every((digit, at) => at === 0 || Number(digit) === Number(digits[at - 1]) + 1)
}

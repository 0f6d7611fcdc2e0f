/** Where a candidate stands in a mail, and what the mail says around it. */

import { once, type Patterns } from '../languages/patterns.ts'
import { mentionsCode } from './mentions.ts'
import type { Candidate } from './shapes.ts'

/** How much of a line is read on each side of a candidate. */
export const BEFORE_CHARS = 180
export const AFTER_CHARS = 110
/** How much of a line around it is read for what it is about. */
export const ABOUT_CHARS = 300
/** Lines around a number that are checked for the number of a meeting: each value may stand on a line of its own. */
const MEETING_LINES = 4
/** Lines around a number of a bill that are checked for a request to confirm. */
const PROOF_LINES = 4
/** How many lines around a bare "code" must mention sign-in, because a newsletter mentions everything somewhere. */
const IDENTITY_LINES = 8
/** What of the body says what a number of the subject is for. */
const OPENING_CHARS = 400
/** A mail of `Code: 481516` and no more, as tests and small services send. */
const TERSE_CHARS_MAX = 60
/** `Case: 481516`, `Data do pedido: 14/03`. */
const LABELLED = /^[\p{L}][^:：.!?]{1,40}[:：]\s*\S/u
/** Several codes, or one that programs read: not what a mail asks a reader to enter. */
const MANY = /^(?:codes|c[oó]digos|codici|token)$/i

/** What the whole mail says. Searching it for words takes longer than anything else here, and few mails need it. */
export type Context = {
  readonly words: Patterns
  readonly subject: string
  /** The mail says nothing else. */
  readonly isTerse: boolean
  readonly isSubjectIdentity: () => boolean
  /** Whether the body begins with words of signing in, and none of a parcel, a journey or a sale: asked for a number of the subject. */
  readonly isBodyIdentity: () => boolean
  readonly isTravel: () => boolean
  readonly isShop: () => boolean
  readonly isExpired: () => boolean
  readonly isMeeting: () => boolean
  /** What the mail wants together with the number of a card, in its subject too. */
  readonly stolen: Set<string>
}

export function toContext(parts: readonly string[], words: Patterns): Context {
  const whole = parts.join('\n')
  const subject = parts[0] ?? ''
  const opening = parts
    .slice(1)
    .map(body => body.slice(0, OPENING_CHARS))
    .join('\n')
  return {
    words,
    subject,
    isTerse: whole.length <= TERSE_CHARS_MAX,
    isSubjectIdentity: once(() => words.identity.test(subject)),
    isBodyIdentity: once(() => words.identity.test(opening) && ![words.files, words.travel, words.shop].some(other => other.test(opening))),
    isTravel: once(() => words.travel.test(whole)),
    isShop: once(() => words.shop.test(whole)),
    isExpired: once(() => words.expired.test(subject)),
    isMeeting: once(() => words.meetings.test(whole)),
    stolen: new Set<string>(),
  }
}

/**
 * The non-empty lines of one part, which of them begin a paragraph, and in which a code stands. Whether a line mentions sign-in is computed
 * once.
 */
export type Part = {
  readonly lines: string[]
  readonly begins: boolean[]
  readonly identity: (boolean | undefined)[]
  readonly withCode: Set<number>
  readonly isSubject: boolean
}

/** `index`: the line of the candidate. `before`, `after`: what is read of the line on each side. `isAlone`: these are nothing but signs. */
export type Spot = {
  readonly candidate: Candidate
  readonly index: number
  readonly before: string
  readonly after: string
  readonly isAlone: boolean
  readonly part: Part
  readonly context: Context
}

export function toSpot(candidate: Candidate, index: number, part: Part, context: Context): Spot {
  const line = part.lines[index] ?? ''
  const before = line.slice(Math.max(0, candidate.start - BEFORE_CHARS), candidate.start)
  const after = line.slice(candidate.end, candidate.end + AFTER_CHARS)
  const isAlone = /^[\s"“”«»'‘’「」『』【】[\](){}*•·>–—-]*$/u.test(before) && /^[\s"“”«»'‘’「」『』【】[\](){}*.。<]*$/u.test(after)
  return { candidate, index, before, after, isAlone, part, context }
}

/** The line so many lines below the candidate's, or above it. */
export function lineAt({ index, part }: Spot, offset: number): string {
  return part.lines[index + offset] ?? ''
}

function linesAround({ index, part }: Pick<Spot, 'index' | 'part'>, distance: number): string[] {
  return part.lines.slice(Math.max(0, index - distance), index + distance + 1).map(line => line.slice(0, ABOUT_CHARS))
}

/** The sentence that a candidate stands in, without the candidate. */
export function sentenceAround(before: string, after: string): string {
  const start = before.split(/[.!?]["”»]?\s|[。！？]/u).at(-1) ?? ''
  const end = after.split(/[.!?](?:["”»]?\s|$)|[。！？]/u)[0] ?? ''
  return `${start} ${end}`
}

export function isIdentityNear({ index, part, context }: Spot): boolean {
  if (context.isSubjectIdentity()) return true
  for (let at = Math.max(0, index - IDENTITY_LINES); at <= index + IDENTITY_LINES && at < part.lines.length; at++) {
    part.identity[at] ??= context.words.identity.test(part.lines[at] ?? '')
    if (part.identity[at]) return true
  }
  return false
}

/** Whether the subject or the lines around are about a parcel, a file, a card, a tax or a journey. */
export function isFileNear(spot: Spot): boolean {
  const { subject, words } = spot.context
  const text = [subject, ...linesAround(spot, 2)].join('\n')
  return words.files.test(text) || words.travel.test(text)
}

/** Whether the subject or the lines around are about a bill, a payment, an order or a parcel, and none asks to confirm anything. */
export function isOnBill(spot: Spot): boolean {
  const { subject, words } = spot.context
  if (!words.bills.test([subject, ...linesAround(spot, 2)].join('\n'))) return false
  // A text is wrapped: `enter the code 4815` and then `on the page that is open`.
  const wrapped = spot.part.begins[spot.index + 1] === false ? [`${lineAt(spot, 0)} ${lineAt(spot, 1)}`.slice(0, 2 * ABOUT_CHARS)] : []
  // `Order confirmation` asks for nothing.
  const asking = words.bills.test(subject) && words.confirmed.test(subject) ? [] : [subject]
  return ![...asking, ...linesAround(spot, PROOF_LINES), ...wrapped].some(
    line => (words.proves.test(line) && !words.signsIn.test(line)) || (words.enters.test(line) && words.places.test(line)),
  )
}

/** Whether the lines around are about a door, a locker or a network. */
export function isDoorNear(spot: Spot): boolean {
  return linesAround(spot, 1).some(line => spot.context.words.doors.test(line))
}

/** `Give the courier this code`, `Show it at the counter`: nobody types it in. */
export function isToldNear(spot: Spot): boolean {
  const { told, negates } = spot.context.words
  const sentences = linesAround(spot, 1).flatMap(line => (told.test(line) ? line.split(/[.!?]\s|[。！？،]/u) : []))
  return sentences.some(sentence => told.test(sentence) && !negates.test(sentence))
}

export function isCollectedNear(spot: Spot): boolean {
  return [spot.context.subject, ...linesAround(spot, 2)].some(line => spot.context.words.collects.test(line))
}

export function isMeetingNear(spot: Spot): boolean {
  return spot.context.isMeeting() && linesAround(spot, MEETING_LINES).some(line => spot.context.words.meetings.test(line))
}

export function saysThreeDigitsNear(index: number, part: Part, { words }: Context): boolean {
  return linesAround({ index, part }, 1).some(line => words.three.test(line))
}

/** Whether the line is in a paragraph with other lines of the form `Label: value`. */
export function isListed({ index, part: { lines, begins } }: Spot): boolean {
  const isLabelled = (at: number) => LABELLED.test(lines[at] ?? '')
  return isLabelled(index) && ((!begins[index] && isLabelled(index - 1)) || (begins[index + 1] === false && isLabelled(index + 1)))
}

/** A name of codes in a text. `strength`: how surely it is one of a code to enter. `isPlain`: one code, in a word that people use. */
export type Name = {
  readonly name: string
  readonly strength: number
  readonly start: number
  readonly end: number
  readonly isPlain: boolean
}

/** `verification code` is a sure name, `code` is not. */
export const SURE = 90

/** The names of codes in a window of text, in order. */
export function codeNames(window: string, { codes }: Patterns): Name[] {
  // The long pattern costs ten times as much, and few windows have such a name.
  if (!mentionsCode(window)) return []
  const names: Name[] = []
  // `matchAll` would copy the pattern, which takes longer than the search.
  for (let match = codes.exec(window); match; match = codes.exec(window)) {
    const { 0: name, index: start, groups } = match
    const end = start + name.length
    if (groups?.sure) names.push({ name, strength: 100, start, end, isPlain: false })
    else if (groups?.bare) names.push({ name, strength: 85, start, end, isPlain: !MANY.test(name) })
  }
  return names
}

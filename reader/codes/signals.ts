/**
 * Reasons to offer a candidate as a code. The first one that says something decides, so a candidate costs little: most have another name
 * right before them.
 */

import type { Patterns } from '../languages/patterns.ts'
import { type Candidate, isRare } from './shapes.ts'
import {
  ABOUT_CHARS,
  AFTER_CHARS,
  BEFORE_CHARS,
  codeNames,
  isCollectedNear,
  isDoorNear,
  isFileNear,
  isIdentityNear,
  isListed,
  isOnBill,
  lineAt,
  type Name,
  type Spot,
  SURE,
  sentenceAround,
} from './spot.ts'

/** From here on a candidate is offered. */
export const SCORE_MIN = 60
/** Stands for each character of an address that was taken out of a line (codes.ts). */
export const REMOVED = '\u0001'
/** Non-empty lines above a number that are checked for what the number is. */
const LINES_BACK = 3
/** The heads of a table, and no sentence. */
const HEADER_CHARS_MAX = 80
/** The end of a sentence, but not of an abbreviation: `Matrikel-Nr. TAN`. */
const IN_SENTENCE = /(?<!(?<!\p{L})\p{L}{1,3})[.!?:：]\s|[.!?:：。！？।؟]$|\d/u
/** The address of a page is a place, too. */
const ADDRESS = /[a-z\d]\.[a-z]{2,12}\//i

/** `score`: 0 to 100, where 0 says that this is no code, and undefined nothing. `isNone`: the example is none. */
type Signal = {
  readonly name: string
  readonly like: string
  readonly isNone?: true
  readonly score: (spot: Spot) => number | undefined
}

export const SIGNALS: readonly Signal[] = [
  { name: 'named behind it', like: '481516 is your verification code', score: namedBehind },
  { name: 'used', like: 'Use 481516 to sign in', score: spot => scoreIf(isUsed(spot), 85) },
  // The words of that line are about its own code, and a number below it is a hotline's or the like.
  {
    name: 'below a code',
    like: 'Your code: 481516\n555 0199',
    score: spot => notIf(spot.isAlone && spot.part.withCode.has(spot.index - 1)),
  },
  {
    name: 'named as something else',
    like: 'Order: 481516',
    isNone: true,
    score: spot => notIf(!spot.isAlone && spot.context.words.labelBefore.test(spot.before)),
  },
  { name: 'named in its line', like: 'Your verification code: 481516', score: spot => offered(spot.isAlone ? 0 : namedInLine(spot)) },
  {
    name: 'named in part',
    like: 'Enter your access key on the page.\nKey: 481516',
    score: spot => scoreIf(!spot.isAlone && isNamedInPart(spot), 80),
  },
  { name: 'named in another line', like: 'Your verification code:\n481516', score: spot => offered(spot.isAlone ? namedAround(spot) : 0) },
  { name: 'in boxes', like: 'To book, use this code:\n4 8 1 5 1 6', score: spot => scoreIf(isInBoxes(spot), 70) },
  {
    name: 'in a column',
    like: 'Student no.  Verification code\n330718  481516',
    score: spot => scoreIf(!spot.isAlone && isInColumn(spot), 75),
  },
  { name: 'asked for', like: 'Key in 481516 on the page', score: spot => scoreIf(isAskedFor(spot) && !isDoorNear(spot), 75) },
]

function scoreIf(applies: boolean, score: number): number | undefined {
  return applies ? score : undefined
}

function notIf(applies: boolean): number | undefined {
  return applies ? 0 : undefined
}

function offered(score: number): number | undefined {
  return score >= SCORE_MIN ? score : undefined
}

function namedBehind(spot: Spot): number | undefined {
  const { candidate, before, after, context } = spot
  const { words } = context
  if (!words.isYour.test(after) && !(/^(?:.*[\]】]|\S+:)?\s*$/u.test(before) && words.dashName.test(after))) return undefined
  const sentence = after.slice(0, 80).split(/[.!?](?:\s|$)/u)[0] ?? ''
  const [name] = codeNames(sentence, words).sort((a, b) => b.strength - a.strength)
  // `Booking 0412 confirmation code: 123456`: the name of the next number.
  if (!name || /^\s*[:：]\s*\S*\d/.test(sentence.slice(name.end))) return undefined
  if (isRare(candidate.kind) && name.strength < SURE) return undefined
  return (name.strength >= SURE ? 95 : trust(name, true, spot)) || undefined
}

function isUsed({ candidate, before, after, context: { words, isShop } }: Spot): boolean {
  const isEntered = words.enterBefore.test(before) && words.purposeAfter.test(after)
  if (!isEntered && !(before.trim() === '' && words.useAfter.test(after))) return false
  return isDigits(candidate) || (hasDigits(candidate) && !isShop())
}

function namedInLine(spot: Spot): number {
  const { candidate, before, after, context } = spot
  const { words } = context
  const name = codeNames(before, words).at(-1)
  if (!name) return 0
  const between = before.slice(name.end)
  const sentence = sentenceAround(before, after)
  const isOffered = isAnnounced(isRare(candidate.kind) ? `${before} ${after}` : sentence, words)
  if (isTooVague(name, isOffered, spot) || isReceiptNumber(spot)) return 0
  // `Your parcel (code: 77120458)`, `Your bank declined the payment with code 51002`
  if (name.strength < SURE && (words.fileBefore.test(before.slice(0, name.start)) || words.reports.test(sentence))) return 0
  const strength = trust(name, isPlainNumber(candidate) && isOffered, spot)
  if (words.linkOnly.test(between)) return strength
  if (candidate.kind === 'word') return 0
  // Anything but digits right behind the name is more likely a name or a model.
  if (!isPlainNumber(candidate)) return words.linkAtEnd.test(between) ? strength - 15 : 0
  if (/[.!?]["”»]?\s|。/u.test(between)) return 0
  return words.linkAtEnd.test(between) ? strength - 10 : 0
}

function namedAround(spot: Spot): number {
  const { candidate, index, context } = spot
  const { words, subject } = context
  const isPlain = isPlainNumber(candidate)
  for (let back = 1; back <= LINES_BACK && index - back >= 0; back++) {
    const above = lineAt(spot, -back).slice(-BEFORE_CHARS)
    if (candidate.kind === 'word' && (back > 1 || !words.linkAtEnd.test(above))) return 0
    // A sentence before the last one may name a code, and the last one a telephone number.
    const line = isRare(candidate.kind) ? (above.split(/(?<=[.!?。！？])\s+/u).at(-1) ?? '') : above
    const name = givenNames(line, words).at(-1)
    if (name) {
      const isOffered = offersCode(line, words)
      if (isRare(candidate.kind) && !isOffered) return 0
      // `To view your bill, log in with your access code.`
      if (/[.。!！]$/u.test(line) && isOnBill(spot)) return 0
      return isTooVague(name, isOffered, spot) ? 0 : trust(name, isPlain && isOffered, spot) - back * 4
    }
    // Right above the number stands what it is.
    const isName = /^[^.!?。]{2,40}[:：]$/u.test(line) && !words.yours.test(line)
    if (back === 1 && (words.labelBefore.test(line.replace(/[:：.]$/, '')) || isName)) return 0
  }
  const next = lineAt(spot, 1).slice(0, AFTER_CHARS)
  const following = isPlain ? givenNames(next, words)[0] : undefined
  if (following) {
    const isOffered = offersCode(next, words)
    if ((isOffered || !isFileNear(spot)) && !isOnBill(spot)) return trust(following, isOffered, spot) - 10
  }
  const inSubject = codeNames(subject, words).at(-1)
  // Letters and digits alone on a line are more often the name of something than a number is.
  if (inSubject && candidate.kind === 'mixed' && inSubject.strength >= SURE && !isTooVague(inSubject, false, spot)) return SCORE_MIN
  return inSubject && isPlain ? trust(inSubject, offersCode(subject, words), spot) - 15 : 0
}

/** `We never ask for your security code` names no code of this mail. */
function givenNames(line: string, words: Patterns): Name[] {
  const names = codeNames(line, words)
  if (names.length === 0 || !words.warns.test(line)) return names
  const given = line.split(/(?<=[.!?。！？])\s*/u).filter(sentence => !words.warns.test(sentence))
  return given.flatMap(sentence => codeNames(sentence, words))
}

/** A line of prose that has the word "code" says little about the number on the next line; a heading, or "your code", says much. */
function offersCode(line: string, words: Patterns): boolean {
  return isAnnounced(line, words) || (!words.reports.test(line) && line.split(/\s+/u).length <= 3)
}

function isAnnounced(line: string, words: Patterns): boolean {
  return !words.reports.test(line) && (words.yours.test(line) || words.enters.test(line))
}

/**
 * Shapes that are words or other numbers as a rule: only "verification code" and the like make a code of them, or a line about signing in
 * that offers one. Letters and digits are a voucher where something is sold, and the name of a booking where somebody travels.
 */
function isTooVague(name: Name, isOffered: boolean, spot: Spot): boolean {
  const { kind, value } = spot.candidate
  const isBooking = (kind === 'long' || (kind === 'mixed' && !value.includes('-'))) && spot.context.isTravel()
  if (name.strength >= SURE) {
    if (isBooking && spot.context.words.confirmation.test(name.name)) return true
    return (kind === 'mixed' || spot.context.words.approval.test(name.name)) && !isOffered && isOnBill(spot)
  }
  if (kind === 'mixed') return isBooking || spot.context.isShop()
  if (!isRare(kind)) return false
  const isAsked = isOffered && kind !== 'letters' && isIdentityNear(spot)
  return !isAsked || isFileNear(spot) || isOnBill(spot) || spot.context.isShop()
}

/** `Transaction ID: … / Authentication code: 7F3K22A9`: among the numbers of a receipt. */
function isReceiptNumber(spot: Spot): boolean {
  if (!isListed(spot)) return false
  const isNumber = (line: string) => spot.context.words.labelBefore.test(/^[^:：]{2,40}[:：]/.exec(line)?.[0] ?? '')
  return (isNumber(lineAt(spot, -1)) || isNumber(lineAt(spot, 1))) && (spot.candidate.kind === 'mixed' || isOnBill(spot))
}

/**
 * A bare "code" counts if the mail offers it to the reader or says nothing else, or if the lines around it are about sign-in. Next to a
 * bill, a file, a parcel, a card, a tax or a booking it needs both; where something is sold it needs the lines about sign-in.
 */
function trust(name: Name, isOffered: boolean, spot: Spot): number {
  if (name.strength >= SURE) return name.strength
  const { part, context } = spot
  // `Case / Code / Date` with a value each: the code is one of a file, whatever the mail is about.
  if (isListed(spot) && codeNames(context.subject, context.words).length === 0) return 0
  const isIdentity = isIdentityNear(spot) || (part.isSubject && (name.isPlain || isOffered) && context.isBodyIdentity())
  if (isDoorNear(spot)) return 0
  const isClaimed = name.isPlain && (isOffered || context.isTerse) && !context.isShop()
  // The words of files are searched for last, because most mails are decided without them.
  const isTrusted = (isIdentity && isOffered) || ((isIdentity || isClaimed) && !isFileNear(spot))
  if (isTrusted && isOnBill(spot) && !(isOffered && isBesideNumber(spot))) return 0
  return isTrusted ? name.strength : name.strength - 30
}

/** `Order 482913. Your code is 7731`, under another subject: the order has a number of its own, and nothing is to be collected. */
function isBesideNumber(spot: Spot): boolean {
  const { subject, isTerse, words } = spot.context
  if (words.bills.test(subject) || !(isTerse || isIdentityNear(spot))) return false
  const lines = [lineAt(spot, -1), spot.before, spot.after, lineAt(spot, 1)]
  return lines.some(line => hasLabelledNumber(line.slice(0, BEFORE_CHARS), words)) && !isFileNear(spot) && !isCollectedNear(spot)
}

function hasLabelledNumber(line: string, words: Patterns): boolean {
  return [...line.matchAll(/(?<![\p{L}\d])(?:[A-Z]{1,3}-?)?\d{3,}/gu)].some(({ index }) => words.labelBefore.test(line.slice(0, index)))
}

/** `Use the access key below.` and then `Key: 481516`: a line above announces what the label names. */
function isNamedInPart(spot: Spot): boolean {
  const { before, after, candidate, context } = spot
  const { words } = context
  const label = /^([\p{L}\p{M}]{2,20}) ?[:：]\s*$/u.exec(before)?.[1]?.toLowerCase()
  if (label === undefined || after.trim() !== '' || !isDigits(candidate) || isOnBill(spot) || isFileNear(spot)) return false
  return Array.from({ length: LINES_BACK }, (_, back) => lineAt(spot, -1 - back).slice(-ABOUT_CHARS)).some(line => {
    const at = line.toLowerCase().lastIndexOf(label)
    if (at === -1 || words.warns.test(line) || words.labelBefore.test(line.slice(0, at + label.length))) return false
    return isAnnounced(line, words) && (words.identity.test(line) || codeNames(line, words).some(({ strength }) => strength >= SURE))
  })
}

/** Each digit apart, below a line that ends with a colon and names a code or digits. */
function isInBoxes(spot: Spot): boolean {
  const { words } = spot.context
  const above = lineAt(spot, -1).slice(-BEFORE_CHARS)
  if (!spot.candidate.isSpelled || !spot.isAlone || !/[:：]$/.test(above) || isDoorNear(spot)) return false
  return givenNames(above, words).length > 0 || words.digits.test(above)
}

/** Whether the mail asks to type the candidate in, whatever it calls it. What is sold or sent is no code. */
function isAskedFor(spot: Spot): boolean {
  const { candidate, isAlone, context } = spot
  if (isAlone) return (candidate.kind === 'digits' || !context.isShop()) && isAskedAround(spot)
  if (!isDigits(candidate) && !hasDigits(candidate)) return false
  return isAskedInLine(spot) || (isAskedBelow(spot) && isIdentityNear(spot))
}

/** `Key in 550318 on the page`. */
function isAskedInLine(spot: Spot): boolean {
  const { before, after, context } = spot
  const { words } = context
  // Asked first: most lines fail it, and what follows tries many more patterns.
  if (!words.entersWithin.test(`${before} `) && !words.entersWithin.test(after)) return false
  const isNamed = /[:：]\s*$/.test(before) || words.digitsBefore.test(before) || words.numbersBefore.test(before)
  const isTold = isNamed && asksToType(sentenceAround(before, ''), words)
  const isEnteredNext = words.linkAtEnd.test(before) && words.entersNext.test(after) && isPlace(sentenceAround('', after.slice(1)), words)
  const isEntered = isEnteredNext || words.entersBefore.test(before) || words.entersAtPlace.test(before) || words.entersAfter.test(after)
  if (!isTold && !isEntered) return false
  const sentence = sentenceAround(before, after)
  if (words.shop.test(sentence) || words.files.test(sentence)) return false
  return isEnteredNext || isPlace(sentence, words) || isIdentityNear(spot)
}

/** `To sign in: 61-08-45`, and the line below asks to type it in. */
function isAskedBelow(spot: Spot): boolean {
  const { before, after, context } = spot
  const { words } = context
  if (!/[:：]\s*$/.test(before) || !/^[.。]?$/.test(after.trim())) return false
  const next = lineAt(spot, 1).slice(0, BEFORE_CHARS)
  // `Amount due: 4815` stands above such a line, too.
  if (!words.identity.test(before) || !words.enters.test(next) || !isPlace(next, words)) return false
  const both = `${before} ${next}`
  return !words.shop.test(both) && !words.files.test(both)
}

/** A candidate alone on its line: the line above asks to type it in, or the line below says who asks for it. */
function isAskedAround(spot: Spot): boolean {
  const { candidate, context } = spot
  const { words } = context
  // Letters count if they look like nothing but a code.
  const above = lineAt(spot, -1).slice(-BEFORE_CHARS)
  if (candidate.kind === 'word') return /[:：]$/.test(above) && asksToType(above, words)
  if (!isDigits(candidate) && !hasDigits(candidate) && !(candidate.kind === 'letters' && candidate.value.includes('-'))) return false
  const below = lineAt(spot, 1).slice(0, BEFORE_CHARS)
  // Nobody calls a voucher digits.
  const isNumber = candidate.kind === 'digits' && words.digits.test(above)
  if (isNumber && words.enters.test(above)) return true
  if ((!isNumber && words.shop.test(`${above} ${below}`)) || words.labelBefore.test(above.replace(/[:：.]$/, ''))) return false
  if (asksToType(above, words) || (above !== '' && words.entersBefore.test(above))) return true
  return asksToType(below, words) || (words.asks.test(below) && words.numbers.test(below) && isPlace(below, words))
}

function asksToType(line: string, words: Patterns): boolean {
  return words.enters.test(line) && (isPlace(line, words) || words.digits.test(line))
}

function isPlace(line: string, words: Patterns): boolean {
  return words.places.test(line) || line.includes(REMOVED) || ADDRESS.test(line)
}

/** Whether the candidate is the value under the name of a code, in a table of one row. */
function isInColumn(spot: Spot): boolean {
  const { candidate, index, part, context } = spot
  const header = part.lines[index - 1] ?? ''
  if (header === '' || header.length > HEADER_CHARS_MAX) return false
  const [name, another] = codeNames(header, context.words).filter(({ strength }) => strength >= SURE)
  if (!name || another || IN_SENTENCE.test(header)) return false
  const line = part.lines[index] ?? ''
  const [left, right] = [line.slice(0, candidate.start), line.slice(candidate.end)]
  if (/\p{L}{4}/u.test(left + right)) return false
  const isFirst = left.trim() === ''
  if (header.slice(0, name.start).trim() === '') return isFirst
  return !isFirst && (right.trim() === '' || header.slice(name.end).trim() !== '')
}

/** Letters and digits that look like nothing but a code, unlike a name of letters alone. */
function hasDigits({ kind, value }: Candidate): boolean {
  return kind === 'mixed' || (kind === 'cased' && /\d/.test(value))
}

function isDigits({ kind }: Candidate): boolean {
  return kind === 'digits' || kind === 'short' || kind === 'long'
}

/** Digits that are no year and no day: 1984, 2026, 20260314. */
function isPlainNumber({ kind, value }: Candidate): boolean {
  return (kind === 'digits' || kind === 'short') && !/^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01]))?$/.test(value)
}

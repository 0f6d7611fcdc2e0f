import { type Candidate, findCandidates } from './code-candidates.ts'
import { isInColumn, isPromptedAlone, isPromptedBelow, isPromptedInLine, REMOVED, sentenceAround } from './code-prompts.ts'
import { type CodePatterns, mentionsCode, mentionsTyping, once, patternsFor } from './code-words.ts'

/** Codes are near the top: in no mail that we know is one deeper than 6,000 characters. The rest is not searched. */
const TEXT_CHARS_MAX = 16_384
/** A mail of `Code: 481516` and no more, as tests and small services send. */
const TERSE_CHARS_MAX = 60
/** How much of a line is read on each side of a candidate. */
const BEFORE_CHARS = 180
const AFTER_CHARS = 110
/** Non-empty lines above a number that are checked for what the number is. */
const LINES_BACK = 3
/** Lines around a number that are checked for the number of a meeting: each value may stand on a line of its own. */
const MEETING_LINES = 4
/** How many lines around a bare "code" must mention sign-in, because a newsletter mentions everything somewhere. */
const IDENTITY_LINES = 8
/** What of the body says what a number of the subject is for. */
const OPENING_CHARS = 400
/** `Case: 481516`, `Data do pedido: 14/03`. */
const LABELLED = /^[\p{L}][^:：.!?]{1,40}[:：]\s*\S/u
/** Several codes, or one that programs read: not what a mail asks a reader to enter. */
const MANY = /^(?:codes|c[oó]digos|codici|token)$/i
/** What hotels and airlines call the name of a booking, too. */
const CONFIRMATION = /conf[ie]rm|bestätig|bevestig|bekräft|bekræft|potwierd|potvr|onay|подтв|підтв|확인|确认|確認/i
/** `n° 20260418`. */
const NUMBERED = /(?:\bn[º°]|№|\b(?:no|nr)\.)\s?$/i
/** `mails with the subject “Your code: 481516”`: the words and the number are quoted together. */
const QUOTED_BEFORE = /[“„«‘「『][^“”„»’」』]*\p{L}[^“”„»’」』]*$|^[^"]*(?:"[^"]*"[^"]*)*"[^"]*\p{L}[^"]*$/u
const QUOTED_AFTER = /^[^\p{L}\d“”„»’」』"]{0,3}[”“»’」』"]/u
/** A line with more of them is a list or filler, of which none is a code. */
const CANDIDATES_PER_LINE_MAX = 4
/** Numbers scored per part. Scoring one takes about 20 µs, and a mail may be nothing but numbers. */
const CANDIDATES_MAX = 200
const CODES_MAX = 3
const SCORE_MIN = 60
/** The mail asks to type it in, but gives it no name. */
const SCORE_PROMPTED = 75
/** A second code must be nearly as certain as the first. */
const SCORE_GAP = 20

/** The lookbehind lets each word be read once, not from each of its letters. */
const ADDRESSES = /\b(?:https?:\/\/|www\.)\S+|(?<![\w.+%-])[\w.+%-]+@[\w.-]{1,255}/gi

/** Enough for a text without an @. */
const LINKS = /\b(?:https?:\/\/|www\.)\S+/gi

/** They stand around Latin letters in a line from right to left. */
const DIRECTION_MARKS = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** `htmlText` is the readable text of the HTML part. */
type CodeSource = { subject?: string | undefined; text?: string | undefined; htmlText?: string | undefined }
/** What the whole mail says. Searching it for words takes longer than anything else here, and few mails need it. */
type Context = {
  words: CodePatterns
  subject: string
  /** The mail says nothing else. */
  isTerse: boolean
  isSubjectIdentity: () => boolean
  /** Whether the body begins with words of signing in, and none of a parcel, a journey or a sale: asked for a number of the subject. */
  isBodyIdentity: () => boolean
  isTravel: () => boolean
  isShop: () => boolean
  isExpired: () => boolean
  isMeeting: () => boolean
  /** What the mail wants together with the number of a card, in its subject too. */
  stolen: Set<string>
}
/**
 * The non-empty lines of one part, which of them begin a paragraph, and in which a code stands. Whether a line mentions sign-in is computed
 * once.
 */
type Part = { lines: string[]; begins: boolean[]; identity: (boolean | undefined)[]; withCode: Set<number>; isSubject: boolean }
/** Where a candidate stands. `index`: its line. `before`, `after`: what is read of the line on each side of it. */
type Spot = { candidate: Candidate; index: number; before: string; after: string; part: Part; context: Context }
/** `isPlain`: one code, in a word that people use. */
type Word = { name: string; strength: number; start: number; end: number; isPlain: boolean }

/**
 * The one-time codes of a mail, in the languages of `languages/`, as the visitor has to type them, best guess first, at most three.
 * Deterministic, and linear in the length of the text. Numbers in addresses, telephone numbers, prices, dates, orders and transactions are
 * not codes. `isMentioned`: whether the subject or the text mentions a code, or the text asks to type one, if the caller knows.
 */
export function findCodes({ subject = '', text = '', htmlText = '' }: CodeSource, isMentioned?: boolean): string[] {
  const given = [subject.slice(0, 1000), text.slice(0, TEXT_CHARS_MAX), htmlText.slice(0, TEXT_CHARS_MAX)]
  const unread = isMentioned === undefined ? given : given.slice(2)
  if (!isMentioned && !unread.some(mentionsCode) && ![...given.slice(0, 1), ...unread].some(mentionsTyping)) return []
  const parts = given.map(written => asciiDigits(withoutAddresses(written.replace(DIRECTION_MARKS, '').replaceAll('İ', 'I'))))
  const whole = parts.join('\n')
  const words = patternsFor(whole)
  const opening = parts
    .slice(1)
    .map(body => body.slice(0, OPENING_CHARS))
    .join('\n')
  const context = {
    words,
    subject: parts[0] ?? '',
    isTerse: whole.length <= TERSE_CHARS_MAX,
    isSubjectIdentity: once(() => words.identity.test(parts[0] ?? '')),
    isBodyIdentity: once(() => words.identity.test(opening) && ![words.files, words.travel, words.shop].some(other => other.test(opening))),
    isTravel: once(() => words.travel.test(whole)),
    isShop: once(() => words.shop.test(whole)),
    isExpired: once(() => words.expired.test(parts[0] ?? '')),
    isMeeting: once(() => words.meetings.test(whole)),
    stolen: new Set<string>(),
  }
  const scores = new Map<string, number>()
  for (const [at, part] of parts.entries()) {
    for (const [value, score] of scoreLines(part.split(/\r?\n/), at === 0, context))
      scores.set(value, Math.max(score, scores.get(value) ?? 0))
  }
  const ranked = [...scores].filter(([value, score]) => score >= SCORE_MIN && !context.stolen.has(value)).sort(([, a], [, b]) => b - a)
  const best = ranked[0]?.[1] ?? 0
  return ranked
    .filter(([, score]) => score >= best - SCORE_GAP)
    .slice(0, CODES_MAX)
    .map(([value]) => value)
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

function scoreLines(lines: string[], isSubject: boolean, context: Context): [value: string, score: number][] {
  const part = { ...toPart(lines), isSubject }
  const spots = part.lines.flatMap((line, index): Spot[] => {
    const found = findCandidates(line)
    if (found.length > CANDIDATES_PER_LINE_MAX) return []
    return found.map(candidate => {
      const before = line.slice(Math.max(0, candidate.start - BEFORE_CHARS), candidate.start)
      return { candidate, index, before, after: line.slice(candidate.end, candidate.end + AFTER_CHARS), part, context }
    })
  })
  return spots.slice(0, CANDIDATES_MAX).map(spot => {
    const scored = scoreCandidate(spot)
    // Asked last, because most numbers are nothing by then.
    const score = scored >= SCORE_MIN && isNotToBeEntered(spot) ? 0 : scored
    if (score >= SCORE_MIN) part.withCode.add(spot.index)
    return [spot.candidate.value, score]
  })
}

function toPart(lines: string[]): Omit<Part, 'isSubject'> {
  const part: Omit<Part, 'isSubject'> = { lines: [], begins: [], identity: [], withCode: new Set() }
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

function isNotToBeEntered(spot: Spot): boolean {
  const { context } = spot
  if (context.words.cardsAfter.test(spot.after)) context.stolen.add(spot.candidate.value)
  return isNamedOnly(spot) || (context.isMeeting() && isMeetingNear(spot)) || isToldNear(spot)
}

/** 0 to 100. Decided by the line itself, or by its neighbours for a candidate alone on its line. */
function scoreCandidate(spot: Spot): number {
  const { candidate, index, before, after, part, context } = spot
  const { words } = context
  const claimed = candidate.kind === 'cased' ? 0 : claimedAfter(spot)
  if (claimed > 0) return claimed
  if (isToBeEntered(spot)) return 85
  const isAlone = /^[\s"“”«»'‘’「」『』【】[\](){}*•·>–—-]*$/u.test(before) && /^[\s"“”«»'‘’「」『』【】[\](){}*.。<]*$/u.test(after)
  if (isAlone) {
    // The words of that line are about its own code, and a number below it is a hotline's or the like.
    if (part.withCode.has(index - 1)) return 0
    const score = scoreAlone(spot)
    const isVoucher = candidate.kind !== 'digits' && context.isShop()
    const isPrompted = !isVoucher && isPromptedAlone(candidate, index, part.lines, words) && !isDoorNear(spot)
    return score >= SCORE_MIN ? score : prompted(isPrompted) || score
  }
  if (words.labelBefore.test(before)) return 0
  const score = scoreInLine(spot)
  if (score >= SCORE_MIN) return score
  const header = part.lines[index - 1] ?? ''
  if (isInColumn(part.lines[index] ?? '', candidate, sureWords(header, words), header)) return SCORE_PROMPTED
  const isIdentity = () => isIdentityNear(spot)
  const isPrompted =
    isPromptedInLine(candidate, before, after, words, isIdentity) ||
    (isPromptedBelow(candidate, before, after, part.lines[index + 1] ?? '', words) && isIdentity())
  return prompted(isPrompted && !isDoorNear(spot)) || score
}

function prompted(isPrompted: boolean): number {
  return isPrompted ? SCORE_PROMPTED : 0
}

/** A number that the mail names but that nobody is to enter: a shop's, a file's, an expired one, what another mail is quoted with. */
function isNamedOnly({ candidate, before, after, context: { words, isExpired } }: Spot): boolean {
  if (candidate.kind !== 'digits' && (words.shop.test(before) || words.shop.test(after))) return true
  if (NUMBERED.test(before) || (QUOTED_BEFORE.test(before) && QUOTED_AFTER.test(after))) return true
  const sentence = sentenceAround(before, after)
  return isExpired() || words.expired.test(sentence) || words.fraud.test(sentenceAround(before, ''))
}

/** `481516 is your verification code`. */
function claimedAfter(spot: Spot): number {
  const { before, after, context } = spot
  const { isYour, dashName } = context.words
  if (!isYour.test(after) && !(/^(?:.*[\]】]|\S+:)?\s*$/u.test(before) && dashName.test(after))) return 0
  const sentence = firstSentence(after)
  const [word] = codeWords(sentence, context.words).sort((a, b) => b.strength - a.strength)
  // `Booking 0412 confirmation code: 123456`: the name of the next number.
  if (!word || /^\s*[:：]\s*\S*\d/.test(sentence.slice(word.end))) return 0
  return word.strength >= 90 ? 95 : trust(word, true, spot)
}

/** `Use 481516 to sign in`. */
function isToBeEntered({ candidate: { kind }, before, after, context: { words, isShop } }: Spot): boolean {
  const isUsed = words.enterBefore.test(before) && words.purposeAfter.test(after)
  if (!isUsed && !(before.trim() === '' && words.useAfter.test(after))) return false
  return kind === 'digits' || (kind === 'mixed' && !isShop())
}

function scoreInLine(spot: Spot): number {
  const { candidate, before, after, context } = spot
  const { words } = context
  const word = codeWords(before, words).at(-1)
  if (!word || isTooVague(word, spot) || isReceiptNumber(spot)) return 0
  const between = before.slice(word.end)
  const sentence = sentenceAround(before, after)
  // `Your parcel (code: 77120458)`, `Your bank declined the payment with code 51002`
  if (word.strength < 90 && (words.fileBefore.test(before.slice(0, word.start)) || words.reports.test(sentence))) return 0
  const isOffered = isPlainNumber(candidate) && isAnnounced(sentence, words)
  const strength = trust(word, isOffered, spot)
  if (words.linkOnly.test(between)) return strength
  // Anything but digits right behind the word is more likely a name or a model.
  if (!isPlainNumber(candidate)) return words.linkAtEnd.test(between) ? strength - 15 : 0
  if (/[.!?]["”»]?\s|。/u.test(between)) return 0
  return words.linkAtEnd.test(between) ? strength - 10 : 0
}

function scoreAlone(spot: Spot): number {
  const { candidate, index, part, context } = spot
  const { words, subject } = context
  const isPlain = isPlainNumber(candidate)
  for (let back = 1; back <= LINES_BACK && index - back >= 0; back++) {
    const line = (part.lines[index - back] ?? '').slice(-BEFORE_CHARS)
    const word = codeWords(line, words).at(-1)
    if (word) return isTooVague(word, spot) ? 0 : trust(word, isPlain && offersCode(line, words), spot) - back * 4
    // Right above the number stands what it is.
    const isName = /^[^.!?。]{2,40}[:：]$/u.test(line) && !words.yours.test(line)
    if (back === 1 && (words.labelBefore.test(line.replace(/[:：.]$/, '')) || isName)) return 0
  }
  const next = (part.lines[index + 1] ?? '').slice(0, AFTER_CHARS)
  const following = codeWords(next, words)[0]
  if (following && isPlain) return trust(following, offersCode(next, words), spot) - 10
  const inSubject = codeWords(subject, words).at(-1)
  // Letters and digits alone on a line are more often the name of something than a number is.
  if (inSubject && candidate.kind === 'mixed' && inSubject.strength >= 90 && !isTooVague(inSubject, spot)) return SCORE_MIN
  return inSubject && isPlain ? trust(inSubject, offersCode(subject, words), spot) - 15 : 0
}

/** A line of prose that has the word "code" says little about the number on the next line; a heading, or "your code", says much. */
function offersCode(line: string, words: CodePatterns): boolean {
  return isAnnounced(line, words) || (!words.reports.test(line) && line.split(/\s+/u).length <= 3)
}

function isAnnounced(line: string, words: CodePatterns): boolean {
  return !words.reports.test(line) && (words.yours.test(line) || words.enters.test(line))
}

/**
 * Letters alone, and letters of both cases, are words as a rule: only "verification code" and the like make a code of them. Letters and
 * digits are a voucher where something is sold, and the name of a booking where somebody travels.
 */
function isTooVague(word: Word, { candidate: { kind, value }, context: { isShop, isTravel } }: Spot): boolean {
  const isBooking = kind === 'mixed' && !value.includes('-') && isTravel()
  if (word.strength >= 90) return isBooking && CONFIRMATION.test(word.name)
  if (kind === 'mixed') return isBooking || isShop()
  return kind === 'letters' || kind === 'cased'
}

/** `Transaction ID: … / Authentication code: 7F3K22A9`: letters and digits among the numbers of a receipt. */
function isReceiptNumber(spot: Spot): boolean {
  const { candidate, index, part, context } = spot
  const isNumber = (line = '') => context.words.labelBefore.test(/^[^:：]{2,40}[:：]/.exec(line)?.[0] ?? '')
  return candidate.kind === 'mixed' && isListed(spot) && (isNumber(part.lines[index - 1]) || isNumber(part.lines[index + 1]))
}

/**
 * A bare "code" counts if the mail offers it to the reader or says nothing else, or if the lines around it are about sign-in. Next to a
 * file, a parcel, a card, a tax or a booking it needs both; where something is sold it needs the lines about sign-in.
 */
function trust(word: Word, isOffered: boolean, spot: Spot): number {
  if (word.strength >= 90) return word.strength
  const { part, context } = spot
  // `Case / Code / Date` with a value each: the code is one of a file, whatever the mail is about.
  if (isListed(spot) && codeWords(context.subject, context.words).length === 0) return 0
  const isIdentity = isIdentityNear(spot) || (part.isSubject && (word.isPlain || isOffered) && context.isBodyIdentity())
  if (isDoorNear(spot)) return 0
  const isClaimed = word.isPlain && (isOffered || context.isTerse) && !context.isShop()
  // The words of files are searched for last, because most mails are decided without them.
  const isTrusted = (isIdentity && isOffered) || ((isIdentity || isClaimed) && !isFileNear(spot))
  return isTrusted ? word.strength : word.strength - 30
}

function isIdentityNear({ index, part, context }: Spot): boolean {
  if (context.isSubjectIdentity()) return true
  for (let at = Math.max(0, index - IDENTITY_LINES); at <= index + IDENTITY_LINES && at < part.lines.length; at++) {
    part.identity[at] ??= context.words.identity.test(part.lines[at] ?? '')
    if (part.identity[at]) return true
  }
  return false
}

function isFileNear({ index, part, context: { subject, words } }: Spot): boolean {
  const around = part.lines.slice(Math.max(0, index - 2), index + 3).map(line => line.slice(0, 300))
  const text = [subject, ...around].join('\n')
  return words.files.test(text) || words.travel.test(text)
}

function isDoorNear({ index, part, context: { words } }: Spot): boolean {
  const around = part.lines.slice(Math.max(0, index - 1), index + 2)
  return around.some(line => words.doors.test(line.slice(0, 300)))
}

/** `Give the courier this code`, `Show it at the counter`: nobody types it in. */
function isToldNear({ index, part, context: { words } }: Spot): boolean {
  const around = part.lines.slice(Math.max(0, index - 1), index + 2)
  return around.some(line => words.told.test(line.slice(0, 300)))
}

function isMeetingNear({ index, part, context: { words } }: Spot): boolean {
  const around = part.lines.slice(Math.max(0, index - MEETING_LINES), index + MEETING_LINES + 1)
  return around.some(line => words.meetings.test(line.slice(0, 300)))
}

/** Whether the line is in a paragraph with other lines of the form `Label: value`. */
function isListed({ index, part: { lines, begins } }: Spot): boolean {
  const isLabelled = (at: number) => LABELLED.test(lines[at] ?? '')
  return isLabelled(index) && ((!begins[index] && isLabelled(index - 1)) || (begins[index + 1] === false && isLabelled(index + 1)))
}

function isPlainNumber(candidate: Candidate): boolean {
  return candidate.kind === 'digits' && !isDateLike(candidate.value)
}

/** The words for a one-time code in a window of text, in order. */
function codeWords(window: string, { codes }: CodePatterns): Word[] {
  // The long pattern costs ten times as much, and few windows have such a word.
  if (!mentionsCode(window)) return []
  const words: Word[] = []
  // `matchAll` would copy the pattern, which takes longer than the search.
  for (let match = codes.exec(window); match; match = codes.exec(window)) {
    const { index: start } = match
    const end = start + match[0].length
    if (match.groups?.sure) words.push({ name: match[0], strength: 100, start, end, isPlain: false })
    else if (match.groups?.bare) words.push({ name: match[0], strength: 85, start, end, isPlain: !MANY.test(match[0]) })
  }
  return words
}

function sureWords(line: string, words: CodePatterns): Word[] {
  return line === '' ? [] : codeWords(line.slice(0, BEFORE_CHARS), words).filter(({ strength }) => strength >= 90)
}

function firstSentence(text: string): string {
  return text.slice(0, 80).split(/[.!?](?:\s|$)/u)[0] ?? ''
}

/** 1984, 2026, 20260314: a year or a day, unless the word right before says otherwise. */
function isDateLike(digits: string): boolean {
  return /^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01]))?$/.test(digits)
}

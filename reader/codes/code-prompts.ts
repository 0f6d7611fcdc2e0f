/** Codes that a mail asks the reader to type in, but does not call a code. */
import type { Candidate } from './code-candidates.ts'
import type { CodePatterns } from './code-words.ts'

const LINE_CHARS_MAX = 180
/** Stands for each character of an address that was taken out of a line (codes.ts). */
export const REMOVED = '\u0001'
/** The heads of a table, and no sentence. */
const HEADER_CHARS_MAX = 80
/** The end of a sentence, but not of an abbreviation: `Matrikel-Nr. TAN`. */
const IN_SENTENCE = /(?<!(?<!\p{L})\p{L}{1,3})[.!?:：]\s|[.!?:：。！？]$|\d/u

/** The sentence that a candidate stands in, without the candidate. */
export function sentenceAround(before: string, after: string): string {
  const start = before.split(/[.!?]["”»]?\s|[。！？]/u).at(-1) ?? ''
  const end = after.split(/[.!?](?:["”»]?\s|$)|[。！？]/u)[0] ?? ''
  return `${start} ${end}`
}

/** `Key in 550318 on the page`. What is sold or sent is no code. */
export function isPromptedInLine(
  candidate: Candidate,
  before: string,
  after: string,
  words: CodePatterns,
  isIdentityNear: () => boolean,
): boolean {
  if (candidate.kind !== 'digits' && candidate.kind !== 'mixed') return false
  // Asked first: most lines fail it, and what follows tries many more patterns.
  if (!words.entersWithin.test(`${before} `) && !words.entersWithin.test(after)) return false
  const isNamed = /[:：]\s*$/.test(before) || words.digitsBefore.test(before) || words.numbersBefore.test(before)
  const isAnnounced = isNamed && asksToType(sentenceAround(before, ''), words)
  const isEnteredNext = /[:：]\s*$/.test(before) && words.entersNext.test(after) && isPlace(sentenceAround('', after.slice(1)), words)
  const isEntered = isEnteredNext || words.entersBefore.test(before) || words.entersAtPlace.test(before) || words.entersAfter.test(after)
  if (!isAnnounced && !isEntered) return false
  const sentence = sentenceAround(before, after)
  if (words.shop.test(sentence) || words.files.test(sentence)) return false
  return isEnteredNext || isPlace(sentence, words) || isIdentityNear()
}

/** `To sign in: 61-08-45`, and the line below asks to type it in. */
export function isPromptedBelow({ kind }: Candidate, before: string, after: string, below: string, words: CodePatterns): boolean {
  if ((kind !== 'digits' && kind !== 'mixed') || !/[:：]\s*$/.test(before) || !/^[.。]?$/.test(after.trim())) return false
  const next = below.slice(0, LINE_CHARS_MAX)
  // `Amount due: 4815` stands above such a line, too.
  if (!words.identity.test(before)) return false
  if (!words.enters.test(next) || !isPlace(next, words)) return false
  const both = `${before} ${next}`
  return !words.shop.test(both) && !words.files.test(both)
}

/** A candidate alone on its line: the line above asks to type it in, or the line below says who asks for it. */
export function isPromptedAlone(candidate: Candidate, index: number, lines: readonly string[], words: CodePatterns): boolean {
  if (!isTyped(candidate)) return false
  const above = (lines[index - 1] ?? '').slice(-LINE_CHARS_MAX)
  const below = (lines[index + 1] ?? '').slice(0, LINE_CHARS_MAX)
  // Nobody calls a voucher digits.
  const isNumber = candidate.kind === 'digits' && words.digits.test(above)
  if ((!isNumber && words.shop.test(`${above} ${below}`)) || words.labelBefore.test(above.replace(/[:：.]$/, ''))) return false
  if (asksToType(above, words) || (above !== '' && words.entersBefore.test(above))) return true
  return asksToType(below, words) || (words.asks.test(below) && words.numbers.test(below) && isPlace(below, words))
}

/** Digits, and letters if they look like nothing but a code. */
function isTyped({ kind, value }: Candidate): boolean {
  return kind === 'digits' || kind === 'mixed' || (kind === 'letters' && value.includes('-'))
}

/** The address of a page is a place, too. */
const ADDRESS = /[a-z\d]\.[a-z]{2,12}\//i

function isPlace(line: string, words: CodePatterns): boolean {
  return words.places.test(line) || line.includes(REMOVED) || ADDRESS.test(line)
}

function asksToType(line: string, words: CodePatterns): boolean {
  return words.enters.test(line) && (isPlace(line, words) || words.digits.test(line))
}

/** Whether the candidate is the value under the name of a code, in a table of one row. */
export function isInColumn(
  line: string,
  { start, end }: Candidate,
  names: readonly { start: number; end: number }[],
  header: string,
): boolean {
  const [name] = names
  if (!name || names.length > 1 || header.length > HEADER_CHARS_MAX || IN_SENTENCE.test(header)) return false
  if (/\p{L}{4}/u.test(line.slice(0, start) + line.slice(end))) return false
  const isFirst = line.slice(0, start).trim() === ''
  if (header.slice(0, name.start).trim() === '') return isFirst
  return !isFirst && (line.slice(end).trim() === '' || header.slice(name.end).trim() !== '')
}

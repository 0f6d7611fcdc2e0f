/** Whether a text is worth searching for codes: most have none. */
import { LATIN_SCRIPT, OTHER_SCRIPT, OTHER_SCRIPTS, sourceOf, type WordField, type Words } from '../languages/language.ts'
import { maybeCodes } from './shapes.ts'

/** Cheap first question: whether a text has any word that comes with codes. */
export function mentionsCode(text: string): boolean {
  return LATIN_HINTS.test(text) || (OTHER_SCRIPT.test(text) && OTHER_HINTS.test(text))
}

/** How much around what may be a code says so: to search a whole text for more words would cost more. */
const YEAR = /^(?:19\d\d|20[0-4]\d)$/
const MAYBE_CODES_MAX = 8
const TYPING_CHARS = 120
const ENTER_CHARS = 40

/** Whether a text may ask the reader to type a number in somewhere. */
export function mentionsTyping(text: string): boolean {
  let seen = 0
  let [start, end] = [0, 0]
  for (const { index, found } of maybeCodes(text)) {
    if ((index >= start && index < end) || YEAR.test(found)) continue
    start = index
    end = index + found.length + TYPING_CHARS
    const around = text.slice(Math.max(0, index - TYPING_CHARS), end)
    if (LATIN_TYPING.test(around) || (OTHER_SCRIPT.test(around) && OTHER_TYPING.test(around))) return true
    if (isAfterEnter(text.slice(Math.max(0, index - ENTER_CHARS), index))) return true
    if (++seen >= MAYBE_CODES_MAX) break
  }
  return false
}

/** Only the last words are tried, because a search from every letter takes ten times as long. */
function isAfterEnter(before: string): boolean {
  if (!/[ "“«'‘-]/.test(before.at(-1) ?? '')) return false
  const last = /[\p{L}\p{M}][\p{L}\p{M} ]{1,24}[\s"“«'‘-]$/u.exec(before)?.[0] ?? ''
  for (let at = 0; at !== -1; at = last.indexOf(' ', at) === -1 ? -1 : last.indexOf(' ', at) + 1) {
    const words = last.slice(at)
    if (LATIN_ENTER.test(words) || (OTHER_SCRIPT.test(words) && OTHER_ENTER.test(words))) return true
  }
  return false
}

const anyWordOf = (languages: readonly Words[], ...fields: WordField[]) => new RegExp(sourceOf(languages, fields), 'i')
const LATIN_HINTS = anyWordOf(LATIN_SCRIPT, 'hints')
const OTHER_HINTS = anyWordOf(OTHER_SCRIPTS, 'hints')
const LATIN_TYPING = anyWordOf(LATIN_SCRIPT, 'enters', 'asks')
const OTHER_TYPING = anyWordOf(OTHER_SCRIPTS, 'enters', 'asks')
/** `Use 481516`, right before it. */
const beforeNumber = (languages: readonly Words[]) => new RegExp(String.raw`^(?:${sourceOf(languages, ['enter'])})[\s"“«'‘]*$`, 'iu')
const LATIN_ENTER = beforeNumber(LATIN_SCRIPT)
const OTHER_ENTER = beforeNumber(OTHER_SCRIPTS)

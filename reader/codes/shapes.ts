/** The shapes of one-time codes: finds text that looks like one, whatever the words around it say. */

/**
 * `digits`: 4 to 8 of them. `mixed`: letters of one case and digits. These are codes wherever a mail asks to enter one. The others are
 * something else as a rule. `letters`: KXWQT. `word`: KRABVO, as any word in capitals. `cased`: letters of both cases, as in names and
 * words, or few small ones. `long`: nine or ten digits, or groups of digits, as telephone numbers, dates and prices have. `short`: three
 * digits, which count only where the mail says how many there are.
 */
type Kind = 'digits' | 'mixed' | 'letters' | 'word' | 'cased' | 'long' | 'short'

/** `value` is the code as the visitor has to type it. `start` and `end` are its position in the line. */
export type Candidate = {
  readonly value: string
  readonly start: number
  readonly end: number
  readonly kind: Kind
  /** `3 1 8 4 6 0`: each digit in a box of its own, as only what is to be typed is printed. */
  readonly isSpelled?: true
}

export function isRare(kind: Kind): boolean {
  return kind === 'letters' || kind === 'word' || kind === 'cased' || kind === 'long'
}

type Shape = {
  readonly kind: Kind
  readonly like: string
  readonly matches: RegExp | ((word: string) => boolean)
  /** What the visitor types, if that is not the word itself. */
  readonly typed?: (word: string) => string
  /** Only if nothing else is on the line. */
  readonly isAlone?: true
  /** Only at the end of a sentence that has no other capitals. */
  readonly isLast?: true
}

/** More digits, grouped in ways of a mail's own, are a card or a telephone number. */
const DIGITS_MAX = 8
const SPELLED_OUT = { min: 5, max: 8 }
const MIXED_CHARS = { min: 5, max: 19 }
const WORDS_CHARS_MAX = 30
const CHARS_MIN = 3
const MARKED = /[A-Z]{3}|[a-z][A-Z]/
/** 800x600, 2700GB, 10am and 3rd are sizes, times and places; so are 21h40, 24NOV and 05DEC2026. */
const MEASURE = /^\d+(?:x\d+|[kmgt]b|[gmk]hz|px|[cmk]m|kg|kwh?|mah|[ap]m|h|hrs?|mins?|st|nd|rd|th|e|er|de|ste)$/i
const TIME_OR_DAY = /^(?:\d{1,2}h\d\d|\d{1,2}(?:JAN|FEB|MAR|APR|MAY|JUNE?|JULY?|AUG|SEPT?|OCT|NOV|DEC)(?:\d\d|20\d\d)?)$/i

const WORDS_JOINED = /^\p{Ll}{3,8}(?:-\p{Ll}{3,8}){1,3}\r?$/mu
/** Five to nine digits in two to four groups, or twice two. */
const GROUPED = /^(?:(?=(?:-?\d){5,9}$)\d{1,6}(?:-\d{1,4}){1,3}|\d\d-\d\d)$/
/** `29.44.07`, `338.190`, but no time, and no date. */
const DOTTED = /(?!(?:[01]\d|2[0-3])\.[0-5]\d(?!\.?\d)|[0-3]\d\.[01]\d\.)(?=(?:\.?\d){4,8}(?![\w-]|\.\w))\d{2,4}(?:\.\d{2,4}){1,3}/y
/** Capitals and digits: no year, and no word. */
const GROUP = '(?!(?:19|20)\\d\\d|[A-Z]*[AEIOU][A-Z]*(?![A-Z\\d]))[A-Z\\d]{2,4}'
/** `7K2 M9P`, `5K 92 WQ`, `LK 48 20`, but no part of something longer. */
const MIXED_GROUPS = new RegExp(`(?=[A-Z\\d ]{7,15}(?![\\w-]))(?:${GROUP} ){1,3}${GROUP}(?![\\w-]| [A-Z\\d]{2})`, 'y')
/** `SW1A 2AA` */
const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/
const LETTERS_BEFORE = /(?<![\p{L}\d-])(?!KR|NR|RS|TV)[B-DF-HJ-NP-TV-Z]{2} $/u
const HAS_YEAR = /^(?:19|20)\d\d-|-(?:19|20)\d\d$/

/** The shapes of a code that is one word and has more than digits. Codes of capitals avoid vowels, so that they spell nothing. */
const SHAPES: readonly Shape[] = [
  { kind: 'digits', like: 'G-481516', matches: /^[A-Z]-\d{5,8}$/, typed: word => word.slice(2) },
  {
    kind: 'digits',
    like: '481-516',
    matches: /^(?:\d{3}-\d{3}|\d{4}-\d{4}|\d\d(?:-\d\d){2,3}|\d\d-\d{3}-\d\d|\d{3}-\d\d-\d{3}|\d(?:-\d){3,7})$/,
    typed: withoutHyphens,
  },
  { kind: 'digits', like: '481516If', matches: /^\d{5,8}[A-Z][a-z]+$/, typed: word => word.replace(/\D+$/, '') },
  { kind: 'long', like: '481-5162', matches: word => GROUPED.test(word) && !HAS_YEAR.test(word), typed: withoutHyphens },
  { kind: 'cased', like: 'mint-447', matches: /^\p{Ll}{3,8}-?\d{2,3}$/u, isLast: true },
  { kind: 'mixed', like: 'AB3-9XK', matches: isMixed },
  { kind: 'letters', like: 'KXWQT', matches: /^(?!.*[AEIOU].*[AEIOU])[A-Z]{5,8}$/ },
  { kind: 'word', like: 'KRABVO', matches: /^[A-Z]{4,8}$/, isLast: true },
  { kind: 'mixed', like: 'ВОЛНА7', matches: word => /^[\p{L}\d]{5,12}$/u.test(word) && isUpperMixed(word) },
  { kind: 'letters', like: 'KXWQ-TRD', matches: /^(?!.*[AEIOU][A-Z]{0,3}[AEIOU])[A-Z]{3,5}(?:-[A-Z]{3,5}){1,3}$/ },
  { kind: 'letters', like: 'mango-river-tulip', matches: WORDS_JOINED, isAlone: true },
  { kind: 'letters', like: 'MANGO-RIVER', matches: /^\p{Lu}{3,8}(?:-\p{Lu}{3,8}){1,3}$/u, isAlone: true },
  { kind: 'cased', like: 'mango-river-44', matches: /^\p{Ll}{3,8}(?:-\p{Ll}{3,8}){0,2}-\d{2,4}$/u },
  { kind: 'cased', like: 'VLINDER-38', matches: /^\p{Lu}{6,8}-\d{2,3}$/u },
  { kind: 'cased', like: 'kT7qRvX2', matches: isCased },
  { kind: 'cased', like: 'Xk9-4Tz', matches: word => /^\w{2,5}(?:-\w{2,5}){1,2}$/.test(word) && isCased(withoutHyphens(word)) },
  { kind: 'cased', like: 'k7p2', matches: word => /^[a-z\d]{4}$/.test(word) && hasBoth(word) },
]

const WITH_DIGITS = SHAPES.filter(({ kind }) => kind !== 'letters' && kind !== 'word')
const WITHOUT_DIGITS = SHAPES.filter(({ kind }) => kind === 'letters' || kind === 'word' || kind === 'cased')

/** A line with more words is endless prose, or an attack. */
const WORDS_MAX = 4000

/** Scripts without spaces end a word: a code in Japanese prose stands right between two letters. */
const WORD =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{N}_]+(?:-[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]+)*/gu
/** Every word that may be a code or part of one matches it, in a line of ASCII that has more words. */
const ANCHOR = /\d|[A-Z](?=[A-Z]{2})|[a-z](?=[A-Z])|\b[A-Z]\b/g
const HYPHEN = 0x2d
const IN_WORD = Uint8Array.from({ length: 0x80 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))))
const UNIT_AFTER =
  /^ ?(?:[€$£¥₹₽₺₴₩₫₪%°円원元]|(?:kr|ft|zł|kč|lei|tl|руб|грн|лв)(?!\p{L})|(?:eur|usd|gbp|mxn|inr|cop|ars|pesos|euros|dollars|btc|minutes?|mins?|minutos?|hours?|horas?|days?|d[ií]as|seconds?|segundos?|points?|puntos|km|kwh|[gmk]b|users?|people|readers|lectores|personas|members|socios|commits|artículos|families|miles|strong|brutos|kbd|confirmations)\b)/iu
const NAMED_BEFORE = /(?:[$€£¥] ?|\b(?:rfc|iso|cve|pep|ieee)[ -]?|\b(?:eur|usd|gbp|mxn|inr|cop|ars|rs|us\$)\.? ?)$/iu
const JOINED_BEFORE = /(?:[\d\p{L}][.,/]|\d:|[+#@&•…/\\_~^§]|(?<!\p{L})=|[•…x]{2,} ?|\*{3,} ?|\+\d{1,3} )$/u
/** A port or a path, unlike the code in `is:<b>481516</b>`. */
const PORT = /[A-Za-z]:$/
const LONGER_THAN_PORTS = /^\d{6,8}(?!\w)/
/** `*** 335-810 ***`, unlike `*** 1234`, the end of a card number. */
const FRAME_BEFORE = /\*{2,} ?$/
const FRAME_AFTER = /^ ?\*{2,}/
/** In Chinese `8304,5分钟` has a comma between two sentences. */
const JOINED_AFTER = /^(?:[.,:](?!(?<=,)\d{1,3}\p{Script=Han})\d|[/\\@=_&+#]|°)/u
/** Group sizes people print a code of digits in; other groups are telephone, card and parcel numbers. */
const GROUPINGS = new Set([
  '3 3',
  '4 4',
  '2 2',
  '2 2 2',
  '2 2 2 2',
  '3 2 3',
  '2 3 2',
  '4 2',
  '3 2',
  '2 2 1',
  '3 3 1',
  '3 3 2',
  '3 3 3',
  '3 4',
  '5 5',
  '1 1 1 1',
  '1 1 1 1 1',
  '1 1 1 1 1 1',
  '1 1 1 1 1 1 1 1',
])

/** Local telephone numbers have these groups, and few codes. */
const PHONE = '3 4'

/** Either side of a spaced hyphen. */
const HALF = /^(?:\d{3}|\d{4})$/
const YEAR = /^(?:19|20)\d\d$/
/** The beginnings of the months' names in Latin and Cyrillic letters. */
const MONTH =
  '(?:jan|ene|gen|sty|led|oca|янв|feb|fév|fev|lut|úno|şub|фев|mar|mär|mrt|bře|apr|abr|avr|kwi|dub|nis|апр|ma[iyjг]|mag|mei|kvě|мая|jun|jui|jún|giu|cze|čer|haz|июн|jul|lug|lip|tem|июл|aug|ago|aoû|sie|srp|ağu|авг|sep|set|wrz|zář|eyl|сен|o[ck]t|ott|out|paź|říj|eki|окт|nov|lis|kas|ноя|de[cz]|dic|déc|gru|pro|ara|дек)\\p{L}{0,8}\\.?'
/** `March 18, 2026`, `7. 3. 2026`, `18 de marzo de 2026`: the day and the month before a year. */
const DAY_BEFORE = new RegExp(
  `(?<!\\p{L})${MONTH} [0-3]?\\d(?:st|nd|rd|th)?,? $|(?<![\\d:.,])[0-3]?\\d(?:(?:\\. [01]?\\d)\\. |(?:st|nd|rd|th|\\.)? (?:de )?${MONTH},? (?:de )?)$`,
  'iu',
)

type Word = { text: string; start: number; end: number }

/**
 * Candidates have these, and most lines have not: digits in groups or beside letters, single characters, capitals. Every way begins with a
 * digit or a capital, because a search that begins at any letter takes ten times as long.
 */
const MAYBE_CODE =
  /\d(?:\d\d|\d[ .\u00a0\u2009\u202f-]\d\d|[ \t\r]{0,4}\n\s*\d| (?:[-–] )?[\dA-Z] |-\d-\d|-?[A-Za-z\u0370-\u052f]|(?<=[A-Za-z\u0370-\u052f]-?\d))|[A-Z](?:[A-Z]{3}|[A-Z]{2}-[A-Z]| (?:[-–] )?[\dA-Z] |(?<=[a-z].))/

/** A line of capitals, in which a word of capitals is nothing special. */
const SHOUTED = /[A-Z]{2} [A-Z]{2,} /

/** Whether a line, or any of a text, may have a candidate: an answer in a fraction of the time. */
export function mayHaveCandidates(text: string): boolean {
  return MAYBE_CODE.test(text) || (text.includes('-') && WORDS_JOINED.test(text))
}

/** Every candidate of one line, in order. Time is linear in the line. */
export function findCandidates(line: string): Candidate[] {
  if (!mayHaveCandidates(line) || (SHOUTED.test(line) && !/\d/.test(line))) return []
  const found: Candidate[] = []
  const words = splitWords(line)
  for (let at = 0; at < words.length; ) {
    const word = words[at] as Word
    const gap = (words[at + 1]?.start ?? word.end) - word.end
    const isNumber = isDigit(word.text.charCodeAt(0))
    const groups =
      (gap === 1 && mixedGroups(line, word)) ||
      (isNumber && (gap === 3 ? digitHalves(line, words, at) : gap === 1 && dottedDigits(line, word)))
    if (groups) {
      found.push(groups)
      while ((words[at]?.start ?? line.length) < groups.end) at++
      continue
    }
    const spelled = word.text.length === 1 && (gap === 1 || gap === 3) ? spelledOut(line, words, at) : undefined
    if (spelled) {
      if (spelled.candidate) found.push(spelled.candidate)
      at += spelled.run
      continue
    }
    const run = isNumber && gap === 1 ? digitRun(line, words, at) : 0
    if (run > 1) {
      const grouped = groupedDigits(line, words.slice(at, at + run))
      if (grouped !== 'separate') {
        if (grouped) found.push(grouped)
        at += run
        continue
      }
    }
    const single = singleWord(line, word)
    if (single) found.push(single)
    at++
  }
  return found
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The words of a line that may be a code or part of one: to read the others too takes most of the time. */
function splitWords(line: string): Word[] {
  const words: Word[] = []
  const add = (start: number, end: number) => words.push({ text: line.slice(start, end), start, end })
  if (!line.includes(' ') || /[^\0-\x7f]/.test(line)) {
    WORD.lastIndex = 0
    for (let match = WORD.exec(line); match && words.length < WORDS_MAX; match = WORD.exec(line)) add(match.index, WORD.lastIndex)
    return words
  }
  ANCHOR.lastIndex = 0
  // A test makes no array of what it finds.
  while (words.length < WORDS_MAX && ANCHOR.test(line)) {
    let end = ANCHOR.lastIndex
    let start = end - 1
    while (isInWord(line, start - 1, start - 2)) start--
    while (isInWord(line, end, end + 1)) end++
    add(start, end)
    ANCHOR.lastIndex = end
  }
  return words
}

/** Whether a character of ASCII belongs to the word beside it: a hyphen only if the word goes on behind it. */
function isInWord(line: string, at: number, behind: number): boolean {
  const code = line.charCodeAt(at)
  return IN_WORD[code] === 1 || (code === HYPHEN && IN_WORD[line.charCodeAt(behind)] === 1)
}

/** `820 - 114`: two halves with a spaced hyphen. Not two years, and not a part of a telephone number with such hyphens. */
function digitHalves(line: string, words: Word[], at: number): Candidate | undefined {
  const [first, last] = [words[at], words[at + 1]]
  if (!first || !last || first.text.length !== last.text.length || !HALF.test(first.text) || !HALF.test(last.text)) return undefined
  if (line.slice(first.end, last.start) !== ' - ' || [first, last].every(({ text }) => YEAR.test(text))) return undefined
  if (/\d(?: - | )$/.test(line.slice(0, first.start).slice(-4)) || /^(?: - | )\d/.test(line.slice(last.end))) return undefined
  if (!isFree(line, first.start, last.end)) return undefined
  return { value: first.text + last.text, start: first.start, end: last.end, kind: 'digits' }
}

/** The value has no blanks: a form that expects letters ignores them. */
function mixedGroups(line: string, { text, start }: Word): Candidate | undefined {
  if (text.length > 4 || !/\d/.test(text)) return undefined
  const from = start - (LETTERS_BEFORE.exec(line.slice(Math.max(0, start - 5), start))?.[0].length ?? 0)
  MIXED_GROUPS.lastIndex = from
  const [written] = MIXED_GROUPS.exec(line) ?? []
  if (written === undefined || POSTCODE.test(written)) return undefined
  const isCode = written.split(' ').some(hasBoth) || (from < start && /^\D+\d\d \d\d$/.test(written))
  if (!isCode || !isFree(line, from, from + written.length)) return undefined
  return { value: written.replaceAll(' ', ''), start: from, end: from + written.length, kind: 'mixed' }
}

function dottedDigits(line: string, { start }: Word): Candidate | undefined {
  DOTTED.lastIndex = start
  const [written] = DOTTED.exec(line) ?? []
  if (written === undefined || !isFree(line, start, start + written.length)) return undefined
  return { value: written.replaceAll('.', ''), start, end: start + written.length, kind: 'long' }
}

/**
 * `8 4 1 – 0 9 2`, `H 4 R – 9 K 2`: each character apart. The value is what the characters say, with a hyphen only between letters. A run
 * that is too long has no candidate, and is passed as a whole.
 */
function spelledOut(line: string, words: Word[], at: number): { candidate?: Candidate; run: number } | undefined {
  let run = 0
  let text = ''
  for (let word = words[at]; word && /^[A-Z\d]$/.test(word.text); word = words[at + run]) {
    const gap = run === 0 ? ' ' : line.slice(words[at + run - 1]?.end, word.start)
    if (!/^ (?:[-–] )?$/.test(gap)) break
    text += (gap.length > 1 ? '-' : '') + word.text
    run++
  }
  const [first, last] = [words[at], words[at + run - 1]]
  const isDigits = /^[\d-]+$/.test(text)
  if (isDigits && !text.includes('-')) return undefined
  if (run > SPELLED_OUT.max) return { run }
  if (!first || !last || run < SPELLED_OUT.min || !/\d.*\d/.test(text) || !isFree(line, first.start, last.end)) return undefined
  const value = isDigits ? text.replaceAll('-', '') : text
  return { candidate: { value, start: first.start, end: last.end, kind: isDigits ? 'digits' : 'mixed' }, run }
}

/** How many words from `at` on are digits separated by one space each; at most one if it is too long for a group. */
function digitRun(line: string, words: Word[], at: number): number {
  if (/^\d{6}/.test(words[at]?.text ?? '')) return 1
  let run = 0
  for (let word = words[at]; word && /^\d{1,6}$/.test(word.text); word = words[at + run]) {
    const before = words[at + run - 1]
    if (run > 0 && before && !/^[ \u00a0\u2009\u202f]$/.test(line.slice(before.end, word.start))) break
    // A date or a price of its own: `884 510 23.11.2026`.
    if (run > 0 && /^[.,:/]\d/.test(line.slice(word.end, word.end + 2))) break
    run++
  }
  return run
}

/** A code printed in groups; undefined for a longer number; 'separate' when the words only happen to be neighbours. */
function groupedDigits(line: string, words: Word[]): Candidate | undefined | 'separate' {
  const [first, last] = [words[0], words.at(-1)]
  if (!first || !last) return undefined
  const digits = words.map(word => word.text).join('')
  const grouping = words.map(word => word.text.length).join(' ')
  if (GROUPINGS.has(grouping)) {
    if (!isFree(line, first.start, last.end)) return undefined
    const place = { value: digits, start: first.start, end: last.end }
    if (digits.length > DIGITS_MAX || grouping === PHONE) return { ...place, kind: 'long' }
    return { ...place, kind: 'digits', ...(digits.length === words.length && { isSpelled: true }) }
  }
  if (digits.length > DIGITS_MAX) return undefined
  if (line.trim().length === last.end - first.start && digits.length > 4)
    return { value: digits, start: first.start, end: last.end, kind: 'long' }
  return words.length > 2 ? undefined : 'separate'
}

function singleWord(line: string, { text, start, end }: Word): Candidate | undefined {
  const hasDigits = /\d/.test(text)
  // What every shape has, and most words have not.
  if (text.length < CHARS_MIN || text.length > (hasDigits ? MIXED_CHARS.max : WORDS_CHARS_MAX)) return undefined
  const ofDigits = hasDigits && /^\d+$/.test(text) ? kindOfDigits(text.length) : undefined
  if (YEAR.test(text) && DAY_BEFORE.test(line.slice(Math.max(0, start - 30), start))) return undefined
  if (ofDigits) return isFree(line, start, end) ? { value: text, start, end, kind: ofDigits } : undefined
  if (!(hasDigits || MARKED.test(text) || line.trim() === text) || TECHNICAL.test(text)) return undefined
  const shape = (hasDigits ? WITH_DIGITS : WITHOUT_DIGITS).find(
    ({ matches, isAlone, isLast }) =>
      (typeof matches === 'function' ? matches(text) : matches.test(text)) &&
      (!isAlone || line.trim() === text) &&
      (!isLast || isLastOfSentence(line, start, end)),
  )
  return shape && isFree(line, start, end) ? { value: shape.typed?.(text) ?? text, start, end, kind: shape.kind } : undefined
}

function kindOfDigits(count: number): Kind | undefined {
  return count === 3 ? 'short' : count <= DIGITS_MAX ? 'digits' : count <= 10 ? 'long' : undefined
}

function isLastOfSentence(line: string, start: number, end: number): boolean {
  return (
    /^["”»'’)\]*]{0,3}(?:[.!]?$|[.!]\s)/.test(line.slice(end, end + 6)) && !/\p{Lu}{3}/u.test(line.slice(Math.max(0, start - 100), start))
  )
}

function withoutHyphens(word: string): string {
  return word.replaceAll('-', '')
}

/** Names of things that programs use, as sha256, Uint8Array and the beginning of a commit's hash. */
const TECHNICAL =
  /^(?:[A-Z]{2}20\d\d|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,12}|[a-z]+(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]+){2,}|[A-Z][a-z]{2,}\d{1,3}(?:[A-Z][a-z]+)?)$/

/** Letters of one case and digits, in at most four groups: AB3-9XK, 7HQ2MZ, q7w2-mx9k-r4td. Four in one group are K7P2, and not 100K. */
function isMixed(word: string): boolean {
  if (!/^(?:[\p{Lu}\d]+(?:-[\p{Lu}\d]+){0,3}|(?![a-z]{3,}\d{1,3}$)[a-z\d]+(?:-[a-z\d]+){0,3})$/u.test(word) || !hasBoth(word)) return false
  if (!word.includes('-')) return word.length < MIXED_CHARS.min ? /^(?!\d+\p{Lu}+$)[\p{Lu}\d]{4}$/u.test(word) : word.length <= 12
  const groups = word.split('-')
  const isLong = word.length - groups.length + 1 >= MIXED_CHARS.min
  const singles = groups.filter(group => group.length === 1).length
  return isLong && groups.every(group => group.length <= 5) && singles <= Number(groups.length > 2 && /[A-Z]/.test(word))
}

/** kT7qRvX2, kTqRvX and pR7kd, but no name: a digit among them, or two capitals behind small letters. */
function isCased(word: string): boolean {
  if (!/^[A-Za-z0-9]{5,12}$/.test(word) || !/[a-z]/.test(word) || !/[A-Z]/.test(word)) return false
  return /\d.*[A-Za-z]/.test(word) || (word.length > 5 && (word.match(/[a-z][A-Z]/g)?.length ?? 0) >= 2)
}

/** Letters that have no small ones among them, and digits. */
function isUpperMixed(word: string): boolean {
  return /\p{Lu}/u.test(word) && /\d/.test(word) && !/\p{Ll}/u.test(word)
}

/** Letters and digits that are no measure, time or day. */
function hasBoth(word: string): boolean {
  return /\p{L}/u.test(word) && /\d/.test(word) && !MEASURE.test(word) && !TIME_OR_DAY.test(word)
}

/** Not part of a price, a standard, a time, a telephone number, a path, an account or a measure. */
function isFree(line: string, start: number, end: number): boolean {
  const before = line.slice(Math.max(0, start - 8), start)
  const after = line.slice(end, end + 16)
  if (JOINED_BEFORE.test(before) && !(FRAME_BEFORE.test(before) && FRAME_AFTER.test(after))) return false
  if (PORT.test(before) && !LONGER_THAN_PORTS.test(line.slice(start, start + 9))) return false
  return !JOINED_AFTER.test(after) && !NAMED_BEFORE.test(before) && !UNIT_AFTER.test(after)
}

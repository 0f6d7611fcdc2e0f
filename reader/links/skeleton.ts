/** What the eye reads in a name: look-alike letters, ligatures and decoration reduced to plain letters that can be compared. */

import lookalikes from './lookalikes.json' with { type: 'json' }

/**
 * Letters that pass for Latin ones, by the letters they pass for: those of Unicode's confusables.txt (UTS 39, version 15) that its
 * compatibility decomposition does not cover, without right-to-left scripts, and with small capitals.
 */
const IMITATED: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikes).flatMap(([letters, alike]) => Array.from(alike, lookalike => [lookalike, letters] as const)),
)

const TEXT_CHARS_MAX = 1000

/** Letters in filled circles and squares, and those of flags: the only decorated alphabets without a decomposition. */
const DECORATED = [0x1f150, 0x1f170, 0x1f1e6]

/**
 * The skeletons of a name (UTS 39 section 4) in lower case. There are two because the letter imitated depends on case: a capital I passes
 * for a small l, a small i does not.
 */
export function skeletons(text: string): readonly string[] {
  const plain = plainLetters(text.slice(0, TEXT_CHARS_MAX))
  return [...new Set([fold(plain), fold(plain.toLowerCase())])]
}

function fold(plain: string): string {
  return plain
    .replace(/[I1|]/g, 'l')
    .replaceAll('0', 'o')
    .toLowerCase()
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/\s+/g, ' ')
    .trim()
}

/** ASCII without its two accents. */
const PLAIN = /^[ -\]_a-~]*$/

/** Without accents, invisible characters and symbols. */
export function plainLetters(text: string): string {
  if (PLAIN.test(text)) return text
  const composed = Array.from(text.replace(/\p{Cf}/gu, '').replace(/[™℠©®]/gu, ' '), letter => IMITATED.get(letter) ?? undecorated(letter))
  const decomposed = composed.join('').normalize('NFKD').replace(/\p{M}/gu, '')
  return Array.from(decomposed, letter => IMITATED.get(letter) ?? letter)
    .join('')
    .replace(/[\p{So}\p{Sk}]/gu, ' ')
}

function undecorated(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  const first = code < 0x1f150 ? undefined : DECORATED.find(start => code >= start && code < start + 26)
  return first === undefined ? letter : String.fromCharCode(0x41 + code - first)
}

/**
 * Whether a word mixes Latin letters with foreign ones that look like them, and has no other foreign letter. In a mostly foreign text such
 * a word is ordinary grammar (`SMSка`), not a disguise.
 */
export function hasLookalikeWord(text: string): boolean {
  const read = text.slice(0, TEXT_CHARS_MAX)
  const words = read.match(/[\p{L}\p{M}]+/gu) ?? []
  return words.some(isDisguised) && isMostlyLatin(read)
}

function isDisguised(word: string): boolean {
  const letters = Array.from(word)
  return /\p{Script=Latin}/u.test(word) && letters.some(isImitation) && letters.every(isLatinOrImitation)
}

function isImitation(letter: string): boolean {
  return IMITATED.has(letter) && !/\p{Script=Latin}/u.test(letter)
}

function isLatinOrImitation(letter: string): boolean {
  return isImitation(letter) || /[\p{Script=Latin}\p{M}]/u.test(letter)
}

function isMostlyLatin(text: string): boolean {
  const foreign = text.match(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu)?.filter(letter => !isImitation(letter)).length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return foreign * 2 < latin
}

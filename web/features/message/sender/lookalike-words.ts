/** Finds words of Latin letters with look-alike foreign ones: `Pаypal` with a Cyrillic а. Pure: no DOM. */

/** Cyrillic and Greek letters that pass for Latin ones, and the Latin letters they pass for. */
const IMITATED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    һ: 'h',
    і: 'i',
    ј: 'j',
    ӏ: 'l',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    ѕ: 's',
    ԝ: 'w',
    х: 'x',
    у: 'y',
    ѵ: 'v',
    А: 'A',
    В: 'B',
    С: 'C',
    Е: 'E',
    Н: 'H',
    І: 'I',
    Ј: 'J',
    К: 'K',
    М: 'M',
    О: 'O',
    Р: 'P',
    Ѕ: 'S',
    Т: 'T',
    Х: 'X',
    У: 'Y',
    ο: 'o',
    ν: 'v',
    α: 'a',
    ρ: 'p',
    ι: 'i',
    κ: 'k',
    υ: 'u',
    τ: 't',
    ω: 'w',
    Α: 'A',
    Β: 'B',
    Ε: 'E',
    Ζ: 'Z',
    Η: 'H',
    Ι: 'I',
    Κ: 'K',
    Μ: 'M',
    Ν: 'N',
    Ο: 'O',
    Ρ: 'P',
    Τ: 'T',
    Υ: 'Y',
    Χ: 'X',
  }),
)
const TEXT_CHARS_MAX = 1000

/** Replaces each letter that imitates a Latin one, removes accents and upper case: what the eye reads. */
export function asRead(text: string): string {
  return Array.from(text.slice(0, TEXT_CHARS_MAX).normalize('NFKD'), letter => IMITATED.get(letter) ?? letter)
    .join('')
    .replace(/\p{M}|\p{Cf}/gu, '')
    .toLowerCase()
}

/**
 * Whether a word mixes Latin letters with foreign ones that look like them, and has no other foreign letter. In a mostly foreign text such
 * a word is ordinary grammar (`SMSка`), not a disguise.
 */
export function hasLookalikeWord(text: string): boolean {
  const read = text.slice(0, TEXT_CHARS_MAX)
  const words = read.match(/[\p{L}\p{M}]+/gu) ?? []
  return isMostlyLatin(read) && words.some(isDisguised)
}

function isDisguised(word: string): boolean {
  const letters = Array.from(word)
  return /\p{Script=Latin}/u.test(word) && letters.some(letter => IMITATED.has(letter)) && letters.every(isLatinOrImitation)
}

function isLatinOrImitation(letter: string): boolean {
  return IMITATED.has(letter) || /[\p{Script=Latin}\p{M}]/u.test(letter)
}

function isMostlyLatin(text: string): boolean {
  const foreign = text.match(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu)?.filter(letter => !IMITATED.has(letter)).length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return foreign * 2 < latin
}

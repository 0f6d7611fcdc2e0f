/** The patterns of the search for codes, made of the words of all languages. Each is tried on a few hundred characters at most. */
import { anyOf } from './any-of.ts'
import type { CodeLanguage } from './code-language.ts'
import { ar } from './languages/ar.ts'
import { cs } from './languages/cs.ts'
import { da } from './languages/da.ts'
import { de } from './languages/de.ts'
import { en } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fi } from './languages/fi.ts'
import { fr } from './languages/fr.ts'
import { it } from './languages/it.ts'
import { ja } from './languages/ja.ts'
import { ko } from './languages/ko.ts'
import { nb } from './languages/nb.ts'
import { nl } from './languages/nl.ts'
import { pl } from './languages/pl.ts'
import { pt } from './languages/pt.ts'
import { ru } from './languages/ru.ts'
import { sv } from './languages/sv.ts'
import { tr } from './languages/tr.ts'
import { uk } from './languages/uk.ts'
import { zh } from './languages/zh.ts'

const LATIN_SCRIPT = [en, es, pt, fr, de, it, nl, pl, sv, da, nb, fi, cs, tr]
const OTHER_SCRIPTS = [ru, uk, ja, zh, ko, ar]
const OTHER_SCRIPT = /[\u0400-\u06ff\u3040-\ud7ff]/

export type CodePatterns = ReturnType<typeof compile>

/** Mail in Latin letters alone, which is most, is not searched for the words of other scripts. */
export function patternsFor(text: string): CodePatterns {
  return OTHER_SCRIPT.test(text) ? all() : latin()
}

/** Cheap first question: whether a text has any word that comes with codes. */
export function mentionsCode(text: string): boolean {
  return LATIN_HINTS.test(text) || (OTHER_SCRIPT.test(text) && OTHER_HINTS.test(text))
}

const hintsOf = (languages: readonly CodeLanguage[]) => new RegExp(anyOf(languages.flatMap(({ hints }) => hints)), 'i')
const LATIN_HINTS = hintsOf(LATIN_SCRIPT)
const OTHER_HINTS = hintsOf(OTHER_SCRIPTS)

const latin = once(() => compile(LATIN_SCRIPT))
const all = once(() => compile([...LATIN_SCRIPT, ...OTHER_SCRIPTS]))

export function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

const NO_LETTER_BEFORE = String.raw`(?<![\p{L}\p{N}])`
const NO_LETTER_AFTER = String.raw`(?![\p{L}\p{N}])`
/** Quotation marks and brackets that a code may stand in. */
const QUOTES = String.raw`["“”«»'‘’「」『』【】（）\[\](){}*]`
const NEVER = '(?!)'

function compile(languages: readonly CodeLanguage[]) {
  type Field = Exclude<keyof CodeLanguage, 'hasSpaces'>
  const sources = (field: Field, chosen = languages) => chosen.flatMap(language => language[field] ?? []).join('|') || NEVER
  const spaced = languages.filter(({ hasSpaces = true }) => hasSpaces)
  const unspaced = languages.filter(({ hasSpaces = true }) => !hasSpaces)
  const words = (field: Field) => `${NO_LETTER_BEFORE}(?:${sources(field, spaced)})${NO_LETTER_AFTER}|${sources(field, unspaced)}`
  const endings = (field: Field) => `${NO_LETTER_BEFORE}(?:${sources(field, spaced)})|${sources(field, unspaced)}`
  const is = words('is')
  return {
    /** One pass over a window: the group `other`, `sure` or `bare` tells what was found. */
    codes: new RegExp(`(?<other>${sources('other')})|(?<sure>${sources('sure')})|(?<bare>${words('bare')})`, 'giu'),
    identity: new RegExp(sources('identity'), 'iu'),
    /** `Here is your code`: the line announces the code for the reader. */
    yours: new RegExp(words('yours'), 'iu'),
    /** Between the word and the code: nothing but a copula and signs. */
    linkOnly: new RegExp(String.raw`^(?:\s|${QUOTES}|[:：=>\-–—|])*(?:${is})?(?:\s|${QUOTES}|[:：=>\-–—|])*$`, 'iu'),
    /** The sentence ends with a colon or its like right before the code. */
    linkAtEnd: new RegExp(String.raw`(?:${is}|[:：])(?:\s|["“«'‘「『【\[({*])*$`, 'iu'),
    /** `481516 is your … code`. */
    isYour: new RegExp(String.raw`^(?:["”»'’」』】）\])}*])*,?\s*(?:${endings('isYour')})`, 'iu'),
    /** `Use 481516 to sign in`: the words before … */
    enterBefore: new RegExp(String.raw`${NO_LETTER_BEFORE}(?:${sources('enter')})(?:\s|["“«'‘])*$`, 'iu'),
    /** … and after. */
    purposeAfter: new RegExp(String.raw`^["”»'’」』】]?\s*(?:${endings('to')}).{0,60}?(?:${sources('purposes')})`, 'iu'),
    /** Words that a shop uses next to its codes. */
    shop: new RegExp(sources('shop'), 'iu'),
    files: new RegExp(words('files'), 'iu'),
    reports: new RegExp(words('reports'), 'iu'),
    travel: new RegExp(words('travel'), 'iu'),
    meetings: new RegExp(sources('meetings'), 'iu'),
    /** The name of another number, right before the number. */
    labelBefore: new RegExp(
      String.raw`(?:${NO_LETTER_BEFORE}(?:${sources('labels', spaced)})|${sources('labels', unspaced)})\.?(?:\s*(?:[:：#.=–—-]|n\.?[ºo°]\.?|no\.|num(?:ber|ero|éro)?|número|numer|nummer|nr\.?|id|${is})){0,4}\s*$`,
      'iu',
    ),
  }
}

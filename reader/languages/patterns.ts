/** The patterns of codes and confirmation links, made of the words of all languages. Each is tried on a few hundred characters at most. */
import { LATIN_SCRIPT, OTHER_SCRIPT, OTHER_SCRIPTS, sourceOf, type WordField, type Words } from './language.ts'

export type Patterns = ReturnType<typeof compile>

/** Mail in Latin letters alone, which is most, is not searched for the words of other scripts. */
export function patternsFor(text: string): Patterns {
  return OTHER_SCRIPT.test(text) ? all() : latin()
}

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

/** Fields whose words are looked for anywhere, also within a word. */
const WITHIN = [
  'identity',
  'expired',
  'fraud',
  'confirmed',
  'warns',
  'three',
  'shop',
  'keeps',
  'meetings',
  'confirmation',
  'approval',
  'confirms',
  'approves',
  'signsIn',
  'invites',
  'accepts',
  'besides',
  'alerts',
  'ignored',
  'lasts',
  'nearlyDone',
  'link',
  'browser',
] as const
/** Fields whose words begin a word. */
const BEGINNING = ['enters', 'places', 'numbers', 'digits', 'asks', 'bills', 'told', 'collects', 'deletes'] as const
/** Fields whose words are whole words. */
const WHOLE = ['yours', 'negates', 'files', 'doors', 'reports', 'travel'] as const

function compile(languages: readonly Words[]) {
  const sources = (fields: WordField | readonly WordField[], chosen = languages) => sourceOf(chosen, [fields].flat()) || NEVER
  const spaced = languages.filter(({ hasSpaces = true }) => hasSpaces)
  const unspaced = languages.filter(({ hasSpaces = true }) => !hasSpaces)
  const words = (field: WordField) => `${NO_LETTER_BEFORE}(?:${sources(field, spaced)})${NO_LETTER_AFTER}|${sources(field, unspaced)}`
  const endings = (field: WordField) => `${NO_LETTER_BEFORE}(?:${sources(field, spaced)})|${sources(field, unspaced)}`
  const is = words('is')
  const each = <Field extends WordField>(fields: readonly Field[], source: (field: Field) => string) =>
    Object.fromEntries(fields.map(field => [field, new RegExp(source(field), 'iu')])) as Record<Field, RegExp>
  return {
    ...each(WITHIN, sources),
    ...each(BEGINNING, endings),
    ...each(WHOLE, words),
    /** One pass over a window: the group `other`, `sure` or `bare` tells what was found. */
    codes: new RegExp(`(?<other>${sources('other')})|(?<sure>${sources('sure')})|(?<bare>${words('bare')})`, 'giu'),
    /** Between the word and the code: nothing but a copula and signs. */
    linkOnly: new RegExp(String.raw`^(?:\s|${QUOTES}|[:：=>\-–—|])*(?:${is})?(?:\s|${QUOTES}|[:：=>\-–—|])*$`, 'iu'),
    /** The sentence ends with a colon or a similar sign right before the code. */
    linkAtEnd: new RegExp(String.raw`(?:${is}|[:：]|\s[—–])(?:\s|["“«'‘「『【\[({*])*$`, 'iu'),
    /** `481516 is your … code`. */
    isYour: new RegExp(String.raw`^(?:["”»'’」』】）\])}*])*,?\s*(?:${endings('isYour')}|[–—-] (?:${words('bare')}))`, 'iu'),
    /** `481516 – your one-time code` */
    dashName: new RegExp(String.raw`^ ?[–—-] [^\d.,:;!?]{0,40}?(?:${sources('sure')}|${words('bare')})`, 'iu'),
    /** `Use 481516 to sign in`: the words before … */
    enterBefore: new RegExp(String.raw`${NO_LETTER_BEFORE}(?:${sources('enter')})(?:\s|["“«'‘])*$`, 'iu'),
    /** … and after. */
    purposeAfter: new RegExp(String.raw`^["”»'’」』】]?,?\s*(?:${endings('to')}).{0,60}?(?:${sources('purposes')})`, 'iu'),
    /** `481516: use this number to sign in` */
    useAfter: new RegExp(`^ ?[:：–—-] ?(?:${sources('enter')})[^.:!?]{0,50}?(?:${sources('purposes')})`, 'iu'),
    /** `… 481516. Enter it on the page` */
    entersNext: new RegExp(`^[.。] ?(?:${sources('enters')})`, 'iu'),
    /** In a word or at its beginning: without it, no pattern of `enters` matches. */
    entersWithin: new RegExp(sources('enters'), 'iu'),
    /** `Enter 481516`, `trag bitte 481516 ein`: right before the code, or two short words before it. */
    entersBefore: new RegExp(
      String.raw`(?:${endings('enters')})[\p{L}\p{M}]{0,6}(?:[ \u00a0][^\s.:：!?。]{1,12}){0,2}(?:\s|[:："“«'‘「『【]){0,6}$`,
      'iu',
    ),
    /** `Enter on your profile page 481516` */
    entersAtPlace: new RegExp(
      String.raw`(?:${endings('enters')})[^\d.!?:。！？]{0,40}?(?:${endings('places')})\p{L}{0,12}(?: \p{L}{1,12})?[\s:："“«]{1,4}$`,
      'iu',
    ),
    entersAfter: new RegExp(String.raw`^[^.,;:!?。，、；：\n]{0,12}?(?:${sources('enters')})`, 'iu'),
    /** `the digits 71 49 30` */
    digitsBefore: new RegExp(String.raw`(?:${endings('digits')})\p{L}{0,6}[\s:："“«]{1,4}$`, 'iu'),
    /** `type on the sign-in screen the number 604 118` */
    numbersBefore: new RegExp(String.raw`(?:${endings('numbers')})\p{L}{0,6}[\s:："“«]{1,4}$`, 'iu'),
    /** What a mail about a bill or a parcel asks for if its code is to be entered. */
    proves: new RegExp(sources(['confirms', 'approves']), 'iu'),
    /** `481516 and your card number` */
    cardsAfter: new RegExp(String.raw`^[^\d.!?。]{0,20}?(?:${endings('cards')})`, 'iu'),
    /** `parcel with the `, right before `code` */
    fileBefore: new RegExp(String.raw`(?:${words('files')})[^\d.:!?。：！？]{0,12}$`, 'iu'),
    /** The name of another number, right before the number. */
    labelBefore: new RegExp(
      String.raw`(?:${NO_LETTER_BEFORE}(?:${sources('labels', spaced)})|${sources('labels', unspaced)})\.?(?:\s*(?:[:：#.=–—-]|n\.?[ºo°]\.?|no\.|num(?:ber|ero|éro)?|número|numer|nummer|nr\.?|id|${is})){0,4}\s*$`,
      'iu',
    ),
    /** What a mail asks for if one of its links is a confirmation link. */
    followed: new RegExp(sources(['confirms', 'signsIn', 'invites']), 'iu'),
    /**
     * What else speaks for a confirmation link: without any of these or of `followed`, links are not searched. Two patterns, because V8
     * does not optimize one that is longer than 20 kB, which takes eight times as long.
     */
    hinted: new RegExp(sources(['deletes', 'ignored', 'lasts', 'nearlyDone']), 'iu'),
    here: new RegExp(String.raw`^[\p{P}\p{S}\s]*(?:${sources('here')})[\p{P}\p{S}\s]*$`, 'iu'),
    stems: new RegExp(sources(['confirmation', 'activation']), 'iu'),
    yes: new RegExp(String.raw`^[\p{P}\p{S}\s]*(?:${sources('yes')})(?![\p{L}\p{M}])`, 'iu'),
  }
}

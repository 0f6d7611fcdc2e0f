/** The patterns of confirmation links, made of the words of all languages. Each is tried on a few hundred characters at most. */
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
const NEVER = '(?!)'

/** Fields whose words are looked for anywhere, also within a word. */
const WITHIN = [
  'confirmed',
  'shop',
  'keeps',
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
const BEGINNING = ['bills', 'deletes'] as const

function compile(languages: readonly Words[]) {
  const sources = (fields: WordField | readonly WordField[], chosen = languages) => sourceOf(chosen, [fields].flat()) || NEVER
  const spaced = languages.filter(({ hasSpaces = true }) => hasSpaces)
  const unspaced = languages.filter(({ hasSpaces = true }) => !hasSpaces)
  const endings = (field: WordField) => `${NO_LETTER_BEFORE}(?:${sources(field, spaced)})|${sources(field, unspaced)}`
  const each = <Field extends WordField>(fields: readonly Field[], source: (field: Field) => string) =>
    Object.fromEntries(fields.map(field => [field, new RegExp(source(field), 'iu')])) as Record<Field, RegExp>
  return {
    ...each(WITHIN, sources),
    ...each(BEGINNING, endings),
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

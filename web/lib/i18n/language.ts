/** Which language a visitor gets, and where the choice is kept. */
import { DEFAULT_LANGUAGE, type Language, toLanguage } from '#contract/languages.ts'

const KEY = 'lang'
const YEAR_SECONDS = 31_536_000

/** The order of the specification: `lang` parameter, stored preference, browser language, English. */
export function detectLanguage(search: string, stored: string | null, browser: readonly string[]): Language {
  return (
    toLanguage(new URLSearchParams(search).get(KEY)) ??
    toLanguage(stored) ??
    browser.map(tag => toLanguage(tag.toLowerCase().split('-')[0])).find(language => language !== undefined) ??
    DEFAULT_LANGUAGE
  )
}

export function detectHere(): Language {
  return detectLanguage(location.search, storedLanguage(), navigator.languages)
}

/**
 * The language of a shared `?lang=` link that this browser would not choose by itself. It is not the visitor's own choice, so it is not
 * stored but kept in the URL of every page they walk to.
 */
export function sharedLanguage(): Language | undefined {
  const asked = toLanguage(new URLSearchParams(location.search).get(KEY))
  return asked === detectLanguage('', storedLanguage(), navigator.languages) ? undefined : asked
}

/** The cookie lets the server pick the right file before any script runs; local storage is what the specification names. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `${KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
  } catch {
    // Storage is refused in some private modes; the page still has its `lang` parameter.
  }
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** `search` with its `lang` parameter set, the others kept. */
export function withLanguage(search: string, language: Language): string {
  const params = new URLSearchParams(search)
  params.set(KEY, language)
  return `?${params}`
}

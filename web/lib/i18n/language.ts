/** Which language a visitor gets, and where the choice is stored. */
import { DEFAULT_LANGUAGE, type Language, toLanguage } from '#contract/languages.ts'

const KEY = 'lang'
const YEAR_SECONDS = 31_536_000

/** In this order: `lang` parameter, stored preference, browser language, English. */
function detectLanguage(search: string, stored: string | null, browser: readonly string[]): Language {
  return (
    toLanguage(new URLSearchParams(search).get(KEY)) ??
    toLanguage(stored) ??
    browser.map(tag => toLanguage(tag.toLowerCase().split('-')[0])).find(language => language !== undefined) ??
    DEFAULT_LANGUAGE
  )
}

export const detectBrowserLanguage = (): Language => detectLanguage(location.search, storedLanguage(), navigator.languages)

/**
 * The language of a shared `?lang=` link that this browser would not choose by itself. It is not the visitor's own choice, so it is kept in
 * the URLs of the pages they visit instead of being stored.
 */
export function sharedLanguage(): Language | undefined {
  const requested = toLanguage(new URLSearchParams(location.search).get(KEY))
  return requested === detectLanguage('', storedLanguage(), navigator.languages) ? undefined : requested
}

/** The cookie lets the server choose the page before any script runs; local storage is what the page reads. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `${KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
  } catch {
    // Some private modes refuse storage; the URL still has its `lang` parameter.
  }
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** `search` with its `lang` parameter set and the others unchanged. */
export function withLanguage(search: string, language: Language): string {
  const params = new URLSearchParams(search)
  params.set(KEY, language)
  return `?${params}`
}

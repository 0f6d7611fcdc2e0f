/** The site's public origin, from the served HTML: a canonical link must not follow whatever host name was typed. */
import { type Language, languageQuery } from '#contract/languages.ts'

/**
 * The server replaces the placeholder in every file it serves. `vite dev` does not, so there the address bar is used. The placeholder is
 * named only in prerendering code: in a script it would be replaced too.
 */
export function siteOrigin(): string {
  if (import.meta.env.SSR) return 'https://mayfly.invalid'
  const served = document.documentElement.dataset.origin ?? ''
  return URL.canParse(served) && !new URL(served).hostname.endsWith('.invalid') ? served : location.origin
}

/** URL of a page in a language. */
export function pageUrl(path: string, language: Language): string {
  return `${siteOrigin()}${path}${languageQuery(language)}`
}

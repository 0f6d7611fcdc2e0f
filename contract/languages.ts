/**
 * The languages of the site, of the mail it sends and of the operator's notice. To add one: add it here and add its texts where the
 * compiler asks for them (a copy of web/texts/es/, which is typed by en/; contract/limits.ts, server/accounts/account-mail.ts,
 * server/http/openapi/docs-words.json). What no compiler asks for: README.md and docs/operations.md, which name them; a stored notice,
 * which is not shown until it has a text in each; the answer about languages in web/texts/<language>/home.ts, `.site-notice` in
 * web/styles.css, the pages in content/, extension/_locales/, letters beyond Latin-1 in lab/pictures/subset-fonts.py, and
 * `npm run lab -- social-images`.
 */

export const LANGUAGES = ['en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** For visitors who prefer none of these. URLs of its pages have no `lang` parameter. */
export const DEFAULT_LANGUAGE: Language = 'en'

/** Each language in its own words, for menus. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

/** Open Graph's codes: language and territory. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en_US', es: 'es_ES' }

export function perLanguage<Value>(create: (language: Language) => Value): Record<Language, Value> {
  return Object.fromEntries(LANGUAGES.map(language => [language, create(language)])) as Record<Language, Value>
}

export const toLanguage = (text: string | null | undefined): Language | undefined => LANGUAGES.find(language => language === text)

/** The query of a page's URL: `?lang=es`, or empty for the default language. */
export const languageQuery = (language: Language): string => (language === DEFAULT_LANGUAGE ? '' : `?lang=${language}`)

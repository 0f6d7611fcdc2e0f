/** The languages of the site and of the mail it sends. A new one is added here; the compiler then names every text that it needs. */

export const LANGUAGES = ['en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** For whoever asks for none of ours. URLs of its pages carry no `lang` parameter. */
export const DEFAULT_LANGUAGE: Language = 'en'

/** As Open Graph names them: language and territory. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en_US', es: 'es_ES' }

export function toLanguage(text: string | null | undefined): Language | undefined {
  return LANGUAGES.find(language => language === text)
}

/** What the URL of a page carries after its path, e.g. `?lang=es`. */
export function languageQuery(language: Language): string {
  return language === DEFAULT_LANGUAGE ? '' : `?lang=${language}`
}

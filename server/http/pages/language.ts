/** Chooses the language of a page: `?lang`, then the cookie, then the browser's list. */
import { DEFAULT_LANGUAGE, type Language, toLanguage } from '#contract/languages.ts'

/** No browser sends a longer list. */
const HEADER_CHARS_MAX = 1024

export function pickLanguage(requested: string | undefined, cookie: string | undefined, acceptLanguage: string | undefined): Language {
  return toLanguage(requested) ?? toLanguage(cookie) ?? preferred(acceptLanguage ?? '') ?? DEFAULT_LANGUAGE
}

/** RFC 9110 section 12.5.4: the highest weight wins, among equals the first. */
function preferred(header: string): Language | undefined {
  const ranges = header.slice(0, HEADER_CHARS_MAX).split(',')
  const weighted = ranges.map(range => {
    const [tag = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { language: toLanguage(tag.split('-')[0]), weight: Number.isNaN(weight) ? 0 : weight }
  })
  return weighted.filter(({ language, weight }) => language && weight > 0).sort((a, b) => b.weight - a.weight)[0]?.language
}

/** The tags of a page for search engines and previews of links. Loaded only after a navigation: served pages have them. */
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, LOCALES, languageQuery } from '#contract/languages.ts'
import type { PreviewTexts } from '#web/texts/en/site.ts'

/**
 * The site's public origin, from the served HTML: a canonical link must not follow whatever host name was typed. The server replaces the
 * placeholder in every file it serves. `vite dev` does not, so there the address bar is used. The placeholder is named only in prerendering
 * code: in a script it would be replaced too.
 */
export function siteOrigin(): string {
  if (import.meta.env.SSR) return 'https://mayfly.invalid'
  const served = document.documentElement.dataset.origin ?? ''
  return URL.canParse(served) && !new URL(served).hostname.endsWith('.invalid') ? served : location.origin
}

export const pageUrl = (path: string, language: Language): string => `${siteOrigin()}${path}${languageQuery(language)}`

export type PageFacts = {
  title: string
  description: string
  /** Path of the page, e.g. `/blog`. */
  path: string
  /** Path of the picture of a preview. Default: what `npm run lab -- social-images` drew for this page and language. */
  image?: string
  imageAlt?: string
  type?: 'website' | 'article'
  /** Hides the page from search engines: it has no canonical link and no picture of its own. */
  noindex?: boolean
  language: Language
  siteName: string
}

type Tag = { readonly name: 'meta' | 'link'; readonly attributes: Readonly<Record<string, string>> }

/** All tags that depend on the page, except title and description. */
const PAGE_TAGS =
  'link[rel=canonical], link[rel=alternate][hreflang], meta[name=robots], meta[name=keywords], meta[property^="og:"], meta[name^="twitter:"]'

export function pageTags(page: PageFacts, texts: PreviewTexts): Tag[] {
  return [...(page.noindex ? [meta('robots', 'noindex')] : indexTags(page, texts)), ...previewTags(page, texts)]
}

function indexTags({ path, language }: PageFacts, { keywords }: PreviewTexts): Tag[] {
  const alternate = (hreflang: string, other: Language): Tag => link({ rel: 'alternate', hreflang, href: pageUrl(path, other) })
  return [
    meta('keywords', keywords),
    link({ rel: 'canonical', href: pageUrl(path, language) }),
    ...LANGUAGES.map(other => alternate(other, other)),
    alternate('x-default', DEFAULT_LANGUAGE),
  ]
}

function previewTags(
  { title, description, path, type, image, imageAlt, language, siteName, noindex }: PageFacts,
  texts: PreviewTexts,
): Tag[] {
  const imageUrl = `${siteOrigin()}${image ?? `/social/${noindex ? 'home' : imageName(path)}-${language}.png`}`
  return [
    meta('og:type', type ?? 'website'),
    meta('og:site_name', siteName),
    meta('og:title', title),
    meta('og:description', description),
    meta('og:url', pageUrl(path, language)),
    meta('og:locale', LOCALES[language]),
    ...LANGUAGES.filter(other => other !== language).map(other => meta('og:locale:alternate', LOCALES[other])),
    meta('og:image', imageUrl),
    meta('og:image:alt', imageAlt ?? texts.imageAlt),
    meta('og:image:width', '1200'),
    meta('og:image:height', '630'),
    meta('twitter:card', 'summary_large_image'),
    meta('twitter:title', title),
    meta('twitter:description', description),
    meta('twitter:image', imageUrl),
  ]
}

const link = (attributes: Tag['attributes']): Tag => ({ name: 'link', attributes })
/** Open Graph has its own attribute for the name. */
const meta = (name: string, content: string): Tag => ({
  name: 'meta',
  attributes: { [name.startsWith('og:') ? 'property' : 'name']: name, content },
})

/** Replaces the tags of the served page, or of the page before. */
export function showPageTags(page: PageFacts, texts: PreviewTexts): void {
  for (const tag of document.head.querySelectorAll(PAGE_TAGS)) tag.remove()
  document.head.append(
    ...pageTags(page, texts).map(({ name, attributes }) => {
      const tag = document.createElement(name)
      for (const [key, value] of Object.entries(attributes)) tag.setAttribute(key, value)
      return tag
    }),
  )
}

/** `/blog/x` → `blog-x`, `/` → `home`: the name of a page's picture. */
const imageName = (path: string): string => path.replaceAll('/', '-').slice(1) || 'home'

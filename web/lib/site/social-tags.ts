/** The tags from which previews of a link are drawn. Only the server's pages are written with them, so the browser loads this after a navigation. */
import { type Language, LOCALES } from '#contract/languages.ts'
import { siteOrigin } from './origin.ts'

export type SocialPage = {
  title: string
  description: string
  path: string
  url: string
  type: 'website' | 'article' | undefined
  image: string | undefined
  imageAlt: string | undefined
  language: Language
  siteName: string
  /** Of the image that `npm run social-images` drew for each page and language. */
  socialAlt: string
}

export function socialTags({ title, description, path, url, type, image, imageAlt, language, siteName, socialAlt }: SocialPage) {
  const imageUrl = `${siteOrigin()}${image ?? `/social/${socialName(path)}-${language}.png`}`
  return {
    'og:type': type ?? 'website',
    'og:site_name': siteName,
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:locale': LOCALES[language],
    'og:image': imageUrl,
    'og:image:alt': imageAlt ?? socialAlt,
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': imageUrl,
  }
}

/** Open Graph has its own attribute. */
export const attributeOf = (name: string) => (name.startsWith('og:') ? 'property' : 'name')

/** Changes the tags of the served page to those of `page`. */
export function updateTags(page: SocialPage): void {
  for (const [name, content] of Object.entries(socialTags(page)))
    document.querySelector(`meta[${attributeOf(name)}="${name}"]`)?.setAttribute('content', content)
}

/** `/blog/x` → `blog-x`, `/` → `home`: the name of a page's social image. */
function socialName(path: string): string {
  return path.replaceAll('/', '-').slice(1) || 'home'
}

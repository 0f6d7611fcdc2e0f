/** Title, description and links of a page. React hoists them into `<head>` and keeps one of each. */
import { useEffect } from 'react'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, LOCALES, languageQuery } from '#contract/languages.ts'
import { useLanguage, useTexts } from '../i18n/i18n.tsx'
import { siteOrigin } from './origin.ts'
import { useSiteConfig } from './site-config.ts'

type Props = {
  title: string
  description: string
  /** Path of the page, e.g. `/blog`, for canonical and alternate links. */
  path: string
  /** Path of the social image. Default: the image that `npm run social-images` drew for this page and language. */
  image?: string
  imageAlt?: string
  type?: 'website' | 'article'
  /** Hides the page from search engines; such a page has no canonical link. */
  noindex?: boolean
}

/** URL of a page in a language. */
export function pageUrl(path: string, language: Language): string {
  return `${siteOrigin()}${path}${languageQuery(language)}`
}

/** `/blog/x` → `blog-x`, `/` → `home`: the name of a page's social image. */
function socialName(path: string): string {
  return path.replaceAll('/', '-').slice(1) || 'home'
}

export function Head({ title, description, path, image, imageAlt, type, noindex }: Props) {
  const { language } = useLanguage()
  const { keywords } = useTexts('meta')
  const url = pageUrl(path, language)
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {noindex ? <meta name="robots" content="noindex" /> : <IndexLinks path={path} url={url} keywords={keywords} />}
      {/* Pages that are hidden from search engines have no picture. */}
      <SocialTags
        title={title}
        description={description}
        url={url}
        type={type}
        path={noindex ? '/' : path}
        image={image}
        imageAlt={imageAlt}
      />
    </>
  )
}

function IndexLinks({ path, url, keywords }: { path: string; url: string; keywords: string }) {
  return (
    <>
      <meta name="keywords" content={keywords} />
      <link rel="canonical" href={url} />
      {LANGUAGES.map(language => (
        <link key={language} rel="alternate" hrefLang={language} href={pageUrl(path, language)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={pageUrl(path, DEFAULT_LANGUAGE)} />
    </>
  )
}

type SocialProps = Pick<Props, 'title' | 'description' | 'path'> & {
  url: string
  type: Props['type']
  image: string | undefined
  imageAlt: string | undefined
}

/**
 * What previews of a link show. Served pages have the tags; after a navigation within the application they are brought up to date, for browsers
 * that share the page they are on.
 */
function SocialTags({ title, description, url, type = 'website', path, image, imageAlt }: SocialProps) {
  const { language } = useLanguage()
  const { socialAlt } = useTexts('meta')
  const { siteName } = useSiteConfig()
  const imageUrl = `${siteOrigin()}${image ?? `/social/${socialName(path)}-${language}.png`}`
  const tags = {
    'og:type': type,
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
  useEffect(() => {
    for (const [name, content] of Object.entries(tags)) servedTag(name)?.setAttribute('content', content)
  })
  if (!import.meta.env.SSR) return null
  return (
    <>
      {Object.entries(tags).map(([name, content]) => (
        <meta key={name} {...{ [attributeOf(name)]: name }} content={content} />
      ))}
      {LANGUAGES.filter(other => other !== language).map(other => (
        <meta key={other} property="og:locale:alternate" content={LOCALES[other]} />
      ))}
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

/** Open Graph has its own attribute. */
const attributeOf = (name: string) => (name.startsWith('og:') ? 'property' : 'name')
const servedTag = (name: string) => document.querySelector(`meta[${attributeOf(name)}="${name}"]`)

/** Title, description and links of a page. React hoists them into `<head>` and keeps one of each. */
import { useEffect } from 'react'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, languageQuery } from '#contract/languages.ts'
import { useLanguage, useTexts } from '../i18n/i18n.tsx'
import { siteOrigin } from './origin.ts'
import { servedTags } from './served-tags.ts'
import { useSiteConfig } from './site-config.ts'
import type { SocialPage } from './social-tags.ts'

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

/**
 * The tags of the served page; after a navigation within the application they are brought up to date, for browsers that share the page they are
 * on.
 */
function SocialTags(props: Omit<SocialPage, 'language' | 'siteName' | 'socialAlt'>) {
  const { language } = useLanguage()
  const { socialAlt } = useTexts('meta')
  const { siteName } = useSiteConfig()
  const page = { ...props, language, siteName, socialAlt }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest follows from these
  useEffect(() => {
    // The page that was served has its own.
    if (document.querySelector('meta[property="og:title"]')?.getAttribute('content') !== page.title)
      import('./social-tags.ts').then(({ updateTags }) => updateTags(page)).catch(() => undefined)
  }, [page.title, page.url])
  return servedTags.render(page)
}

/** Title, description and links of a page. React hoists them into `<head>` and keeps one of each. */
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

export function Head({ title, description, path, image, imageAlt, type = 'website', noindex }: Props) {
  const { language } = useLanguage()
  const { keywords } = useTexts('meta')
  const url = pageUrl(path, language)
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {noindex ? <meta name="robots" content="noindex" /> : <IndexLinks path={path} url={url} keywords={keywords} />}
      {import.meta.env.SSR && (
        <SocialTags
          title={title}
          description={description}
          url={url}
          type={type}
          path={noindex ? '/' : path}
          image={image}
          imageAlt={imageAlt}
        />
      )}
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

type SocialProps = Pick<Props, 'title' | 'description' | 'path' | 'type'> & {
  url: string
  image: string | undefined
  imageAlt: string | undefined
}

/** Whoever makes a preview of a link asks the server for the page, so these stand in served pages only. A page nobody may find has no picture of its own. */
function SocialTags({ title, description, url, type, path, image, imageAlt }: SocialProps) {
  const { language } = useLanguage()
  const { socialAlt } = useTexts('meta')
  const imageUrl = `${siteOrigin()}${image ?? `/social/${socialName(path)}-${language}.png`}`
  return (
    <>
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={useSiteConfig().siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={LOCALES[language]} />
      {LANGUAGES.filter(other => other !== language).map(other => (
        <meta key={other} property="og:locale:alternate" content={LOCALES[other]} />
      ))}
      <meta property="og:image" content={imageUrl} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={imageAlt ?? socialAlt} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={imageUrl} />
    </>
  )
}

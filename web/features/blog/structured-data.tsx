/** Structured data of an article for search engines: schema.org Article, BreadcrumbList and FAQPage. */
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { pageUrl, siteOrigin } from '#web/lib/site/page-tags.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { Faq, PostMeta } from './post.ts'

/** Path of a post's social image in a language. */
export const socialImage = (post: PostMeta, language: string): string => `/social/${post.ogImage}-${language}.png`

export function ArticleData({ post, faq }: { post: PostMeta; faq: Faq[] }) {
  const words = useTexts('blog')
  const { language } = useLanguage()
  const { siteName } = useSiteConfig()
  const url = pageUrl(`/blog/${post.id}`, language)
  const imageUrl = siteOrigin() + socialImage(post, language)
  const steps = [
    { name: words.home, url: pageUrl('/', language) },
    { name: words.blog, url: pageUrl('/blog', language) },
    { name: post.title, url },
  ]
  return (
    <>
      <JsonLd data={articleData(post, { url, imageUrl, language, siteName, siteUrl: pageUrl('/', language) })} />
      <JsonLd data={breadcrumbData(steps)} />
      <JsonLd data={faqData(faq)} />
    </>
  )
}

function JsonLd({ data }: { data: unknown }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: data for machines, every < escaped; React would escape quotes too
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: inlineJson(data) }} />
}

const CONTEXT = 'https://schema.org'

/** Absolute addresses; `language` as in `<html lang>`. */
type Place = { url: string; imageUrl: string; language: string; siteName: string; siteUrl: string }

function articleData(post: PostMeta, place: Place) {
  return {
    '@context': CONTEXT,
    '@type': 'Article',
    headline: post.title,
    description: post.description,
    image: [place.imageUrl],
    datePublished: post.published,
    dateModified: post.published,
    inLanguage: place.language,
    articleSection: post.category,
    author: { '@type': 'Person', name: post.authorName, jobTitle: post.authorRole, url: place.siteUrl },
    publisher: { '@type': 'Organization', name: place.siteName, url: place.siteUrl },
    mainEntityOfPage: place.url,
  }
}

function breadcrumbData(steps: { name: string; url: string }[]) {
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, index) => ({ '@type': 'ListItem', position: index + 1, name, item: url })),
  }
}

function faqData(faq: Faq[]) {
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: faq.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}

/** JSON that is safe inside a script element: `<` is escaped because of `</script>` and `<!--` (HTML 4.12.1.3). */
const inlineJson = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

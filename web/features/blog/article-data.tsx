import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { pageUrl, siteOrigin } from '#web/lib/site/page-tags.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { Faq, PostMeta } from './post.ts'
import { articleData, breadcrumbData, faqData, inlineJson } from './structured-data.ts'

/** Path of a post's social image in a language. */
export function socialImage(post: PostMeta, language: string): string {
  return `/social/${post.ogImage}-${language}.png`
}

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

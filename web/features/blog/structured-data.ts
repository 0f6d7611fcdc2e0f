/** Structured data of an article for search engines: schema.org Article, BreadcrumbList and FAQPage. */
import type { Faq, PostMeta } from './post.ts'

const CONTEXT = 'https://schema.org'

/** Absolute addresses; `language` as in `<html lang>`. */
export type Place = { url: string; imageUrl: string; language: string; siteName: string; siteUrl: string }

export function articleData(post: PostMeta, place: Place) {
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

export function breadcrumbData(steps: { name: string; url: string }[]) {
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, index) => ({ '@type': 'ListItem', position: index + 1, name, item: url })),
  }
}

export function faqData(faq: Faq[]) {
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
export function inlineJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

import { prerender } from 'react-dom/static'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { LanguageProvider, loadTexts } from '#web/lib/i18n/i18n.tsx'
import { Router } from '#web/lib/routing/router.tsx'
import { BlogArticle } from './blog-article.tsx'
import { BlogList } from './blog-list.tsx'
import { findPost, listPosts, loadArticle } from './posts.ts'

async function html(language: Language, element: React.ReactNode): Promise<string> {
  await loadTexts(language, ['core', 'blog'])
  const { prelude } = await prerender(
    <Router path="/blog">
      <LanguageProvider initial={language}>{element}</LanguageProvider>
    </Router>,
    {
      onError: error => {
        throw error
      },
    },
  )
  return new Response(prelude).text()
}

test('without posts the list asks to come back soon', async () => {
  expect(await html('en', <BlogList posts={[]} />)).toContain('No blog posts yet. Check back soon!')
  expect(await html('es', <BlogList posts={[]} />)).toContain('Todavía no hay artículos.')
})

test.each(LANGUAGES)('%s: the list has a card for each post, newest first', async language => {
  const posts = listPosts(language)
  expect(posts.map(post => post.id)).toEqual(['identify-ai-phishing', 'why-use-temporary-email'])
  const page = await html(language, <BlogList />)
  for (const post of posts) {
    for (const shown of [post.category, post.title, post.description, post.date, post.readTime]) expect(page).toContain(shown)
  }
})

test('an unknown slug is not found, whatever it is called', () => {
  for (const slug of ['', 'nope', '../en/identify-ai-phishing', '__proto__', 'identify-ai-phishing.md'])
    expect(findPost('en', slug)).toBeUndefined()
})

describe.each(LANGUAGES)('%s articles', language => {
  test.each(listPosts(language).map(post => [post.id, post] as const))('%s is complete without scripts', async (_, post) => {
    const page = await html(language, <BlogArticle post={post} />)
    const { html: text, faq } = await loadArticle(language, post.id)
    expect(page).toContain(text)
    for (const shown of [post.title, post.description, post.date, post.readTime, post.imageAlt, post.authorName, post.authorBio])
      expect(page).toContain(shown)
    for (const { question } of faq) expect(page).toContain(question)
  })

  test.each(listPosts(language).map(post => [post.id, post] as const))('%s has structured data', async (_, post) => {
    const page = await html(language, <BlogArticle post={post} />)
    const data = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(match => JSON.parse(match[1] ?? ''))
    expect(data.map(item => item['@type'])).toEqual(['Article', 'BreadcrumbList', 'FAQPage'])
    expect(data[0]).toMatchObject({ headline: post.title, datePublished: post.published, inLanguage: language })
    expect(data[1].itemListElement).toHaveLength(3)
    expect(data[2].mainEntity).toHaveLength(3)
  })
})

import { prerender } from 'react-dom/static'
import { expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { LanguageProvider, loadTexts } from '#web/lib/i18n/i18n.tsx'
import { Router } from '#web/lib/routing/router.tsx'
import { BlogList } from './blog-list.tsx'
import { findPost, listPosts } from './posts.ts'

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

test.each(LANGUAGES)('%s: the newest post is first', language => {
  expect(listPosts(language).map(post => post.id)).toEqual(['identify-ai-phishing', 'why-use-temporary-email'])
})

test('an unknown slug is not found, whatever it is called', () => {
  for (const slug of ['', 'nope', '../en/identify-ai-phishing', '__proto__', 'identify-ai-phishing.md'])
    expect(findPost('en', slug)).toBeUndefined()
})

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider, loadTexts } from '#web/lib/i18n/i18n.tsx'
import { listPosts } from './posts.ts'
import { ArticleData } from './structured-data.tsx'

test('inline JSON cannot close or open a tag, and means the same', async () => {
  await loadTexts('en', ['core', 'blog'])
  const [post] = listPosts('en')
  if (!post) throw new Error('there is no article')
  const faq = [{ question: '</script><!-- <script>', answer: '<b>&amp;</b>' }]
  const data = createElement(ArticleData, { post, faq })
  const html = renderToStaticMarkup(createElement(LanguageProvider, { initial: 'en' } as Parameters<typeof LanguageProvider>[0], data))
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(([, json = '']) => JSON.parse(json))
  expect(scripts).toHaveLength(3)
  expect(html.match(/</g)).toHaveLength(6)
  expect(scripts[2].mainEntity[0]).toMatchObject({ name: faq[0]?.question, acceptedAnswer: { text: faq[0]?.answer } })
})

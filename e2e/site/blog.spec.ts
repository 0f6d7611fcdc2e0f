import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { LANGUAGES, type Language, languageQuery } from '#contract/languages.ts'
import { fillIn, LIFETIME_SECONDS, lifetimeTexts } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { blogViewsListSchema } from '#contract/site.ts'
import { mapTexts } from '#web/texts/catalog.ts'
import { blog as english } from '#web/texts/en/blog.ts'
import { blog as spanish } from '#web/texts/es/blog.ts'
import { articleFiles } from '../../scripts/blog/article-files.ts'
import { renderMarkdown } from '../../scripts/blog/render-markdown.ts'
import { expect, quickInEnglish, servedTest, test } from '../harness/fixtures.ts'

const texts = { en: english, es: spanish } satisfies Record<Language, unknown>
const SLUGS = ['identify-ai-phishing', 'why-use-temporary-email']
/** As they are with the default lifetime. */
const posts = (language: Language) => mapTexts(articleFiles(language), text => fillIn(text, lifetimeTexts(language, LIFETIME_SECONDS)))

const views = (page: Page) => page.getByTestId('views').first()

for (const language of LANGUAGES) {
  const words = texts[language]
  /** The language of a shared link stays in the URL if the browser would choose another. */
  const kept = languageQuery(language)

  test(`${language}: the list shows every post with its link`, quickInEnglish(language), async ({ page }) => {
    await page.goto(`/blog?lang=${language}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title)
    await expect(page.getByRole('navigation', { name: words.breadcrumb })).toBeVisible()
    await expect(page.getByRole('link', { name: words.callToAction.button })).toHaveAttribute('href', `/${kept}`)
    for (const { meta } of posts(language)) {
      const card = page.getByRole('article').filter({ hasText: meta.title })
      for (const shown of [meta.category, meta.description, meta.date, meta.readTime]) await expect(card).toContainText(shown)
      await card.getByRole('link', { name: words.readMore }).click()
      await expect(page).toHaveURL(`/blog/${meta.id}${kept}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(meta.title)
      await page.getByRole('link', { name: words.backToAll }).click()
      await expect(page).toHaveURL(`/blog${kept}`)
      // The URL changes before the page does.
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title)
    }
  })

  for (const { meta, body, faq } of posts(language)) {
    servedTest(`${language} ${meta.id}: whole in the served HTML, before any script`, async ({ request }) => {
      const html = await (await request.get(`/blog/${meta.id}?lang=${language}`)).text()
      expect(html).toContain(renderMarkdown(body))
      for (const shown of [meta.title, meta.description, meta.date, meta.readTime, meta.authorBio]) expect(html).toContain(shown)
      for (const { question, answer } of faq) {
        expect(html).toContain(question)
        expect(html).toContain(answer)
      }
      expect(html).toMatch(/<meta property="og:type" content="article"/)
    })

    servedTest(`${language} ${meta.id}: structured data says what it is`, async ({ request }) => {
      const html = await (await request.get(`/blog/${meta.id}?lang=${language}`)).text()
      const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(match => match[1] ?? '')
      const [article, breadcrumb, questions] = scripts.map(script => JSON.parse(script))
      expect(scripts).toHaveLength(3)
      expect(article).toMatchObject({ '@type': 'Article', headline: meta.title, datePublished: meta.published, inLanguage: language })
      expect(article.mainEntityOfPage).toMatch(/^https?:\/\//)
      expect(article.mainEntityOfPage.endsWith(`/blog/${meta.id}${kept}`)).toBe(true)
      expect((await request.get(new URL(article.image[0]).pathname)).headers()['content-type']).toBe('image/png')
      expect(breadcrumb).toMatchObject({ '@type': 'BreadcrumbList' })
      expect(breadcrumb.itemListElement.map((step: { position: number }) => step.position)).toEqual([1, 2, 3])
      expect(questions['@type']).toBe('FAQPage')
      expect(questions.mainEntity.map((item: { name: string }) => item.name)).toEqual(faq.map(item => item.question))
    })

    // The other language of an article differs in its words alone, which are served.
    if (SLUGS.indexOf(meta.id) !== LANGUAGES.indexOf(language)) continue
    test(`${language} ${meta.id}: hero, author, related article and views in a browser`, async ({ page }) => {
      await page.goto(`/blog/${meta.id}?lang=${language}`)
      await expect(page.getByRole('img', { name: meta.imageAlt })).toBeVisible()
      await expect(page.getByRole('complementary', { name: words.author })).toContainText(meta.authorBio)
      await expect(views(page)).toBeVisible()
      const other = posts(language).find(post => post.meta.id !== meta.id)?.meta.title ?? ''
      const related = page.getByRole('region', { name: words.related })
      await related.getByRole('link', { name: other, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(other)
      expect(await page.evaluate(() => scrollY)).toBe(0)
    })
  }
}

test('a link inside an article opens without reloading the page', async ({ page }) => {
  await page.goto('/blog/why-use-temporary-email')
  // Until the page is alive, a link loads the next one.
  await expect(views(page)).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.locator('.article a[href="/blog/identify-ai-phishing"]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How to identify AI phishing')
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('the language menu changes the article in place', async ({ page }) => {
  await page.goto('/blog/identify-ai-phishing?lang=en')
  await expect(views(page)).toBeVisible()
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('menuitemradio', { name: 'Español' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cómo reconocer el phishing hecho con IA')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
})

test('opening an article counts its reader once, and the list shows the count', async ({ page, request }) => {
  const slug = SLUGS[0] ?? ''
  const countNow = async () => {
    const list = z.parse(blogViewsListSchema, await (await request.get(routes.blogViews)).json())
    return list.posts.find(post => post.slug === slug)?.views ?? 0
  }
  const before = await countNow()
  const sent: string[] = []
  page.on('request', asked => {
    if (asked.method() === 'POST' && asked.url().includes(routes.blogViews)) sent.push(asked.url())
  })
  await page.goto('/blog')
  await page.getByRole('article').filter({ hasText: 'AI phishing' }).getByRole('link', { name: 'Read More' }).click()
  await expect(views(page)).toBeVisible()
  await page.getByRole('link', { name: english.backToAll }).click()
  await page.getByRole('article').filter({ hasText: 'AI phishing' }).getByRole('link', { name: 'Read More' }).click()
  await expect(views(page)).toBeVisible()
  expect(sent).toHaveLength(1)
  expect(await countNow()).toBeGreaterThanOrEqual(before + 1)
  await page.goto('/blog')
  const card = page.getByRole('article').filter({ hasText: 'AI phishing' })
  await expect(card.getByTestId('views')).toContainText(/\d+ views?/)
})

test('an article that nobody has opened yet has no views', async ({ page }) => {
  await page.route(`**${routes.blogViews}`, route => route.fulfill({ json: { posts: [] } }))
  await page.goto('/blog?lang=en')
  const views = page.getByRole('article').getByTestId('views')
  await expect(views.first()).toContainText('0 views')
  for (const text of await views.allTextContents()) expect(text).toMatch(/(?:^|\D)0 views/)
})

test('a failure of the view counts does not affect the page', async ({ page, noise }) => {
  noise.allow(/Failed to load resource/, /view counts could not be read/, /view could not be counted/, /views could not be read/)
  await page.route(`**${routes.blogViews}**`, route => route.fulfill({ status: 503, body: 'no' }))
  await page.goto('/blog')
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('link', { name: 'How to identify AI phishing', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How to identify AI phishing')
  await expect(views(page)).toBeHidden()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('an unknown slug is a 404', async ({ page, noise }) => {
  noise.allow(/Failed to load resource: the server responded with a status of 404/, /404: there is no page at/)
  const response = await page.goto('/blog/no-such-article')
  expect(response?.status()).toBe(404)
  await expect(page.getByText("Oops! This page doesn't exist")).toBeVisible()
})

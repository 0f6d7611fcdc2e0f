/** Routes, header, footer and the lower sections of the home page. */
import { readFileSync } from 'node:fs'
import { homeSections } from '#web/texts/en/home.ts'
import { settle } from '../harness/checks.ts'
import { expect, servedTest, test, WITH_MOTION } from '../harness/fixtures.ts'
import { NOT_FOUND_NOISE, walks } from '../harness/pages.ts'

test.use(WITH_MOTION)

const LAST_QUESTION = homeSections.faq.items.at(-1)?.question ?? ''

test('/ad leads home and leaves no entry in the history', async ({ page }) => {
  await page.goto('/blog')
  await page.goto('/ad')
  await expect(page).toHaveURL(url => url.pathname === '/')
  await page.goBack()
  await expect(page).toHaveURL(url => url.pathname === '/blog')
})

test('the 404 page says so, logs to the console, and leads home', async ({ page, noise }) => {
  noise.allow(...NOT_FOUND_NOISE)
  const logged = page.waitForEvent('console', message => message.text().includes('404: there is no page at /no/such/page'))
  await page.goto('/no/such/page?lang=en')
  await logged
  await expect(page.getByText("Oops! This page doesn't exist")).toBeVisible()
  await expect(page.locator('head meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/')
  await expect(page.locator('meta[name=robots]')).toHaveCount(0)
})

test('every change of route starts at the top', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click()
  await expect(page.locator('head link[rel=canonical]')).toHaveAttribute('href', /\/contact$/)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test.describe('the lower sections of the home page', () => {
  test('are served as text, and their code is loaded only when they come near', async ({ page }) => {
    const scripts: string[] = []
    page.on('request', request => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto('/?lang=en')
    await expect(page.getByText(LAST_QUESTION)).toBeAttached()
    await expect(page.getByTestId('address')).toBeVisible()
    expect(scripts.filter(url => /home-sections/.test(url))).toEqual([])
    await page.getByText(LAST_QUESTION).scrollIntoViewIfNeeded()
    await expect.poll(() => scripts.some(url => /home-sections/.test(url))).toBe(true)
  })

  test('have four steps, six use cases and eight questions that open', async ({ page }) => {
    await page.goto('/?lang=en')
    await settle(page)
    await expect(page.locator('main ol > li')).toHaveCount(4)
    await expect(page.locator('main dl > div')).toHaveCount(6)
    await expect(page.locator('details')).toHaveCount(8)
    await page.getByText(LAST_QUESTION).click()
    await expect(page.locator('details[open]')).toContainText(homeSections.faq.items.at(-1)?.answer ?? '')
  })

  test('end with a call to action that scrolls to the inbox', async ({ page }) => {
    await page.goto('/?lang=en')
    await page.getByRole('link', { name: homeSections.callToAction.button }).click()
    // At the top of the screen, with the margin that the style sheet leaves above it.
    await expect.poll(() => page.locator('#inbox').evaluate(inbox => Math.abs(inbox.getBoundingClientRect().top))).toBeLessThan(60)
  })
})

test.describe('with another limit of the operator', () => {
  test.use({ serverEnv: { MESSAGE_BYTES_MAX: String(10 * 1024 * 1024) } })

  test('the questions say how large a message may be here', async ({ page }) => {
    await page.goto('/?lang=en')
    await settle(page)
    await page.getByText('Can I receive attachments?').click()
    await expect(page.locator('details[open]')).toContainText('Yes, up to 10 MB a message. They are always downloaded')
  })
})

test('the questions are there for who captures the page, prints it or scrolls fast', async ({ page }) => {
  await page.goto('/?lang=en')
  const question = page.getByText(homeSections.faq.items[0]?.question ?? '')
  const isDrawn = () => question.evaluate(element => element.checkVisibility({ contentVisibilityAuto: true }))
  await page.emulateMedia({ media: 'print' })
  expect(await isDrawn(), 'on paper').toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(isDrawn, 'without scrolling').toBe(true)
})

test('the footer has its links and the year 2024', async ({ page }) => {
  await page.goto('/?lang=en')
  const footer = page.getByRole('contentinfo')
  for (const [name, href] of [
    ['About us', '/'],
    ['Blog', '/blog'],
    ['Contact', '/contact'],
    ['FAQ', '/blog/why-use-temporary-email'],
    ['Use it in your browser', '/extension'],
  ] as const) {
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  }
  await expect(footer.getByRole('link', { name: 'API', exact: true })).toHaveAttribute('href', '/api/docs')
  await expect(footer.getByRole('link', { name: 'Our partner site' })).toHaveAttribute('href', 'https://www.privacyguides.org/')
  await expect(footer).toContainText('2024')
})

servedTest('the page about the extension offers it as it was built', async ({ request }) => {
  const [, path = ''] = /href="([^"]+\.zip)" download/.exec(await (await request.get('/extension?lang=en')).text()) ?? []
  const response = await request.get(path)
  expect(response.headers()['content-type']).toBe('application/zip')
  const archive = await response.body()
  const built = new URL('../../dist/extension/', import.meta.url)
  for (const name of ['manifest.json', 'background.js', 'popup.js', '_locales/es/messages.json']) {
    // Nothing is compressed, so each file is in it as it is, behind its name.
    const file = Buffer.concat([Buffer.from(name), readFileSync(new URL(name, built))])
    expect(archive.includes(file), name).toBe(true)
  }
  // Its colours are those of the theme, by day and by night, and not what more contrast makes of them.
  const colours = readFileSync(new URL('popup.css', built), 'utf8').match(/--[\w-]+:[^;}]*/g) ?? []
  expect(colours.length).toBeGreaterThan(10)
  expect(colours.filter(colour => !/:(?:light-dark\(|var\(--)/.test(colour))).toEqual([])
})

test.describe('with an operator’s name', { tag: '@long' }, () => {
  test.use({ serverEnv: { OPERATOR_NAME: 'Club Náutico', SOURCE_URL: 'https://git.example/mayfly' } })

  test('privacy and terms show it in both languages, and the footer links to both and to the source', async ({ page }) => {
    await page.goto('/?lang=es')
    const footer = page.getByRole('contentinfo')
    await footer.scrollIntoViewIfNeeded()
    await expect(footer.getByRole('link', { name: 'Código fuente' })).toHaveAttribute('href', 'https://git.example/mayfly')
    await footer.getByRole('link', { name: 'Privacidad' }).click()
    await expect(page.getByText('Club Náutico gestiona este servicio y responde de él.')).toBeVisible()
    await page.goto('/terms?lang=en')
    await expect(page.getByText('Club Náutico runs this service. By using it you agree to this page.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'support@in.example.com' })).toBeVisible()
  })
})

test('without an operator’s name privacy and terms nowhere claim that somebody answers for the service', async ({ page }) => {
  for (const [path, text] of [
    ['/privacy?lang=en', 'What is kept, for how long, and who can see it. Questions: support@in.example.com'],
    ['/terms?lang=en', 'By using this site you agree to these terms. Questions: support@in.example.com'],
    ['/privacy?lang=es', 'Qué se guarda, cuánto tiempo y quién puede verlo. Preguntas: support@in.example.com'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByTestId('operator')).toHaveText(text)
    await expect(page.getByTestId('operator').getByRole('link')).toHaveAttribute('href', 'mailto:support@in.example.com')
    await expect(page.getByRole('main')).not.toContainText(/answers for|responde de/)
  }
})

test.describe('with messages kept for a month', { tag: '@long' }, () => {
  test.use({ serverEnv: { CONTACT_DAYS: '30' } })

  test('privacy names the days, and the served page no other period or address', async ({ page, request }) => {
    for (const language of ['en', 'es']) {
      const served = await (await request.get(`/privacy?lang=${language}`)).text()
      expect(served).toContain(
        language === 'en'
          ? 'as a report of abuse is kept for a limited time, with'
          : 'como denuncia de abuso se guarda un tiempo limitado, con',
      )
      expect(served.slice(served.indexOf('<main'))).not.toContain('@in.example.com')
    }
    await page.goto('/privacy?lang=en')
    await expect(page.getByText('as a report of abuse is kept for 30 days at most, with')).toBeVisible()
    await page.goto('/privacy?lang=es')
    await expect(page.getByText('como denuncia de abuso se guarda 30 días como máximo, con')).toBeVisible()
  })
})

test('the header hides its contact link on small screens', async ({ page }) => {
  await page.goto('/?lang=en')
  const contact = page.getByRole('banner').getByRole('link', { name: 'Contact' })
  await expect(contact).toBeVisible()
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(contact).toBeHidden()
})

servedTest('crawlers find robots.txt, a sitemap with every page in both languages, and llms.txt', async ({ request }) => {
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m)
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const pages = walks.filter(walk => !walk.isPrivate)
  expect(sitemap.match(/<loc>/g)).toHaveLength(pages.length)
  expect(sitemap).not.toContain('mayfly.invalid')
  expect(await (await request.get('/llms.txt')).text()).toMatch(/^# Mayfly/)
})

test('after a navigation within the site the tags of a link preview are those of the page that is open', async ({ page }) => {
  await page.goto('/?lang=en')
  const tag = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content')
  const home = await tag('og:title')
  await page.getByRole('navigation').first().getByRole('link', { name: 'Blog' }).click()
  await expect(page).toHaveURL(/\/blog/)
  await expect.poll(() => tag('og:title')).not.toBe(home)
  expect(await tag('og:title')).toBe(await page.title())
  expect(await tag('og:url')).toMatch(/\/blog/)
  expect(await tag('og:image')).toMatch(/\/social\/blog-en\.png$/)
})

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { LANGUAGES } from '#contract/limits.ts'
import { homeSections } from '#web/texts/en/home-sections.ts'
import { homeSections as homeSectionsInSpanish } from '#web/texts/es/home-sections.ts'
import { expect, test } from './fixtures.ts'
import { WIDTHS_PX, walks } from './pages.ts'

const LAST_QUESTION = homeSections.faq.items.at(-1)?.question ?? ''
const NOT_FOUND_NOISE = [/Failed to load resource: the server responded with a status of 404/, /404: there is no page at/]

/** At rest: fonts are there, nothing moves any more, and the lazy sections have been passed once. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise(resolve => setTimeout(resolve, 60))
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await document.fonts.ready
    // The home page's stream of new mail never ends, so the network is never idle: what moves has come to rest instead.
    await Promise.allSettled(
      document.getAnimations().map(animation => (animation.effect?.getTiming().iterations === 1 ? animation.finished : undefined)),
    )
  })
}

for (const { language, path, url, isMissing, isPrivate } of walks) {
  test.describe(`${path} in ${language}`, () => {
    test.beforeEach(({ noise }) => {
      if (isMissing) noise.allow(...NOT_FOUND_NOISE)
    })

    test('is served with its text and its metadata, without running a script', async ({ request }) => {
      const response = await request.get(url)
      expect(response.status()).toBe(isMissing ? 404 : 200)
      const html = await response.text()
      expect(html).toContain(`<html lang="${language}"`)
      expect(html).not.toContain('mayfly.invalid')
      expect(html.match(/<title>[^<]{10,}<\/title>/g)).toHaveLength(1)
      expect(html.match(/<meta name="description" content="[^"]{20,}"/g)).toHaveLength(1)
      expect(html.match(/<h1[\s>]/g)).toHaveLength(1)
      for (const name of ['og:title', 'og:description', 'og:url', 'og:image', 'og:locale']) {
        expect(html.match(new RegExp(`<meta property="${name}" content="[^"]+"`, 'g')), name).toHaveLength(1)
      }
      expect(html.match(/<meta name="twitter:card" content="summary_large_image"/g)).toHaveLength(1)
      if (isPrivate) {
        expect(html).toContain('<meta name="robots" content="noindex"')
        expect(html).not.toContain('rel="canonical"')
        return
      }
      const suffix = language === 'es' ? '\\?lang=es' : ''
      expect(html).toMatch(new RegExp(`<link rel="canonical" href="https?://[^"/]+${path}${suffix}"`))
      for (const alternate of [...LANGUAGES, 'x-default']) {
        expect(html.match(new RegExp(`hreflang="${alternate}"`, 'gi')), alternate).toHaveLength(1)
      }
    })

    test('its social image exists and is 1200 by 630', async ({ request }) => {
      const html = await (await request.get(url)).text()
      const image = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
      const response = await request.get(new URL(image).pathname)
      expect(response.headers()['content-type']).toBe('image/png')
      const bytes = await response.body()
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    })

    test('never scrolls sideways', async ({ page }) => {
      await page.goto(url)
      for (const width of [320, ...WIDTHS_PX, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        await settle(page)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        expect(overflow, `${width} px`).toBe(0)
      }
    })

    for (const colorScheme of ['light', 'dark'] as const) {
      test(`axe finds nothing in ${colorScheme}`, async ({ page }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto(url)
        await settle(page)
        const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
        expect(violations.map(violation => `${violation.id}: ${violation.nodes.map(node => node.html).join('\n')}`)).toEqual([])
      })
    }

    test('has one of each in its head after hydration and moves nothing while it comes alive', async ({ page }) => {
      await page.addInitScript(() => {
        Reflect.set(window, 'shifted', 0)
        new PerformanceObserver(list => {
          for (const entry of list.getEntries())
            Reflect.set(window, 'shifted', Reflect.get(window, 'shifted') + Reflect.get(entry, 'value'))
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(url)
      await settle(page)
      for (const selector of ['title', 'meta[name=description]', 'meta[property="og:title"]']) {
        await expect(page.locator(`head ${selector}`), selector).toHaveCount(1)
      }
      // A page that needs a session leads to /auth, which may be found.
      if (!isPrivate) await expect(page.locator('head link[rel=canonical]')).toHaveCount(1)
      expect(await page.evaluate(() => Reflect.get(window, 'shifted'))).toBeLessThan(0.05)
      // Alive: what only our script can do works on every page.
      await page.getByRole('banner').getByRole('button', { expanded: false }).last().click()
      await expect(page.getByRole('menu')).toBeVisible()
    })
  })
}

test('/ad leads home and leaves no step behind in the history', async ({ page }) => {
  await page.goto('/blog')
  await page.goto('/ad')
  await expect(page).toHaveURL(url => url.pathname === '/')
  await page.goBack()
  await expect(page).toHaveURL(url => url.pathname === '/blog')
})

test('the 404 page has the text of the specification, says so on the console, and leads home', async ({ page, noise }) => {
  noise.allow(...NOT_FOUND_NOISE)
  const logged = page.waitForEvent('console', message => message.text().includes('404: there is no page at /no/such/page'))
  await page.goto('/no/such/page?lang=en')
  await logged
  await expect(page.getByText("Oops! This page doesn't exist")).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/')
  await expect(page.locator('meta[name=robots]')).toHaveCount(0)
})

test.describe('language', () => {
  test('choosing one replaces history, is shown in uppercase, and is remembered', async ({ page }) => {
    await page.goto('/blog')
    await page.goto('/')
    const menu = page.getByRole('button', { name: /^Language:/ })
    await expect(menu).toHaveText('en')
    await expect(menu.locator('span')).toHaveCSS('text-transform', 'uppercase')
    await menu.click()
    await page.getByRole('menuitemradio', { name: 'Español' }).click()
    await expect(page).toHaveURL(url => url.searchParams.get('lang') === 'es')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Correo que vive diez minutos.')
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\?lang=es$/)
    expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('es')
    await page.goBack()
    await expect(page).toHaveURL(url => url.pathname === '/blog')
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  })

  test('the sections that were not yet near change with the rest', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto('/?lang=en')
    await page.getByRole('button', { name: /^Language:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Español' }).click()
    await expect(page.getByRole('heading', { name: homeSectionsInSpanish.faq.title })).toBeAttached()
    await expect(page.getByRole('heading', { name: homeSections.faq.title })).toHaveCount(0)
  })

  test('the menu can be walked by keyboard and left by Escape', async ({ page }) => {
    await page.goto('/')
    const button = page.getByRole('button', { name: /^Language:/ })
    await button.press('Enter')
    await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitemradio', { name: 'Español' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(button).toBeFocused()
  })

  test.describe('of a Spanish browser', () => {
    test.use({ locale: 'es-AR' })

    test('is Spanish without being asked, English when the parameter says so, and a stored choice outranks the browser', async ({
      page,
    }) => {
      await page.goto('/')
      await expect(page.locator('html')).toHaveAttribute('lang', 'es')
      await page.goto('/?lang=en')
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await page.evaluate(() => localStorage.setItem('lang', 'en'))
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mail that lives ten minutes.')
    })
  })

  test('anything but en and es is ignored', async ({ page }) => {
    await page.goto('/?lang=../../etc/passwd')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})

test('every change of route starts at the top', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click()
  await expect(page.locator('head link[rel=canonical]')).toHaveAttribute('href', /\/contact$/)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test.describe('the lower sections of the home page', () => {
  test('are served as text, and their code is fetched only when they come near', async ({ page }) => {
    const scripts: string[] = []
    page.on('request', request => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto('/?lang=en')
    await expect(page.getByText(LAST_QUESTION)).toBeAttached()
    await expect(page.getByTestId('address')).toBeVisible()
    expect(scripts.filter(url => /questions/.test(url))).toEqual([])
    await page.getByText(LAST_QUESTION).scrollIntoViewIfNeeded()
    await expect.poll(() => scripts.some(url => /questions/.test(url))).toBe(true)
  })

  test('hold four steps, six use cases and eight questions that open', async ({ page }) => {
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
    // At the top of the screen, whatever room the style leaves above it.
    await expect.poll(() => page.locator('#inbox').evaluate(inbox => Math.abs(inbox.getBoundingClientRect().top))).toBeLessThan(60)
  })
})

test('the footer has the links of the specification and its year', async ({ page }) => {
  await page.goto('/?lang=en')
  const footer = page.getByRole('contentinfo')
  for (const [name, href] of [
    ['About us', '/'],
    ['Blog', '/blog'],
    ['Contact', '/contact'],
    ['FAQ', '/blog/why-use-temporary-email'],
  ] as const) {
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  }
  await expect(footer.getByRole('link', { name: 'Our partner site' })).toHaveAttribute('href', 'https://www.privacyguides.org/')
  await expect(footer).toContainText('2024')
})

test('the header hides its contact link on small screens', async ({ page }) => {
  await page.goto('/?lang=en')
  const contact = page.getByRole('banner').getByRole('link', { name: 'Contact' })
  await expect(contact).toBeVisible()
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(contact).toBeHidden()
})

test('crawlers find robots.txt, a sitemap with every page in both languages, and llms.txt', async ({ request }) => {
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m)
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const pages = walks.filter(walk => !walk.isPrivate)
  expect(sitemap.match(/<loc>/g)).toHaveLength(pages.length)
  expect(sitemap).not.toContain('mayfly.invalid')
  expect(await (await request.get('/llms.txt')).text()).toMatch(/^# Mayfly/)
})

test.describe('installed', () => {
  test('launch mode and the install prompt are told to an analytics function, a second after the start', async ({ page }) => {
    await page.addInitScript(() => {
      const sent: unknown[] = []
      Object.assign(window, { sent, gtag: (...event: unknown[]) => void sent.push([performance.now(), ...event]) })
    })
    await page.goto('/contact')
    await page.evaluate(() => {
      const prompt = Object.assign(new Event('beforeinstallprompt'), { userChoice: Promise.resolve({ outcome: 'dismissed' }) })
      dispatchEvent(prompt)
      dispatchEvent(new Event('appinstalled'))
    })
    const names = () => page.evaluate(() => (Reflect.get(window, 'sent') as [number, string, string, object][]).map(([, , name]) => name))
    await expect.poll(names).toContain('pwa_launch_mode')
    expect((await names()).toSorted()).toEqual(['pwa_install_dismissed', 'pwa_install_prompt_shown', 'pwa_installed', 'pwa_launch_mode'])
    const sent = await page.evaluate(() => Reflect.get(window, 'sent') as [number, string, string, object][])
    expect(sent.find(([, , name]) => name === 'pwa_launch_mode')?.[3]).toEqual({ display_mode: 'browser' })
    expect(Math.min(...sent.map(([sentAtMs]) => sentAtMs))).toBeGreaterThan(1000)
  })

  test('the manifest and its icons are there', async ({ request }) => {
    const manifest = await (await request.get('/manifest.webmanifest')).json()
    for (const icon of manifest.icons) {
      const bytes = await (await request.get(icon.src)).body()
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(icon.sizes)
    }
  })

  test('without a network a page that was seen opens, another says why it does not', async ({ page, context, noise }) => {
    noise.allow(/net::ERR_INTERNET_DISCONNECTED/, /Failed to fetch/, /offline/i)
    await page.goto('/contact?lang=en')
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
      if (!navigator.serviceWorker.controller) {
        await new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
      }
    })
    await page.reload()
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('You are offline.')).toBeVisible()
    await page.goto('/blog?lang=es')
    await expect(page.getByRole('heading', { name: 'No tienes conexión' })).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Intentarlo de nuevo' }).click()
    await expect(page.getByRole('heading', { name: 'No tienes conexión' })).toHaveCount(0)
  })
})

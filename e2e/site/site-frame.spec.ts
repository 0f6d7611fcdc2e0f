/** The header, the hero, the order of the home page and what it loads, in a browser. */
import { expect, quickInEnglish, test, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'

test.use(WITH_SERVICE_WORKER)

test('the hero has a headline, a sub-headline and three points; on small screens the points repeat below the inbox', async ({ page }) => {
  const POINTS = ['Anonymous', 'Auto-destroy', 'Instant']
  await page.goto('/?lang=en')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mail that lives ten minutes.')
  await expect(page.getByText('A free temporary email address, yours at once.')).toBeVisible()
  const lists = page.getByRole('list', { name: 'What you get' })
  await expect(lists).toHaveCount(1)
  await expect(lists.getByRole('listitem').locator('strong')).toHaveText(POINTS)

  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 640 })
    await expect(page.getByText('A free temporary email address, yours at once.')).toBeVisible()
    await expect(lists).toHaveCount(2)
    for (const list of await lists.all()) await expect(list.getByRole('listitem').locator('strong')).toHaveText(POINTS)
    const edge = (selector: string, side: 'top' | 'bottom') =>
      page.locator(selector).evaluate((element, side) => element.getBoundingClientRect()[side], side)
    expect((await lists.first().boundingBox())?.y).toBeLessThan(await edge('#email-generator', 'top'))
    expect((await lists.last().boundingBox())?.y).toBeGreaterThan(await edge('#inbox', 'bottom'))
  }
})

for (const language of ['en', 'es'] as const) {
  test(
    `the first screen of a small phone has address, copy, time left and the newest mail (${language})`,
    quickInEnglish(language),
    async ({ page, sendMail }) => {
      await page.setViewportSize({ width: 360, height: 640 })
      await page.goto(`/?lang=${language}`)
      await sendMail(mailTo(await addressOn(page)))
      const copy = page.getByRole('button', { name: language === 'en' ? 'Copy address' : 'Copiar dirección' })
      const sender = page.locator('[data-message] button').first()
      for (const part of [page.getByTestId('address'), copy, page.getByTestId('countdown'), sender]) {
        await expect(part).toBeInViewport({ ratio: 1 })
      }
      expect(await page.evaluate(() => scrollY)).toBe(0)
    },
  )
}

for (const language of ['en', 'es'] as const) {
  test(`on its side the buttons of a phone stand apart, within the card (${language})`, quickInEnglish(language), async ({ page }) => {
    await page.goto(`/?lang=${language}`)
    await addressOn(page)
    for (const [width, height] of [
      [640, 360],
      [640, 400],
      [667, 375],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height })
      const boxes = await page.locator('.card-actions button:visible').evaluateAll(all => all.map(each => each.getBoundingClientRect()))
      const card = await page.locator('.card').boundingBox()
      const gaps = boxes.map(({ right }, at) => Math.round((boxes[at + 1]?.left ?? (card?.x ?? 0) + (card?.width ?? 0)) - right))
      expect(Math.min(...gaps), `${width} × ${height}: ${gaps}`).toBeGreaterThanOrEqual(4)
    }
  })
}

test('until the typefaces of the site arrive its headline and its name are bold', async ({ page, noise }) => {
  noise.allow(/ERR_FAILED \(\S+\.woff2\)/)
  await page.route('**/*.woff2', route => route.abort())
  await page.goto('/?lang=en')
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('DOM.enable')
  await devTools.send('CSS.enable')
  const { root } = await devTools.send('DOM.getDocument')
  for (const selector of ['h1', 'header[data-site] > a']) {
    const { nodeId } = await devTools.send('DOM.querySelector', { nodeId: root.nodeId, selector })
    const { fonts } = await devTools.send('CSS.getPlatformFontsForNode', { nodeId })
    expect(
      fonts.map(({ postScriptName }) => postScriptName),
      selector,
    ).toEqual([expect.stringMatching(/Bold|Semi/)])
  }
})

test('countdown, address, copy, generate, security strip and inbox follow each other', async ({ page }) => {
  await page.goto('/?lang=en')
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@/)
  const parts = [
    page.getByTestId('countdown'),
    page.getByTestId('address'),
    page.getByRole('button', { name: 'Copy address' }),
    page.getByRole('button', { name: 'Generate new' }),
    page.getByRole('region', { name: 'Security status' }),
    page.getByRole('button', { name: 'Refresh' }),
  ]
  const tops = await Promise.all(parts.map(async part => (await part.boundingBox())?.y ?? 0))
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
})

test('lazy sections are observed with 200 px and 0.01', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: object[] = []
    const Observer = window.IntersectionObserver
    class Recording extends Observer {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super(callback, options)
        seen.push({ ...options })
      }
    }
    Object.assign(window, { seen, IntersectionObserver: Recording })
  })
  await page.goto('/?lang=en')
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'seen')))
    .toEqual(expect.arrayContaining(Array(3).fill({ rootMargin: '200px', threshold: 0.01 })))
})

test('the service worker is /sw.js', async ({ page, baseURL }) => {
  await page.goto('/contact')
  const script = await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)
  expect(script).toBe(`${baseURL}/sw.js`)
})

test('a service worker that cannot be registered is ignored', async ({ page }) => {
  await page.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = path => {
      Object.assign(window, { tried: path })
      return Promise.reject(new Error('refused for the test'))
    }
  })
  await page.goto('/contact?lang=en')
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'tried'))).toBe('/sw.js')
  // The console stays silent (see the fixtures), and the page works.
  await page.getByRole('banner').getByRole('button', { name: 'Language: English' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
})

test('an installed page reports that it runs standalone', async ({ page }) => {
  await page.addInitScript(() => {
    const sent: unknown[] = []
    Object.defineProperty(navigator, 'standalone', { value: true })
    Object.assign(window, { sent, gtag: (_: string, name: string, params: object) => void sent.push([name, params]) })
  })
  await page.goto('/contact')
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'sent'))).toEqual([['pwa_launch_mode', { display_mode: 'standalone' }]])
})

test('each landmark of a page has a name of its own', async ({ page }) => {
  for (const path of ['/', '/auth', '/contact', '/privacy', '/extension', '/blog', '/blog/identify-ai-phishing']) {
    await page.goto(`${path}?lang=en`)
    await expect(page.getByRole('contentinfo')).toBeAttached()
    const lines = (await page.locator('body').ariaSnapshot()).split('\n').map(line => line.trim())
    const landmarks = lines.filter(line => /^- (?:navigation|region|complementary|banner|main|contentinfo)\b/.test(line))
    expect(landmarks.length).toBeGreaterThan(4)
    expect(landmarks, path).toEqual([...new Set(landmarks)])
  }
})

/** A small script in the page requests the first address before the application has loaded. */
import type { Page } from '@playwright/test'
import { NEW_ADDRESSES } from '#contract/limits.ts'
import { expect, quickInEnglish, test, WITH_BOT_CHECK, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { withoutPageChallenge } from '../harness/page-challenge.ts'
import { liveAddress } from '../message/reader/reading.ts'

test.use({ serverEnv: WITH_BOT_CHECK })

/** What the page asks for, of an address and its bot check, with the status of each response. */
function watchRequests(page: Page): string[] {
  const asked: string[] = []
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (pathname === '/api/mailboxes' || pathname === '/api/bot-check/challenge') asked.push(`${response.status()} ${pathname}`)
  })
  return asked
}

/** As if the address of this browser had ended meanwhile. */
const forgetAddress = (page: Page) => page.evaluate(() => localStorage.removeItem('mayfly.mailbox'))

/** The page without its application, until the returned function is called. */
async function holdApplication(page: Page): Promise<() => void> {
  const application = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async route => {
    await application.promise
    await route.continue()
  })
  return application.resolve
}

test('the first address can be copied before the application has loaded', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const posts: string[] = []
  const challenges: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
    if (request.url().includes('/challenge')) challenges.push(request.url())
  })
  const release = await holdApplication(page)
  const created = page.waitForResponse(response => new URL(response.url()).pathname === '/api/mailboxes')
  await page.goto('/?lang=en', { waitUntil: 'commit' })
  const { email } = await (await created).json()
  await expect(page.locator('[data-mailbox=restoring]')).toContainText(email)
  await page.getByRole('button', { name: 'Copy address' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(email)

  release()
  await expect(page.getByText('Email address copied to clipboard.')).toBeVisible()
  expect(await liveAddress(page)).toBe(email)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  expect(posts).toEqual(['/api/mailboxes'])
  expect(challenges, 'the page brings it').toEqual([])
  // It counts as an attempt like any other.
  await expect(page.getByRole('region', { name: 'Security status' })).toContainText(String(NEW_ADDRESSES.max - 1))
  await page.reload()
  expect(await liveAddress(page)).toBe(email)
  expect(posts).toEqual(['/api/mailboxes'])
})

test('a live address of an earlier visit is shown before the application has loaded', async ({ page }) => {
  await page.goto('/?lang=en')
  const email = await liveAddress(page)
  const release = await holdApplication(page)
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('[data-mailbox=restoring]')).toContainText(email)
  release()
  expect(await liveAddress(page)).toBe(email)
})

for (const [language, words] of [
  ['en', { notice: 'No mail can be shown', reload: 'Reload', copy: 'Copy address' }],
  ['es', { notice: 'No se puede mostrar ningún mensaje', reload: 'Recargar', copy: 'Copiar dirección' }],
] as const) {
  test(
    `an address whose mail cannot be shown does not look ready, because the application is blocked (${language})`,
    quickInEnglish(language),
    async ({ page, noise }) => {
      noise.allow(/Failed to load resource/)
      await page.route('**/assets/index-*.js', route => route.abort('blockedbyclient'))
      const created = page.waitForResponse(response => new URL(response.url()).pathname === '/api/mailboxes')
      await page.goto(`/?lang=${language}`)
      const { email } = await (await created).json()
      const notice = page.getByRole('alert').filter({ hasText: words.notice })
      await expect(notice).toContainText(email)
      await expect(page.getByRole('button', { name: words.copy })).toHaveCount(0)
      await page.unroute('**/assets/index-*.js')
      await notice.getByRole('button', { name: words.reload }).click()
      expect(await liveAddress(page, language)).toBe(email)
      await expect(notice).toHaveCount(0)
    },
  )
}

test('an application that does not come is told of after a few seconds, and may still come', async ({ page }) => {
  await page.clock.install()
  const release = await holdApplication(page)
  const created = page.waitForResponse(response => new URL(response.url()).pathname === '/api/mailboxes')
  await page.goto('/?lang=en', { waitUntil: 'commit' })
  const { email } = await (await created).json()
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeVisible()
  await page.clock.runFor(8000)
  await expect(page.getByRole('alert')).toContainText('No mail can be shown')
  await expect(page.getByRole('button', { name: 'Copy address' })).toHaveCount(0)
  release()
  expect(await liveAddress(page)).toBe(email)
  await expect(page.getByText('No mail can be shown')).toHaveCount(0)
})

test('a refused first address is not requested again before the time that the server names', async ({ page, noise }) => {
  noise.allow(/429/)
  let requests = 0
  await page.route('**/api/mailboxes', route => {
    requests += 1
    const problem = { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', retryAfterSeconds: 90 }
    return route.fulfill({ status: 429, headers: { 'retry-after': '90' }, contentType: 'application/problem+json', json: problem })
  })
  await page.goto('/?lang=en')
  await expect(page.getByText(/Please wait (?:90|89|88|87|86|85) seconds before generating another email/)).toBeVisible()
  await page.keyboard.press('g')
  await expect(page.getByText('Please wait before generating a new email').last()).toBeVisible()
  expect(requests).toBe(1)
})

test('an address that a full storage did not keep is never shown', async ({ page }) => {
  await page.addInitScript(key => {
    const { setItem } = Storage.prototype
    let isFull = true
    Storage.prototype.setItem = function (name, value) {
      if (name !== key || !isFull) return setItem.call(this, name, value)
      isFull = false
      throw new DOMException('the storage is full', 'QuotaExceededError')
    }
    const shown = new Set<string>()
    Object.assign(window, { shown })
    const note = () => {
      for (const [address] of (document.body?.innerText ?? '').matchAll(/[\w.-]+@[\w.-]+/g)) shown.add(address)
    }
    new MutationObserver(note).observe(document, { childList: true, characterData: true, subtree: true })
  }, 'mayfly.mailbox')
  const created: string[] = []
  page.on('response', async response => {
    if (new URL(response.url()).pathname === '/api/mailboxes') created.push((await response.json()).email)
  })
  const release = await holdApplication(page)
  await page.goto('/?lang=en', { waitUntil: 'commit' })
  await expect.poll(() => created.length).toBe(1)
  release()
  const address = await liveAddress(page)
  expect(address).not.toBe(created[0])
  const shown = await page.evaluate(() => [...Reflect.get(window, 'shown')])
  expect(shown).toContain(address)
  expect(shown).not.toContain(created[0])
})

test('where storage is refused the application alone requests an address', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('storage is refused', 'SecurityError')
      },
    })
  })
  const asked = watchRequests(page)
  await page.goto('/?lang=en')
  await liveAddress(page)
  expect(asked.filter(request => request === '201 /api/mailboxes')).toHaveLength(1)
})

test('only the home page requests an address, and tabs opened together request one', async ({ context }) => {
  const posts: string[] = []
  context.on('request', request => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
  const blog = await context.newPage()
  await blog.goto('/blog?lang=en')
  await blog.waitForLoadState('networkidle')
  expect(posts).not.toContain('/api/mailboxes')
  const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()])
  await Promise.all(tabs.map(tab => tab.goto('/?lang=en')))
  const addresses = await Promise.all(tabs.map(tab => liveAddress(tab)))
  expect(new Set(addresses).size).toBe(1)
  expect(posts.filter(path => path === '/api/mailboxes')).toHaveLength(1)
})

test('without the challenge in the page the script requests one', async ({ page }) => {
  const asked = watchRequests(page)
  await withoutPageChallenge(page)
  await page.goto('/?lang=en')
  await liveAddress(page)
  expect(asked).toEqual(['200 /api/bot-check/challenge', '201 /api/mailboxes'])
})

test('a reload brings a new challenge, although the page has not changed', { tag: '@long' }, async ({ page }) => {
  await page.goto('/?lang=en')
  const before = await liveAddress(page)
  await forgetAddress(page)
  const asked = watchRequests(page)
  const reloaded = await page.reload()
  expect(await liveAddress(page)).not.toBe(before)
  expect(asked).toEqual(['201 /api/mailboxes'])
  // The browser had the page: the server sent its headers only.
  expect((await reloaded?.request().sizes())?.responseBodySize).toBe(0)
})

test('a page from the history requests a challenge, because its own was used', { tag: '@long' }, async ({ page }) => {
  await page.goto('/?lang=en')
  const before = await liveAddress(page)
  await forgetAddress(page)
  await page.goto('/mail-frame')
  const asked = watchRequests(page)
  await page.goBack()
  expect(await liveAddress(page)).not.toBe(before)
  expect(asked).toEqual(['200 /api/bot-check/challenge', '201 /api/mailboxes'])
})

test('a challenge that was used is replaced silently and takes no attempt', { tag: '@long' }, async ({ page, noise }) => {
  noise.allow(/403/)
  let used: string | undefined
  await page.route(
    url => url.pathname === '/',
    async route => {
      // Playwright sends less than the browser would.
      const headers = { ...route.request().headers(), 'sec-fetch-mode': 'navigate', 'if-none-match': '' }
      const response = await route.fetch({ headers })
      used ??= response.headers()['server-timing']
      await route.fulfill({ response, headers: { ...response.headers(), 'server-timing': used ?? '' } })
    },
  )
  await page.goto('/?lang=en')
  const before = await liveAddress(page)
  await forgetAddress(page)
  const asked = watchRequests(page)
  await page.reload()
  expect(await liveAddress(page)).not.toBe(before)
  expect(asked).toEqual(['403 /api/mailboxes', '200 /api/bot-check/challenge', '201 /api/mailboxes'])
  await expect(page.locator('[data-toast=destructive]')).toHaveCount(0)
  // Two addresses, two attempts.
  await expect(page.getByRole('region', { name: 'Security status' })).toContainText('3')
})

test.describe('with the service worker', () => {
  test.use(WITH_SERVICE_WORKER)

  test('the challenge comes through the service worker, which does not keep it', { tag: '@long' }, async ({ page }) => {
    await page.goto('/?lang=en')
    const before = await liveAddress(page)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const keptHeaders = () =>
      page.evaluate(async () => {
        const kept = await caches.match('/?lang=en')
        return kept && [...kept.headers.keys()]
      })
    // The page of the first visit, which the worker has fetched itself, and then the one that came through it.
    await expect.poll(keptHeaders).toContain('content-security-policy')
    expect(await keptHeaders()).not.toContain('server-timing')
    await forgetAddress(page)
    const asked = watchRequests(page)
    await page.reload()
    expect(await liveAddress(page)).not.toBe(before)
    expect(asked).toEqual(['201 /api/mailboxes'])
    expect(await keptHeaders()).not.toContain('server-timing')
  })
})

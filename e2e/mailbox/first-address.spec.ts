/** A small script of its own requests the first address before the application has loaded. */
import type { Page } from '@playwright/test'
import { expect, test, WITH_BOT_CHECK } from '../harness/fixtures.ts'
import { liveAddress } from '../message/reader/reading.ts'

test.use({ serverEnv: WITH_BOT_CHECK })

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
  expect(challenges, 'the page asks for it ahead, once').toHaveLength(1)
  // It counts as an attempt like any other.
  await expect(page.getByRole('region', { name: 'Security status' })).toContainText('4')
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

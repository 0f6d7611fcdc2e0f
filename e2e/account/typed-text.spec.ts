/** Text that a visitor types as soon as a form takes it stays, however late the rest of the page comes. */
import type { ElementHandle, Page } from '@playwright/test'
import { signIn, test } from '../harness/account-fixtures.ts'
import { expect } from '../harness/fixtures.ts'

/** Holds back whatever the page asks for from now on. */
async function holdTheRest(page: Page): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>()
  await page.route('**/*', async route => {
    await released.promise
    await route.fallback()
  })
  return async () => {
    released.resolve()
    await page.waitForLoadState('networkidle')
  }
}

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    // React hides a page whose texts or code are missing, and the cursor is lost.
    const hides = ({ target }: MutationRecord) =>
      (target as HTMLElement).style.display === 'none' && (target as Element).querySelector('input')
    const watch = new MutationObserver(changes => changes.some(hides) && console.error('A form was hidden'))
    watch.observe(document, { subtree: true, attributes: true, attributeFilter: ['style'] })
  }),
)

const FIELDS = 'main input:not([type=checkbox], [readonly]), main textarea'

/** Returns a check that the same elements still have the text. More may come. */
async function typeEverywhere(page: Page): Promise<() => Promise<void>> {
  const fields = (await page.locator(FIELDS).elementHandles()) as ElementHandle<HTMLInputElement>[]
  const typed: ElementHandle<HTMLInputElement>[] = []
  for (const field of fields) {
    if (!(await field.isVisible())) continue
    await field.type('typed')
    typed.push(field)
  }
  expect(typed.length).toBeGreaterThan(0)
  return async () => {
    for (const field of typed) expect(await field.evaluate(({ isConnected, value }) => [isConnected, value])).toEqual([true, 'typed'])
  }
}

const LINK_TOKEN = 'a'.repeat(43)
const PATHS = ['/auth', '/auth#sign-up', '/auth/forgot-password', `/auth/confirm#${LINK_TOKEN}`, `/auth/new-password#${LINK_TOKEN}`]

for (const path of [...PATHS, '/contact', '/report']) {
  test(`typed text stays on ${path.replace(LINK_TOKEN, 'token')}`, async ({ page }) => {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.locator(FIELDS).first()).toBeEnabled()
    const release = await holdTheRest(page)
    const expectTyped = await typeEverywhere(page)
    await release()
    await expectTyped()
  })
}

test('typed text stays on /account', async ({ page, newAccount }) => {
  await signIn(page, await newAccount('typing@example.com'))
  await expect(page).toHaveURL('/')
  await page.goto('/account', { waitUntil: 'commit' })
  await expect(page.locator(FIELDS).first()).toBeEnabled()
  const release = await holdTheRest(page)
  const expectTyped = await typeEverywhere(page)
  await release()
  await expectTyped()
})

test('a tab shows its form before anything else can be typed', async ({ page }) => {
  await page.goto('/auth?lang=en')
  await expect(page.getByLabel('Email')).toBeEnabled()
  // A slow device drew the other form for a while, and then took its field away under what was being typed.
  const isSame = await page.evaluate(async () => {
    const field = () => document.querySelector('main input[type=email]')
    document.querySelectorAll<HTMLElement>('[role=tab]')[1]?.click()
    await Promise.resolve()
    const first = field()
    while (!document.querySelector('[role=tabpanel]:not([hidden])')?.textContent?.includes('min. 6'))
      await new Promise(requestAnimationFrame)
    return first === field()
  })
  expect(isSame).toBe(true)
})

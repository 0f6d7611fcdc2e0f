/** What a visitor types as soon as a form takes it stays, however late the rest of the page comes. */
import type { Page } from '@playwright/test'
import { createAccount, signIn } from '../harness/account-fixtures.ts'
import { expect, test } from '../harness/fixtures.ts'

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

const FIELDS = 'main input:not([type=checkbox], [readonly]), main textarea'

async function typeEverywhere(page: Page): Promise<void> {
  const fields = page.locator(FIELDS)
  await expect(fields.first()).toBeEnabled()
  for (const field of await fields.all()) {
    if (!(await field.isVisible())) continue
    await field.pressSequentially('typed')
    await field.evaluate(element => Object.assign(element, { isTyped: true }))
  }
}

/** The same elements, so that the cursor stays too. */
async function expectTyped(page: Page): Promise<void> {
  const seen = await page
    .locator(FIELDS)
    .evaluateAll(fields =>
      fields.filter(field => field.checkVisibility()).map(field => [Reflect.get(field, 'isTyped'), (field as HTMLInputElement).value]),
    )
  expect(seen.length).toBeGreaterThan(0)
  for (const field of seen) expect(field).toEqual([true, 'typed'])
}

const LINK_TOKEN = 'a'.repeat(43)
const PATHS = ['/auth', '/auth#sign-up', '/auth/forgot-password', `/auth/confirm#${LINK_TOKEN}`, `/auth/new-password#${LINK_TOKEN}`]

for (const path of [...PATHS, '/contact', '/report']) {
  test(`typed text stays on ${path.replace(LINK_TOKEN, 'token')}`, async ({ page }) => {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.locator(FIELDS).first()).toBeEnabled()
    const release = await holdTheRest(page)
    await typeEverywhere(page)
    await release()
    await expectTyped(page)
    // A change of language brings other texts to the same fields.
    await page.getByRole('button', { name: /language/i }).click()
    await page.getByRole('menuitemradio', { name: 'Español' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    await expectTyped(page)
  })
}

test('typed text stays on /account', async ({ page, recorder, baseURL }) => {
  const email = 'typing@example.com'
  await createAccount(page.request, recorder, email, baseURL)
  await signIn(page, email)
  await expect(page).toHaveURL('/')
  await page.goto('/account', { waitUntil: 'commit' })
  await expect(page.locator(FIELDS).first()).toBeEnabled()
  const release = await holdTheRest(page)
  await typeEverywhere(page)
  await release()
  await expectTyped(page)
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

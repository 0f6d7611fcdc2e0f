/** An operator may let the addresses of visitors live as long as those of accounts, or longer. */
import type { Page } from '@playwright/test'
import { routes } from '#contract/routes.ts'
import { signIn, test } from '../harness/account-fixtures.ts'
import { expect } from '../harness/fixtures.ts'
import { addressOn, waiveUndo } from '../harness/test-mail.ts'

test.use({ serverEnv: { LIFETIME_SECONDS: '604800' } })

const storedToken = () => JSON.parse(localStorage.getItem('mayfly.mailbox') ?? '{}').token as string

test('an address of seven days says which day it ends', async ({ page }) => {
  await page.goto('/?lang=es')
  await addressOn(page)
  await expect(page.getByText(/^Se borra dentro de 7 días a las\u00a0.+, con todos sus mensajes\.$/)).toBeVisible()
})

async function signOut(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('tab', { name: 'Sign in' })).toBeVisible()
  await page.goto('/?lang=en')
}

test('"Generate new" destroys the address of a visitor that lives for seven days', async ({ page, request }) => {
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  const headers = { authorization: `Bearer ${await page.evaluate(storedToken)}` }
  expect((await request.get(routes.mailbox, { headers })).status()).toBe(200)
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect.poll(() => addressOn(page)).not.toBe(address)
  await waiveUndo(page)
  await expect.poll(async () => (await request.get(routes.mailbox, { headers })).status()).toBe(404)
})

test('signing out keeps the address of a visitor, and forgets one of the account', async ({ page, newAccount }) => {
  await newAccount('week@example.com')
  await page.goto('/?lang=en')
  const visitors = await addressOn(page)
  await signIn(page, 'week@example.com')
  await expect(page).toHaveURL('/')
  expect(await addressOn(page)).toBe(visitors)
  await signOut(page)
  expect(await addressOn(page)).toBe(visitors)

  await signIn(page, 'week@example.com')
  await expect(page).toHaveURL('/')
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect.poll(() => addressOn(page)).not.toBe(visitors)
  await waiveUndo(page)
  const accounts = await addressOn(page)
  await signOut(page)
  expect(await addressOn(page)).not.toBe(accounts)
})

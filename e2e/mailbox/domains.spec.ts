/** A server with several domains, of which the visitor chooses one. */
import type { Page } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { openHome } from '../message/reader/reading.ts'

test.use({ serverEnv: { MAIL_DOMAINS: 'first.test,second.test' } })

async function choose(page: Page, domain: string): Promise<void> {
  await page.getByRole('button', { name: 'Domain' }).click()
  await page.getByRole('menuitemradio', { name: domain }).click()
}

async function refuse(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Domain' }).click()
  await page.getByRole('menuitem', { name: 'This site refuses it' }).click()
}

test('another domain gives an address there, and mail for it arrives', async ({ page, sendMail }) => {
  const first = await openHome(page)
  expect(first).toMatch(/@first\.test$/)
  await choose(page, 'second.test')
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@second\.test$/)
  await sendMail({ to: await addressOn(page), subject: 'For the second', text: 'here' })
  await expect(page.locator('[data-message]')).toHaveCount(1)
})

test('the chosen domain is kept, also for the address that comes with the page, while it is served', async ({ page }) => {
  await openHome(page)
  await choose(page, 'second.test')
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@second\.test$/)
  const created = () => page.waitForResponse(response => new URL(response.url()).pathname === '/api/mailboxes')
  await page.evaluate(() => localStorage.removeItem('mayfly.mailbox'))
  const [response] = await Promise.all([created(), page.reload()])
  expect(response.request().postDataJSON()).toMatchObject({ domain: 'second.test' })
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@second\.test$/)
})

test('a chosen domain that is no longer served costs nobody the address', async ({ page, noise }) => {
  noise.allow(/the server responded with a status of 4/)
  await page.addInitScript(() => localStorage.setItem('mayfly.domain', '"gone.test"'))
  await page.goto('/?lang=en')
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@first\.test$/)
  await page.getByRole('button', { name: 'Domain' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'first.test' })).toBeChecked()
})

test('an address that a site refuses is replaced by one at the next domain, and the old one can be had back', async ({
  page,
  sendMail,
}) => {
  const first = await openHome(page)
  const asked = page.waitForRequest(request => request.url().endsWith('/api/mailboxes') && request.method() === 'POST')
  await refuse(page)
  expect((await asked).postDataJSON()).toMatchObject({ insteadOf: 'first.test' })
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@second\.test$/)
  await sendMail({ to: await addressOn(page), subject: 'For the second', text: 'here' })
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await refuse(page)
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@first\.test$/)
  await page.getByRole('button', { name: /Undo/ }).click()
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@second\.test$/)
  expect(first).not.toBe('')
})

test('a chosen domain that the operator took away since the page was loaded fails once', async ({ page, noise }) => {
  noise.allow(/the server responded with a status of 422|ProblemError: domain_not_served/)
  await openHome(page)
  await page.route(
    '**/api/mailboxes',
    async route => route.continue({ postData: route.request().postData()?.replace('second.test', 'gone.test') }),
    {
      times: 1,
    },
  )
  const answered = page.waitForResponse(response => new URL(response.url()).pathname === '/api/mailboxes')
  await choose(page, 'second.test')
  expect((await answered).status()).toBe(422)
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@first\.test$/)
  expect(await page.evaluate(() => localStorage.getItem('mayfly.domain'))).toBe('""')
})

test.describe('on a phone', () => {
  test.use({
    serverEnv: { MAIL_DOMAINS: 'first.test,a-domain-of-many-words-that-is-rather-long.test' },
    viewport: { width: 375, height: 720 },
  })

  test('the menu of domains stays clear of both edges, however long a domain is', async ({ page }) => {
    await openHome(page)
    await page.getByRole('button', { name: 'Domain' }).click()
    const box = await page.getByRole('menu').boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(20)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(355)
    await expect(page.getByRole('menu')).toHaveJSProperty('scrollWidth', await page.getByRole('menu').evaluate(menu => menu.clientWidth))
  })
})

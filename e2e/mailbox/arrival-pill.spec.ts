/** New mail whose row is outside the screen: a pill at the lower edge offers its code, or the way to it. */
import type { Page } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'

// The inbox begins below the screen.
test.use({ viewport: { width: 1280, height: 360 } })

const rows = (page: Page) => page.locator('[data-message]')

test('a code that arrives out of view can be copied from the pill, which is then gone', async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail({ to, subject: 'Your sign-in code', text: 'Your verification code is 481516.' })
  const pill = page.getByRole('button', { name: '481 516 · Copy code' })
  await expect(pill).toBeInViewport({ ratio: 1 })
  await pill.click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('481516')
  await expect(page.getByRole('button', { name: '481 516 · Copied' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^481 516 · / })).toHaveCount(0)
})

test('mail without a code is counted, a press scrolls to it, and what was seen is not announced again', async ({ page, sendMail }) => {
  await page.goto('/?lang=es')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('En directo')
  await sendMail({ to, subject: 'The first', text: 'See you tomorrow.' })
  await expect(page.getByRole('button', { name: '1 correo nuevo' })).toBeInViewport({ ratio: 1 })
  await sendMail({ to, subject: 'The second', text: 'See you tomorrow.' })
  const pill = page.getByRole('button', { name: '2 correos nuevos' })
  await pill.click()
  await expect(rows(page).first()).toBeInViewport({ ratio: 1 })
  await expect(pill).toHaveCount(0)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect(rows(page).first()).not.toBeInViewport()
  await expect(page.getByRole('button', { name: /correos? nuevos?$/ })).toHaveCount(0)
})

test('a mail whose row is on the screen needs no pill', async ({ page, sendMail }) => {
  await page.setViewportSize({ width: 1366, height: 625 })
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail({ to, subject: 'A note', text: 'See you tomorrow.' })
  // At the top of the page, on a laptop's screen without the bars of its browser.
  await expect(rows(page).first()).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(page.getByRole('button', { name: '1 new mail' })).toHaveCount(0)
})

/** Parts of the page whose code cannot be fetched: the network is gone, or a newer build replaced the files of the open page. */
import type { Page, Route } from '@playwright/test'
import { expect, test, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { openHome } from '../message/reader/reading.ts'

const MAIL = { subject: 'Welcome aboard', html: '<p>Your table is <b>booked</b>.</p>' }
const row = (page: Page) => page.getByRole('button', { name: 'Open “Welcome aboard”' })
const failedPart = (page: Page) => page.getByRole('alert').filter({ hasText: 'This part did not load' })

test.describe('after a new build', () => {
  const ASSETS = '**/assets/*.js'
  const OPENED = [
    ['the mail', (page: Page) => row(page).click(), '**/assets/home-message-*.js'],
    ['its HTML', (page: Page) => row(page).click(), '**/assets/html-view-*.js'],
    ['the hand-off dialog', (page: Page) => page.getByRole('button', { name: 'Open on phone' }).click(), '**/assets/hand-off-dialog-*.js'],
    ['the list of keys', (page: Page) => page.keyboard.press('?'), '**/assets/shortcuts-dialog-*.js'],
  ] as const

  for (const [part, open, files] of OPENED) {
    test(`only ${part} is missing, and the second try fetches the new build`, async ({ page, sendMail, noise }) => {
      noise.allow(/Failed to load resource/, /Failed to fetch dynamically imported module/)
      await page.route(files, route => route.fulfill({ status: 404, body: '' }))
      const to = await openHome(page)
      await sendMail({ to, ...MAIL })
      await expect(page.getByText(MAIL.subject).first()).toBeVisible()
      await open(page)
      await expect(failedPart(page)).toBeVisible()
      await expect(page.getByTestId('address')).toHaveAttribute('aria-label', to)
      await failedPart(page).getByRole('button', { name: 'Try again' }).click()
      await expect(failedPart(page)).toBeVisible()
      await page.unroute(files)
      await Promise.all([page.waitForEvent('load'), failedPart(page).getByRole('button', { name: 'Try again' }).click()])
      await expect(page.getByTestId('address')).toHaveAttribute('aria-label', to)
      await expect(failedPart(page)).toHaveCount(0)
    })
  }

  test('the first mail waits for the code of its row, and comes with the second try', async ({ page, sendMail, noise }) => {
    noise.allow(/Failed to load resource/, /Failed to fetch dynamically imported module/)
    const to = await openHome(page)
    await page.route('**/assets/inbox-row-*.js', route => route.fulfill({ status: 404, body: '' }))
    await sendMail({ to, ...MAIL })
    await expect(failedPart(page)).toBeVisible()
    await expect(page.getByTestId('address')).toHaveAttribute('aria-label', to)
    await page.unroute('**/assets/inbox-row-*.js')
    await failedPart(page).getByRole('button', { name: 'Try again' }).click()
    await expect(row(page)).toBeVisible()
    await expect(failedPart(page)).toHaveCount(0)
  })

  test('a file whose request the network ended is asked for again, and nobody hears of it', async ({ page, noise }) => {
    noise.allow(/Failed to load resource/)
    await openHome(page)
    await page.route('**/assets/shortcuts-dialog-*.js', route => route.abort('internetdisconnected'), { times: 1 })
    const isEnded = page.waitForEvent('requestfailed', request => request.url().includes('shortcuts-dialog'))
    await page.keyboard.press('?')
    await isEnded
    await expect(page.getByRole('dialog').or(failedPart(page))).toBeVisible()
    await expect(failedPart(page)).toHaveCount(0)
  })

  test('the offer of a new code comes, though the network ended the request for it', async ({ page, sendMail, noise }) => {
    noise.allow(/Failed to load resource/)
    // The inbox begins below the screen.
    await page.setViewportSize({ width: 1280, height: 360 })
    const to = await openHome(page)
    const cut = async (route: Route) => {
      // The page knows of the mail by then.
      await expect(page).toHaveTitle(/481 516/)
      await route.abort('internetdisconnected')
    }
    await page.route('**/assets/arrivals-*.js', cut, { times: 1 })
    const isEnded = page.waitForEvent('requestfailed', request => request.url().includes('arrivals'))
    await sendMail({ to, subject: 'Your code', text: 'Your verification code is 481516.' })
    await isEnded
    await expect(page.locator('.arrival').getByRole('button', { name: '481 516 Copy code' })).toBeVisible()
  })

  test('a part that did not load can be closed', async ({ page, noise }) => {
    noise.allow(/Failed to load resource/, /Failed to fetch dynamically imported module/)
    await openHome(page)
    await page.route(ASSETS, route => route.fulfill({ status: 404, body: '' }))
    await page.keyboard.press('?')
    await failedPart(page).getByRole('button', { name: 'Close' }).click()
    await expect(failedPart(page)).toHaveCount(0)
  })
})

test.describe('without a network', () => {
  test.use(WITH_SERVICE_WORKER)

  test('the first mail opens as a dialog that says why it is empty, and is there when the network is back', async ({
    page,
    context,
    sendMail,
    noise,
  }) => {
    noise.allow(/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/, /Failed to fetch/, /ProblemError/)
    const to = await openHome(page)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await expect.poll(() => page.evaluate(async () => (await caches.keys()).some(name => name.startsWith('mayfly-')))).toBe(true)
    await sendMail({ to, ...MAIL })
    await expect(page.getByText(MAIL.subject).first()).toBeVisible()
    await context.setOffline(true)
    await row(page).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.getByTestId('address')).toHaveAttribute('aria-label', to)
    await expect(page.getByText('This page did not load')).toHaveCount(0)
    await context.setOffline(false)
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('dialog')).toContainText(MAIL.subject)
  })
})

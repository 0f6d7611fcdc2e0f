/** What pages other than the inbox show of the address that a visitor has, and the end of the home page when it is over. */
import type { Page } from '@playwright/test'
import { expect, test, WITH_MOTION } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'
import { addressOn, mailTo, waiveUndo } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use(WITH_MOTION)

const inHeader = (page: Page) => page.getByRole('banner').getByTestId('live-address')
const closing = (page: Page) => page.locator('main .night')

/** Stops the page's clock. From here on only `page.clock` moves it. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2000)
}

test('the blog leads back to a live address, and says how long it lives', async ({ page }) => {
  const words = await loadWords('es')
  const { callToAction } = words.blog
  await page.goto('/blog?lang=es')
  await untilAlive(page)
  await expect(page.getByRole('link', { name: callToAction.button })).toBeVisible()
  await expect(inHeader(page)).toHaveCount(0)

  await page.goto('/?lang=es')
  const address = await addressOn(page)
  await expect(inHeader(page), 'the home page has its own clock').toHaveCount(0)
  await page.goto('/blog?lang=es')
  const offer = page.getByRole('complementary', { name: callToAction.live.label })
  await expect(offer).toContainText(/(10:00|9:\d\d)/)
  await expect(offer).toContainText(address)
  await expect(page.getByText(callToAction.title)).toBeHidden()
  await expect(inHeader(page)).toHaveAccessibleName(`${words.inbox.title}, ${words.mailbox.minutesLeft({ minutes: 10 })}`)
  await page.getByRole('link', { name: callToAction.live.button }).click()
  expect(await addressOn(page)).toBe(address)
})

for (const width of [320, 375, 1280]) {
  test(`the time left in the header moves nothing, and leads back to the inbox (${width} px)`, {
    tag: width === 375 ? [] : '@long',
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 720 })
    const places = () =>
      page
        .locator('header a:not([data-testid]), header button, main h1')
        .evaluateAll(shown => shown.map(element => JSON.stringify(element.getBoundingClientRect())))
    await page.goto('/contact?lang=en')
    await untilAlive(page)
    const without = await places()
    await page.goto('/?lang=en')
    const address = await addressOn(page)
    await page.goto('/contact?lang=en')
    await expect(inHeader(page)).toHaveText(/\d:\d\d$/)
    await expect(inHeader(page)).toBeInViewport({ ratio: 1 })
    expect(await places()).toEqual(without)
    await inHeader(page).click()
    expect(await addressOn(page)).toBe(address)
  })
}

test('the address leaves the header and the blog when it ends while the page is open', { tag: '@long' }, async ({ page }) => {
  await page.clock.install()
  await page.goto('/?lang=en')
  await addressOn(page)
  await page.goto('/blog?lang=en')
  await expect(inHeader(page)).toBeVisible()
  await stopTime(page)
  await page.clock.runFor(540_000)
  await expect(page.getByText('Your address is live: 0:')).toBeVisible()
  await expect(inHeader(page)).toHaveAccessibleName(/^Inbox, \d0 seconds left$/)
  await page.clock.runFor(60_000)
  await expect(inHeader(page)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Generate a free address' })).toBeVisible()
})

test('the header follows what another tab does with the address', { tag: '@long' }, async ({ page, context }) => {
  await page.goto('/?lang=en')
  await addressOn(page)
  const other = await context.newPage()
  await other.goto('/privacy?lang=en')
  await expect(inHeader(other)).toBeVisible()
  await page.bringToFront()
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  await expect(inHeader(other)).toHaveCount(0)
  await page.getByRole('button', { name: 'Generate new' }).click()
  await addressOn(page)
  await expect(inHeader(other)).toBeVisible()
})

test('the header counts new mail without opening a stream', async ({ page, sendMail }) => {
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await page.getByRole('banner').getByRole('link', { name: 'Blog' }).click()
  await expect(inHeader(page)).toHaveAccessibleName(/^Inbox, \d+ minutes left$/)
  const streams: string[] = []
  page.on('request', request => request.url().endsWith('/api/mailbox/events') && streams.push(request.url()))
  await sendMail(mailTo(address))
  const counted = page.waitForResponse('**/api/mailbox/messages')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await counted
  await expect(inHeader(page)).toHaveAccessibleName(/^Inbox, 1 new message, \d+ minutes left$/)
  await expect(inHeader(page)).toContainText('1')
  expect(streams).toEqual([])
})

test('the end of the home page fits the address: none yet, live, ended, and a new one from there', async ({ page, noise }) => {
  // The page's clock is ahead of the server's, which interrupts responses and streams.
  noise.allow(/./)
  await page.clock.install()
  await page.goto('/?lang=en', { waitUntil: 'commit' })
  await expect(closing(page).getByRole('heading')).toHaveText('Mail for ten minutes, then nothing.')
  const first = await addressOn(page)
  await closing(page).scrollIntoViewIfNeeded()
  await expect(closing(page).getByRole('heading')).toHaveText('Your address is waiting.')
  await expect(closing(page)).toContainText(/It lives for another (10:00|9:\d\d), and its mail appears by itself\./)
  await stopTime(page)
  await page.clock.runFor(610_000)
  await expect(closing(page).getByRole('heading')).toHaveText('Your address is gone.')
  await expect(page.getByText('Your address is waiting.')).toHaveCount(0)
  await page.clock.resume()
  await closing(page).getByRole('link', { name: 'Generate a new address' }).click()
  await expect(page.locator('#email-generator')).toBeInViewport()
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@/)
  expect(await addressOn(page)).not.toBe(first)
  await expect(closing(page).getByRole('heading')).toHaveText('Your address is waiting.')
})

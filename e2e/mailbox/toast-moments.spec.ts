/** A toast ends with its moment, and is where every other one is. */
import { LANGUAGES } from '#contract/languages.ts'
import { LIFETIME_SECONDS } from '#contract/limits.ts'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { addressOn, mailTo, outlive } from '../harness/test-mail.ts'
import { liveAddress } from '../message/reader/reading.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] })

test('the time of a toast goes on while a dialog is open', async ({ page, sendMail }) => {
  const { mailbox, layout } = await loadWords('en')
  await page.clock.install()
  await page.goto('/?lang=en')
  await sendMail(mailTo(await addressOn(page)))
  const row = page.locator('[data-message]').getByRole('button').first()
  await expect(row).toBeVisible()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3000)
  const toast = page.locator('[data-toast]')
  await page.getByRole('button', { name: mailbox.copy, exact: true }).click()
  await expect(toast).toBeVisible()
  await page.clock.runFor(3000)
  await row.click()
  await expect(page.locator('dialog [data-toast]')).toBeVisible()
  await page.clock.runFor(1000)
  await page.getByRole('dialog').getByRole('button', { name: layout.close }).click()
  await expect(toast).toBeVisible()
  await page.clock.runFor(1100)
  await expect(toast).toHaveCount(0)
})

test('a toast that names what was copied before is gone when a code is copied', async ({ page, sendMail }) => {
  const { mailbox, inbox } = await loadWords('en')
  await page.goto('/?lang=en')
  await sendMail({ to: await addressOn(page), subject: 'Sign in', text: 'Your code is 481516.' })
  const code = page.locator('[data-message] [data-code]')
  await expect(code).toBeVisible()
  await page.clock.install()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3000)
  const toast = page.locator('[data-toast]')
  await page.getByRole('button', { name: mailbox.copy, exact: true }).click()
  await expect(toast).toContainText(mailbox.notices.copied)
  await code.click()
  await expect(code).toContainText(inbox.copied)
  await expect(toast).toHaveCount(0)
})

test('a toast gives way to the line that says that there is no network', async ({ page, context, noise }) => {
  noise.allow(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/)
  const { mailbox, layout } = await loadWords('en')
  await page.goto('/?lang=en')
  await addressOn(page)
  await page.getByRole('button', { name: mailbox.copy, exact: true }).click()
  const toast = page.locator('[data-toast]')
  await toast.hover()
  await context.setOffline(true)
  const line = await page.getByText(layout.offline).boundingBox()
  await page.mouse.move(640, 790)
  const bottom = (line?.y ?? 0) + (line?.height ?? 0)
  await expect.poll(async () => (await toast.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(bottom)
  await context.setOffline(false)
})

for (const language of LANGUAGES)
  test(`the toast of the end is beside the name of the site (${language})`, quickInEnglish(language), async ({ page, noise }) => {
    const { notices } = await loadWords(language)
    await page.clock.install()
    await page.goto(`/?lang=${language}`)
    await liveAddress(page, language)
    await outlive(page, LIFETIME_SECONDS, noise)
    await expect(page.locator('[data-toast]')).toContainText(notices.destroyed)
    expect(await page.locator('[data-toasts]').evaluate(box => box.getBoundingClientRect().top)).toBe(4)
  })

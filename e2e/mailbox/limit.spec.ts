/** When the server refuses a new address, the button still answers, and the card says once how long to wait. */
import { LANGUAGES } from '#contract/languages.ts'
import { NEW_ADDRESSES } from '#contract/limits.ts'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true })

/** The sentence of the limit takes a second line on a phone. */
const LINE_PX = 24

for (const language of LANGUAGES) {
  test(
    `at the limit of the server "Generate new" says how long to wait, and asks no more (${language})`,
    quickInEnglish(language),
    async ({ page, noise }) => {
      noise.allow(/429/)
      const { mailbox, notices } = await loadWords(language)
      await page.goto(`/?lang=${language}`)
      const address = await addressOn(page)
      const strip = page.getByRole('region', { name: mailbox.security.label })
      const inbox = page.locator('#inbox')
      await expect(strip).toContainText(mailbox.security.remaining({ count: NEW_ADDRESSES.max - 1 }))
      const topOfInbox = () => inbox.evaluate(element => element.getBoundingClientRect().top + scrollY)
      const top = await topOfInbox()
      let asked = 0
      await page.route('**/api/mailboxes', route => {
        asked++
        return route.fulfill({
          status: 429,
          json: { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', retryAfterSeconds: 290 },
        })
      })
      const generate = page.getByRole('button', { name: mailbox.generate, exact: true })
      const toast = page.locator('[data-toast=destructive]').filter({ hasText: notices.rateLimitTitle }).last()
      for (let press = 0; press < 3; press++) {
        await generate.tap()
        await expect(toast).toContainText(/28\d|290/)
        await expect(generate.locator('.figures')).toBeVisible()
        const [line, shown] = [await strip.getByText(mailbox.security.reached).boundingBox(), await toast.boundingBox()]
        if (!line || !shown) throw new Error('the line or the toast is not there')
        const isCovered = shown.y < line.y + line.height && line.y < shown.y + shown.height
        expect(isCovered, 'the toast covers the line that it explains').toBe(false)
        await toast.getByRole('button').tap()
        await expect(toast).toHaveCount(0)
      }
      expect(asked).toBe(1)
      await expect(strip.getByText(mailbox.security.reached)).toBeVisible()
      await expect(page.getByText(mailbox.noAddress)).toHaveCount(0)
      expect(await addressOn(page)).toBe(address)
      expect(await topOfInbox()).toBeLessThanOrEqual(top + LINE_PX)

      const time = generate.locator('.figures')
      await expect(time).toHaveText(/^4:[45]\d$/)
      const [inside, outside] = [await time.boundingBox(), await generate.boundingBox()]
      if (!inside || !outside) throw new Error('the time is not on the button')
      expect(inside.y).toBeGreaterThanOrEqual(outside.y)
      expect(inside.y + inside.height).toBeLessThanOrEqual(outside.y + outside.height)
      expect(outside.height).toBeLessThanOrEqual(44)
    },
  )
}

test('a refusal of the server is no attempt, says one number everywhere at once, and its end brings the address', async ({
  page,
  noise,
}) => {
  noise.allow(/429/)
  const { mailbox, notices } = await loadWords('en')
  await page.clock.install()
  await page.goto('/?lang=en')
  await addressOn(page)
  await page.getByRole('button', { name: mailbox.delete }).tap()
  await page.clock.runFor(9000)
  await expect(page.getByText(mailbox.noAddress)).toBeVisible()
  await page.route('**/api/mailboxes', route =>
    route.fulfill({
      status: 429,
      json: { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', retryAfterSeconds: 90 },
    }),
  )
  const generate = page.getByRole('button', { name: mailbox.generate, exact: true })
  await generate.tap()
  await expect(page.locator('[data-toast=destructive]').filter({ hasText: notices.rateLimitTitle }).last()).toContainText(/90|89/)
  await expect(generate.locator('.figures')).toHaveText(/^1:(?:30|29)$/)
  const strip = page.getByRole('region', { name: mailbox.security.label })
  await expect(strip).toContainText(mailbox.security.reached)
  await page.unroute('**/api/mailboxes')
  await page.clock.runFor(91_000)
  expect(await addressOn(page)).toMatch(/@/)
  // Two addresses were made; the try that was refused is not among them.
  await expect(strip).toContainText(mailbox.security.remaining({ count: NEW_ADDRESSES.max - 2 }))
})

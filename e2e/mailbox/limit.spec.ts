/** When the server refuses a new address, the card says one thing and keeps its size. */
import { LANGUAGES } from '#contract/languages.ts'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true })

for (const language of LANGUAGES) {
  test(`at the limit of the server nothing moves, and no more addresses are promised (${language})`, async ({ page, noise }) => {
    noise.allow(/429/)
    const { mailbox } = await loadWords(language)
    await page.goto(`/?lang=${language}`)
    const address = await addressOn(page)
    const strip = page.getByRole('region', { name: mailbox.security.label })
    const inbox = page.locator('#inbox')
    await expect(strip).toContainText(mailbox.security.remaining({ count: 4 }))
    const top = await inbox.evaluate(element => element.getBoundingClientRect().top + scrollY)
    await page.route('**/api/mailboxes', route =>
      route.fulfill({
        status: 429,
        json: { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', retryAfterSeconds: 290 },
      }),
    )
    await page.getByRole('button', { name: mailbox.generate, exact: true }).tap()
    const label = mailbox.nextIn({ time: '' })
    await expect(page.getByRole('button', { name: label })).toBeDisabled()
    await expect(strip).toContainText(mailbox.security.reached)
    await expect(strip.getByText(mailbox.security.remaining({ count: 0 }))).toBeVisible()
    await expect(strip).not.toContainText(mailbox.security.remaining({ count: 4 }))
    expect(await addressOn(page)).toBe(address)
    expect(await inbox.evaluate(element => element.getBoundingClientRect().top + scrollY)).toBe(top)
  })
}

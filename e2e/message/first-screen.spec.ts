/** A phone shows the mail itself on its first screen, below who sent it and what is known of them. */
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { CODE_SUBJECT, inboxMails, NEWSLETTER_SUBJECT } from '../scenes/mails.ts'

test.use({ viewport: { width: 375, height: 667 }, hasTouch: true })

/** The part of the screen's height at which the mail begins at the latest. */
const BEGINS_MAX = 0.65

for (const [subject, sender, view] of [
  [NEWSLETTER_SUBJECT, 'news@garden.example', 'Original'],
  [CODE_SUBJECT, 'accounts@northwind.example', 'Simple'],
] as const) {
  test(`the mail of ${sender} begins on the first screen, and its sender and their check are there too`, async ({ page, sendMail }) => {
    await page.goto('/?lang=en')
    const to = await addressOn(page)
    for (const mail of inboxMails(to)) if (mail.subject === subject) await sendMail(mail)
    await page.locator('[data-message]').getByRole('button').first().tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: view }).tap()
    const frame = dialog.locator('iframe')
    await expect(frame).toBeVisible()
    for (const seen of [dialog.getByText(sender), dialog.locator('[data-verdict]'), dialog.getByRole('tab', { name: view })])
      await expect(seen).toBeInViewport({ ratio: 1 })
    await expect.poll(async () => ((await frame.boundingBox())?.y ?? Number.POSITIVE_INFINITY) / 667).toBeLessThan(BEGINS_MAX)
    // The tint of a link is the same in the mail, above it, and in the inbox.
    if (view === 'Simple') {
      const colors = await Promise.all(
        [dialog.getByRole('link', { name: /Confirm my email/ }).first(), dialog.frameLocator('iframe').getByRole('link')].map(link =>
          link.evaluate(element => getComputedStyle(element).color),
        ),
      )
      expect(new Set(colors).size).toBe(1)
    }
  })
}

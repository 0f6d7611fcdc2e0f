/** A server with several domains, of which the visitor chooses one. */
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { openHome } from '../message/reader/reading.ts'

test.use({ serverEnv: { MAIL_DOMAINS: 'first.test,second.test' } })

test('the next address is at the chosen domain, and mail for it arrives', async ({ page, sendMail }) => {
  const first = await openHome(page)
  expect(first).toMatch(/@first\.test$/)
  await page.getByLabel('Domain').selectOption('second.test')
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@second\.test$/)
  await sendMail({ to: await addressOn(page), subject: 'For the second', text: 'here' })
  await expect(page.locator('[data-message]')).toHaveCount(1)
})

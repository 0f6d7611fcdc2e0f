import { expect, test } from 'mayfly-client/playwright'

test('sign up', async ({ page, mailbox }) => {
  await page.goto(process.env.APP_URL ?? 'http://127.0.0.1:3000')
  await page.getByLabel('E-mail').fill(mailbox.address)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('Code').fill(await mailbox.waitForCode({ from: 'garden-club.example' }))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(`Welcome, ${mailbox.address}!`)).toBeVisible()
})

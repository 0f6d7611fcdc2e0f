/** A site on plain http by a name of its own: no crypto.subtle, no asynchronous clipboard, no locks. */
import { launchOptions } from '../scripts/chromium.ts'
import { expect, test } from './fixtures.ts'
import { expectFrameText, openHome, showTab } from './reading.ts'

const HOST = 'mayfly.plain.test'
test.use({
  launchOptions: { ...launchOptions, args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`] },
  baseURL: async ({ server }, use) => use(`http://${HOST}:${server.httpPort}`),
})

test('decision 19: the bot check, the clipboard and the reader work over plain http', async ({ page, sendMail, noise }) => {
  noise.allow(/Blocked script execution in '[^']*\/mail-frame/, /Cross-Origin-Opener-Policy header has been ignored/)
  const to = await openHome(page)
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  await page.getByRole('button', { name: 'Copy address' }).click()
  await expect(page.getByText('Email address copied to clipboard.')).toBeVisible()
  // Pasted where a visitor would paste it: there is no clipboard to read from here.
  await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('textarea'), { id: 'paste' })))
  await page.locator('#paste').focus()
  await page.keyboard.press('Control+V')
  await expect(page.locator('#paste')).toHaveValue(to)
  await sendMail({ to, subject: 'Plain http', html: '<p>read me</p>' })
  await page.locator('[data-message]').getByRole('button', { name: /Open/ }).click()
  await showTab(page, 'Original layout')
  await expectFrameText(page, 'read me')
})

/** A site over plain http with its own name has no crypto.subtle, no asynchronous clipboard and no locks. */
import { routes } from '#contract/routes.ts'
import { PLAIN_HTTP_HOST } from '../harness/chromium.ts'
import { expect, test, WITH_BOT_CHECK } from '../harness/fixtures.ts'
import { expectFrameText, liveAddress, showTab } from '../message/reader/reading.ts'

test.use({ serverEnv: WITH_BOT_CHECK, baseURL: async ({ server }, use) => use(`http://${PLAIN_HTTP_HOST}:${server.httpPort}`) })

test('the bot check, the clipboard and the reader work over plain http', async ({ page, sendMail, noise }) => {
  test.setTimeout(180_000)
  noise.allow(/Cross-Origin-Opener-Policy header has been ignored/)
  // Without crypto.subtle the proof of work runs in JavaScript, which may take long on a slow machine.
  const created = page.waitForResponse(response => new URL(response.url()).pathname === routes.mailboxes, { timeout: 0 })
  const challenge = page.waitForResponse(response => new URL(response.url()).pathname === routes.botCheckChallenge)
  const home = await page.goto('/?lang=en')
  // Scripts could not read it there, so the page brings none.
  expect(home?.headers()['server-timing']).toBe('challenge')
  expect((await challenge).status()).toBe(200)
  await created
  const to = await liveAddress(page)
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  await page.getByRole('button', { name: 'Copy address' }).click()
  await expect(page.getByText('Email address copied to clipboard.')).toBeVisible()
  // Pasted into a field, because the clipboard cannot be read here.
  await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('textarea'), { id: 'paste' })))
  await page.locator('#paste').focus()
  await page.keyboard.press('Control+V')
  await expect(page.locator('#paste')).toHaveValue(to)
  await sendMail({ to, subject: 'Plain http', html: '<p>read me</p>' })
  await page.locator('[data-message]').getByRole('button', { name: /Open/ }).click()
  await showTab(page, 'Original')
  await expectFrameText(page, 'read me')
})

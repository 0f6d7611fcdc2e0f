/** The bot check with reCAPTCHA. A few lines replace Google's script, because Google cannot be reached from tests. */
import { routes } from '#contract/routes.ts'
import { expect, test } from '../harness/fixtures.ts'

// One after the other in one worker, since each worker would start a server of this kind.
test.describe.configure({ mode: 'default' })
test.use({
  serverEnv: {
    BOT_CHECK: 'recaptcha',
    RECAPTCHA_SITE_KEY: 'site-key',
    RECAPTCHA_SECRET: 'secret',
  },
})

const SCRIPT = `
  globalThis.asked = []
  globalThis.grecaptcha = { ready: run => run(), execute: async (key, { action }) => { asked.push([key, action]); return 'token' } }
`

test('its script is loaded when a token is first requested, with the name of the action', async ({ page, server, noise }) => {
  noise.allow(/503|403|500/, /ProblemError/)
  // Google cannot be reached from tests.
  server.heardLog.allow(/The bot check cannot be verified right now/)
  const scripts: string[] = []
  await page.route('https://www.google.com/recaptcha/**', route => {
    scripts.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: SCRIPT })
  })
  await page.goto('/contact?lang=en')
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Subject').fill('A question')
  await page.getByLabel('Message').fill('What happens to this message?')
  expect(scripts).toEqual([])
  // The server logs each reply that it does not get: what it still waits for at the end would be heard in the next test.
  const replyTo = (path: string) =>
    page.waitForResponse(response => response.request().method() === 'POST' && new URL(response.url()).pathname === path)
  const sent = replyTo(routes.contact)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'asked'))).toEqual([['site-key', 'contact']])
  expect(scripts).toEqual(['https://www.google.com/recaptcha/api.js?render=site-key'])
  await sent
  const generated = replyTo(routes.mailboxes)
  await page.goto('/?lang=en')
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'asked'))).toEqual([['site-key', 'generate_email']])
  await generated
})

test('a script that does not load stops the generation, is reported and logged', async ({ page, noise }) => {
  noise.allow(/net::ERR_/)
  await page.route('https://www.google.com/recaptcha/**', route => route.abort())
  await page.goto('/?lang=en')
  const toast = page.locator('[data-toast=destructive]')
  await expect(toast).toContainText('Security Verification Failed')
  await expect(toast).toContainText('Failed to load reCAPTCHA script')
  const events = await page.evaluate(() => JSON.parse(localStorage.getItem('mayfly.security-log') ?? '[]'))
  expect(events).toMatchObject([{ type: 'captcha_failure', details: { action: 'generate_email', reason: 'script' } }])
})

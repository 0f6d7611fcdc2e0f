/** The address and the inbox, in a browser. */
import type { Page } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { NEW_ADDRESSES } from '#contract/limits.ts'
import { expect, quickInEnglish, test, WITH_BOT_CHECK, WITH_MOTION } from '../harness/fixtures.ts'
import { withoutPageChallenge } from '../harness/page-challenge.ts'
import { addressOn, mailTo, waiveUndo } from '../harness/test-mail.ts'

test.use({ ...WITH_MOTION, serverEnv: WITH_BOT_CHECK })

const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const securityLog = (page: Page): Promise<{ type: string; details: object; userIdentifier: string; timestamp: number }[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('mayfly.security-log') ?? '[]'))

/** Stops the page's clock. From here on only `page.clock` moves it. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3000)
}

async function secondsShown(page: Page): Promise<number> {
  const text = (await page.getByTestId('countdown').textContent()) ?? ''
  expect(text).toMatch(/^\d\d:\d\d:\d\d$/)
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

const cardHeight = (page: Page) => page.locator('[data-mailbox]').evaluate(card => Math.round(card.getBoundingClientRect().height))

/** The styles that place the sun and everything else in the sky. */
const sunset = (page: Page) =>
  page.locator('[data-light]').evaluate(sky => ({
    light: sky.getAttribute('data-light'),
    left: Number(getComputedStyle(sky).getPropertyValue('--left')),
  }))

test('the countdown ticks each second, warns at 30 s, destroys for 2 s, then everything is cleared', async ({ page, sendMail, noise }) => {
  // The page's clock is ahead of the server's, which interrupts responses and streams.
  noise.allow(/./)
  // Runs ten minutes of timers, which takes long under load.
  test.setTimeout(180_000)
  await page.addInitScript(() => {
    const sent: string[] = []
    Object.assign(window, { sent, gtag: (_: string, name: string) => void sent.push(name) })
  })
  await page.clock.install()
  await page.goto('/?lang=en')
  await sendMail(mailTo(await addressOn(page)))
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await stopTime(page)
  const first = await secondsShown(page)
  expect(first).toBeGreaterThan(500)
  expect(first).toBeLessThanOrEqual(600)
  const heights = [await cardHeight(page)]
  for (let passed = 1; passed <= 3; passed++) {
    await page.clock.runFor(1000)
    expect(await secondsShown(page)).toBe(first - passed)
  }
  await page.clock.runFor((first - 303) * 1000)
  expect(await sunset(page), 'half of the time is left').toEqual({ light: 'day', left: 0.5 })
  await page.clock.runFor(269_000)
  expect(await secondsShown(page)).toBe(31)
  await expect(page.locator('[data-phase=warning]')).toHaveCount(0)
  await page.clock.runFor(1000)
  const countdown = page.locator('[data-phase=warning]').getByTestId('countdown')
  await expect(countdown).toHaveText('00:00:30')
  await expect(countdown).toHaveCSS('animation-name', 'pulse')
  await expect(countdown).toHaveClass(/text-last-seconds-ink/)
  await expect(page.getByText('Expires soon. Copy what you need or generate a new one.', { exact: true })).toBeVisible()
  expect(await sunset(page)).toEqual({ light: 'night', left: 0.05 })
  await expect(page).toHaveTitle(/^481 516 · 0:30 · Mayfly/)
  await expect(page.locator('link[rel=icon][type="image/svg+xml"]')).toHaveAttribute('href', /^data:image\/svg/)
  heights.push(await cardHeight(page))

  await page.clock.runFor(30_000)
  await expect(page.locator('[data-mailbox=destroying]')).toBeVisible()
  heights.push(await cardHeight(page))
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await page.clock.runFor(2000)
  await expect(page.locator('[data-mailbox=expired]')).toBeVisible()
  await expect(page.locator('[data-message]')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('mayfly.mailbox'))).toBeNull()
  await expect(page.getByText('Generate a new email to continue')).toBeVisible()
  await expect(page.getByText('Once you have an address, its mail appears here.')).toBeVisible()
  await expect(page.getByText(/Gone at \d+:\d\d [AP]M\. Nothing was kept\./)).toBeVisible()
  expect(await sunset(page)).toEqual({ light: 'night', left: 0 })
  heights.push(await cardHeight(page))
  expect(new Set(heights).size, `nothing below the card jumps: ${heights}`).toBe(1)
  const toast = toasts(page).locator('[data-toast=destructive]')
  await expect(toast).toContainText('Email address deleted!')
  await expect(toast).toContainText('Your temporary email has been destroyed. Generate a new one to continue.')
  expect(await page.evaluate(() => Reflect.get(window, 'sent'))).toContain('email_expired')
})

test('the inbox is fetched on creation, every 60 s and by hand', async ({ page, noise }) => {
  noise.allow(/./)
  let fetches = 0
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/mailbox/messages') fetches++
  })
  // Without the stream, which fetches the list after each reconnection, only the poll remains.
  const refused = { type: 'about:blank', title: 'Too many streams', status: 429, code: 'streams_max' }
  await page.route('**/api/mailbox/events', route => route.fulfill({ status: 429, json: refused }))
  await page.clock.install()
  await page.goto('/?lang=en')
  await addressOn(page)
  // The refused stream has the list fetched once more.
  await expect(page.getByTestId('connection-state')).toHaveText('Checking every minute')
  await expect(page.locator('#inbox')).toHaveAttribute('aria-busy', 'false')
  await stopTime(page)
  const before = fetches
  for (let minutes = 1; minutes <= 2; minutes++) {
    await page.clock.runFor(60_000)
    await expect.poll(() => fetches).toBe(before + minutes)
  }
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => fetches).toBe(before + 3)
  await expect(page.getByTestId('connection-state')).toHaveText('Nothing new')
  await page.clock.runFor(2000)
  await expect(page.getByTestId('connection-state')).toHaveText('Checking every minute')
})

test('skeleton rows are shown before the first list, and the empty message after it', async ({ page }) => {
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/mailbox/messages', async route => {
    await answer.promise
    await route.continue()
  })
  await page.goto('/?lang=en')
  await addressOn(page)
  await expect(page.getByText('Loading the inbox')).toBeAttached()
  await expect(page.locator('#inbox')).toHaveAttribute('aria-busy', 'true')
  answer.resolve()
  await expect(page.getByText(/Nothing has arrived yet\.$/)).toBeVisible()
  await expect(page.getByText('Loading the inbox')).toHaveCount(0)
  const drawn = await page.locator('.coming-mail').evaluate(row => ['::before', '::after'].map(part => getComputedStyle(row, part).content))
  expect(drawn, 'nothing there looks as if it were loading').toEqual(['none', 'none'])
})

test('the security strip counts down to the limit in singular and plural, and warns', async ({ page }) => {
  await page.goto('/?lang=en')
  const strip = page.getByRole('region', { name: 'Security status' })
  const warning = strip.getByText('New addresses are limited: keep the one you have for now.')
  const generate = page.getByRole('button', { name: 'Generate new' })
  for (let left = NEW_ADDRESSES.max - 1; left > 1; left--) {
    await expect(strip).toContainText(`${left} new addresses left`)
    await expect(warning).toHaveCount(0)
    await generate.click()
  }
  await expect(strip).toContainText('1 new address left')
  await expect(warning).toBeVisible()
  await generate.click()
  await expect(strip).toContainText('Rate limit reached. Please wait a few minutes before generating more emails.')
  await expect(warning).toBeVisible()
  await expect(page.getByTestId('address')).toBeVisible()
  await generate.click()
  await expect(toasts(page).locator('[data-toast=destructive]')).toContainText(/^Please wait before generating a new email/)
  const hits = (await securityLog(page)).filter(event => event.type === 'rate_limit_hit')
  expect(hits).toEqual([
    { type: 'rate_limit_hit', timestamp: expect.any(Number), details: { action: 'generate_email' }, userIdentifier: expect.any(String) },
  ])
})

test('a check without a token stops the generation, is reported and logged', async ({ page, noise }) => {
  noise.allow(/500/)
  let created = 0
  page.on('request', request => request.method() === 'POST' && new URL(request.url()).pathname === '/api/mailboxes' && created++)
  await withoutPageChallenge(page)
  await page.route('**/api/bot-check/challenge**', route => route.fulfill({ status: 500, body: '' }))
  await page.goto('/?lang=en')
  const toast = toasts(page).locator('[data-toast=destructive]')
  await expect(toast).toContainText('Security Verification Failed')
  await expect(toast).toContainText('Failed to generate CAPTCHA token. Please try again.')
  await expect(page.getByText('No address yet')).toBeVisible()
  expect(created).toBe(0)
  expect(await securityLog(page)).toMatchObject([{ type: 'captcha_failure', details: { action: 'generate_email', reason: 'token' } }])
})

test('a token refused by the server is a failed verification, and a good one is logged with the score 0.8', async ({ page, noise }) => {
  noise.allow(/403/)
  await page.route('**/api/mailboxes', route => route.continue({ postData: JSON.stringify({ botCheck: 'made up' }) }))
  await page.goto('/?lang=en')
  await expect(toasts(page).locator('[data-toast=destructive]')).toContainText('CAPTCHA verification failed')
  const details = { action: 'generate_email' }
  expect(await securityLog(page)).toMatchObject([
    { type: 'captcha_success', details: { ...details, score: 0.8 } },
    // A refused solution is replaced once silently, because the visitor may have changed networks.
    { type: 'captcha_success', details: { ...details, score: 0.8 } },
    { type: 'captcha_failure', details: { ...details, reason: 'verification' } },
  ])
})

test('a server that fails to generate shows an Error, and the button works again', async ({ page, noise }) => {
  noise.allow(/500/, /ProblemError/)
  await page.route('**/api/mailboxes', route => route.fulfill({ status: 500, body: '' }))
  await page.goto('/?lang=en')
  const toast = toasts(page).locator('[data-toast=destructive]')
  await expect(toast).toContainText('Error')
  await expect(toast).toContainText('Failed to generate email. Please try again.')
  await expect(page.getByRole('button', { name: 'Generate new' })).toBeEnabled()
})

test('an attachment without a URL, or a failed call, is a failed download', { tag: '@long' }, async ({ page, sendMail, noise }) => {
  noise.allow(/No download URL received/, /500/, /ProblemError/)
  await page.goto('/?lang=en')
  await sendMail(mailTo(await addressOn(page)))
  await page.locator('[data-message]').getByRole('button', { name: /Open/ }).click()
  const download = page.getByRole('dialog').getByRole('button', { name: 'Download résumé.bin' })
  const toast = page.locator('[data-toast=destructive]').filter({ hasText: 'Download failed' })
  await page.route('**/attachments/*/link', route => route.fulfill({ json: {} }))
  const logged = page.waitForEvent('console', message => message.text().includes('No download URL received'))
  await download.click()
  await logged
  await expect(toast).toContainText('Could not download the attachment. Please try again.')
  await toast.getByRole('button').click()
  await expect(toast).toHaveCount(0)
  await page.route('**/attachments/*/link', route => route.fulfill({ status: 500, body: '' }))
  await download.click()
  await expect(toast).toHaveCount(1)
})

test('plain text keeps its line breaks, and a preview of tags says that there is none', async ({ page, sendMail }) => {
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await sendMail({ to, subject: 'Lines', text: 'one\ntwo\n\nfour' })
  await sendMail({ to, subject: 'Marked', text: 'a <b>bold</b>&nbsp;word' })
  await sendMail({ to, subject: 'Nothing', html: '<p><br></p>' })
  const row = (subject: string) => page.locator('[data-message]').filter({ hasText: subject })
  await expect(row('Marked').getByTestId('preview')).toHaveText('a bold word')
  await expect(row('Nothing').getByTestId('preview')).toHaveText('No preview available')
  await row('Lines').getByRole('button', { name: /Open/ }).click()
  const text = page.getByRole('dialog').getByTestId('text')
  await expect(text).toHaveCSS('white-space-collapse', 'preserve')
  expect((await text.innerText()).trim()).toBe('one\ntwo\n\nfour')
  await page.keyboard.press('Escape')
  await row('Marked').getByRole('button', { name: /Open/ }).click()
  await expect(page.getByRole('dialog').frameLocator('iframe').locator('b')).toHaveText('bold')
})

test('generating with the scroll flag on scrolls to the generator', async ({ page }) => {
  await page.goto('/?lang=en')
  const before = await addressOn(page)
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  await expect(page.locator('#email-generator')).not.toBeInViewport()
  await page.keyboard.press('g')
  await expect(page.locator('#email-generator')).toBeInViewport()
  await expect.poll(() => addressOn(page)).not.toBe(before)
})

test('an analytics function gets generating, receiving, copying and deleting', { tag: '@long' }, async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const sent: unknown[] = []
    Object.assign(window, {
      sent,
      gtag: (_: string, name: string, params: object) => void (name.startsWith('email_') && sent.push([name, params])),
    })
  })
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail(mailTo(address))
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Copy address' }).click()
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  await expect(page.getByText('Email address deleted!')).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'sent'))).toEqual([
    ['email_generated', {}],
    ['email_received', { value: 1 }],
    ['email_copied', {}],
    ['email_deleted', {}],
  ])
})

for (const language of LANGUAGES) {
  test(`beside a low sky the words of each action have air in their button (${language})`, quickInEnglish(language), async ({ page }) => {
    for (const [width, height] of [
      [640, 360],
      [667, 375],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(`/?lang=${language}`)
      await addressOn(page)
      const air = await page.evaluate(() =>
        [...document.querySelectorAll('.card-action')].map(button => {
          const range = document.createRange()
          range.selectNodeContents(button)
          const words = [...range.getClientRects()].filter(({ width }) => width > 1)
          const { left, right } = button.getBoundingClientRect()
          return Math.min(...words.map(word => Math.min(word.left - left, right - word.right)))
        }),
      )
      expect(air).toHaveLength(3)
      expect(Math.min(...air), `${width} px: ${air}`).toBeGreaterThanOrEqual(5)
    }
  })
}

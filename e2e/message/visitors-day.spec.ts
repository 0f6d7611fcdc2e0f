/** A mail on a small phone, in both languages: its code or link first, then who sent it, its files and its text. */
import { LANGUAGES } from '#contract/languages.ts'
import { expect, test } from '../harness/fixtures.ts'
import { expectFrameText, inFrame, liveAddress } from '../message/reader/reading.ts'
import { loadWords } from '../scenes/words.ts'

const WIDTH_PX = 375
/** The margins of the page. */
const MARGINS_PX = 40
test.use({ viewport: { width: WIDTH_PX, height: 667 }, hasTouch: true, isMobile: true })
const LINK = 'https://accounts.very-long-name-of-a-shop.example/confirm?token=k3V9xQ2'

for (const language of LANGUAGES) {
  test(`a code is the widest button of its row and the first of the mail, and is in the tab's title (${language})`, async ({
    page,
    context,
    sendMail,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { inbox, message } = await loadWords(language)
    await page.goto(`/?lang=${language}`)
    const to = await liveAddress(page, language)
    await sendMail({
      to,
      subject: 'Sign in',
      html: '<h1>Hello</h1><p>Your sign-in code is <b>730194</b>.</p>',
      attachments: [{ filename: 'a.txt', content: 'x' }],
    })
    const row = page.locator('[data-message]')
    const inRow = row.getByRole('button', { name: `730 194 ${inbox.copyThisCode}` })
    // Without scrolling: in the row, or below it in the pill, which comes last in the page.
    const pill = page.locator('.arrival').getByRole('button', { name: `730 194 ${inbox.copyThisCode}` })
    await expect(inRow.or(pill).last()).toBeInViewport({ ratio: 1 })
    expect((await inRow.boundingBox())?.width).toBeGreaterThanOrEqual(WIDTH_PX - MARGINS_PX)
    await expect(page).toHaveTitle(/^730 194 · /)

    await row.getByRole('button').first().tap()
    const dialog = page.getByRole('dialog')
    const primary = dialog.getByRole('button', { name: `730 194 ${inbox.copyThisCode}` })
    await primary.tap()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('730194')
    expect((await primary.boundingBox())?.width).toBeGreaterThanOrEqual(WIDTH_PX - MARGINS_PX)

    // On one line also where there is least room.
    await page.setViewportSize({ width: 320, height: 568 })
    expect((await primary.boundingBox())?.height).toBeLessThan(56)
    await page.setViewportSize({ width: WIDTH_PX, height: 667 })

    // From top to bottom; the button that closes is at the left edge, and the subject takes the whole width.
    const close = dialog.locator('header').getByRole('button').first()
    const subject = dialog.getByRole('heading', { name: 'Sign in' })
    const file = dialog.getByRole('button', { name: /a\.txt/ })
    const tabs = dialog.getByRole('tab')
    await expect(tabs).toHaveText([message.views.simple, message.views.layout])
    const boxes = await Promise.all([close, subject, primary, file, tabs.first()].map(part => part.boundingBox()))
    const tops = boxes.map(box => box?.y ?? -1)
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    expect(boxes[0]?.x).toBeLessThan(20)
    expect(boxes[1]?.width).toBeGreaterThanOrEqual(WIDTH_PX - MARGINS_PX)
  })
}

test('a confirmation link is a button of its row with the end of its host', async ({ page, sendMail }) => {
  await page.goto('/?lang=es')
  const to = await liveAddress(page, 'es')
  await sendMail({ to, subject: 'Welcome', html: `<p>Hello,</p><p><a href="${LINK}">Confirm my email address</a></p>` })
  const link = page.locator('[data-message]').getByRole('link', { name: /^Confirm my email address/ })
  await expect(link).toHaveAttribute('href', LINK)
  await expect(link).toHaveAttribute('rel', /noopener noreferrer/)
  expect((await link.boundingBox())?.width).toBeGreaterThanOrEqual(WIDTH_PX - MARGINS_PX)
  const host = link.getByText(new URL(LINK).host)
  // It does not fit, and its end is what tells whose site it is.
  expect(await host.evaluate(({ parentElement }) => (parentElement?.scrollWidth ?? 0) > (parentElement?.clientWidth ?? 0))).toBe(true)
  const [end, box] = await Promise.all([host.evaluate(element => element.getBoundingClientRect().right), link.boundingBox()])
  expect(end).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0))

  await page.locator('[data-message]').getByRole('button').first().tap()
  const inDialog = page.getByRole('dialog').getByRole('link', { name: /^Confirm my email address/ })
  await expect(inDialog).toContainText(new URL(LINK).host)
  await expect(inDialog).toHaveAttribute('href', LINK)
})

test("the result of the sender's check reaches a mail that is open", async ({ page, sendMail }) => {
  const { inbox, message } = await loadWords('es')
  await page.goto('/?lang=es')
  const to = await liveAddress(page, 'es')
  // As for who opens a mail before the check has ended: neither list nor mail has its result yet. Then the stream brings it.
  const isChecked = Promise.withResolvers<void>()
  await page.route('**/api/mailbox/events', async route => {
    await isChecked.promise
    await route.continue()
  })
  await page.route(/\/api\/mailbox\/messages(?:\/[^/]+)?$/, async route => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const reply = await response.json()
    for (const mail of [reply, ...(reply.messages ?? [])]) {
      delete mail.authentication
      Object.assign(mail, { verdict: 'unknown', verdictReason: 'unchecked' })
    }
    await route.fulfill({ response, json: reply })
  })
  // It continues from the list that the page has when it asks, which must not be one from after the check.
  const asked = page.waitForRequest('**/api/mailbox/events')
  await page.reload()
  await asked
  await sendMail({ to, subject: 'Checked', html: '<p>Hello</p>' })
  const refresh = page.getByRole('button', { name: inbox.refresh })
  await refresh.tap()
  await page.locator('[data-message]').getByRole('button').first().tap()
  const verdict = page.getByRole('dialog').locator('[data-verdict]')
  await expect(verdict).toContainText(message.verdict.unchecked.word({ domain: '' }))
  await expectFrameText(page, 'Hello')
  await inFrame(page, mail => mail?.querySelector('p')?.setAttribute('data-seen', ''), undefined)
  isChecked.resolve()
  await expect(verdict).toContainText(message.verdict.unverified.word({ domain: '' }))
  expect(await inFrame(page, mail => mail?.querySelector('p[data-seen]')?.textContent, undefined), 'not written again').toBe('Hello')
})

test.describe('where senders are not checked', () => {
  test.use({ serverEnv: { DNS_SERVERS: 'off' } })
  test('no line about the sender is shown', async ({ page, sendMail }) => {
    await page.goto('/?lang=es')
    await sendMail({ to: await liveAddress(page, 'es'), subject: 'Unchecked', text: 'Hello' })
    await page.locator('[data-message]').getByRole('button').first().tap()
    await expect(page.getByRole('dialog').getByRole('article')).toContainText('Hello')
    await expect(page.locator('[data-verdict]')).toHaveCount(0)
  })
})

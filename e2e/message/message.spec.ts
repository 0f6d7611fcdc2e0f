/** Reading ordinary mail with the real server: pictures, quotes, headers, source and file. */
import { readFileSync } from 'node:fs'
import { expect, test, WITH_MOTION } from '../harness/fixtures.ts'
import { chooseMore, expectFrameText, inFrame, openHome, openMail, pointInFrame, showTab } from './reader/reading.ts'

test.use({ ...WITH_MOTION, viewport: { width: 1280, height: 900 } })

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

test('images carried by the mail are shown without asking', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = '<p>Our logo</p><img src="cid:logo@sender.test" width="60" height="60"><img src="cid:drawing" id="drawing">'
  const attachments = [
    { filename: 'logo.png', content: PNG, cid: 'logo@sender.test' },
    { filename: 'drawing.png', content: '<svg xmlns="http://www.w3.org/2000/svg"/>', contentType: 'image/png', cid: 'drawing' },
  ]
  await sendMail({ to, subject: 'With a logo', html, attachments })
  await openMail(page, 'With a logo')
  await showTab(page, 'Original')
  const widths = () => inFrame(page, mail => Array.from(mail.images, image => image.naturalWidth), undefined)
  // A drawing that claims to be a PNG could contain scripts, so it is not shown.
  await expect.poll(widths).toEqual([1, 0])
})

test('the head has the time of a mail of today without its date, and a line that runs down with the time left', { tag: '@long' }, async ({
  page,
  sendMail,
}) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'Short-lived', text: 'Hello.' })
  await openMail(page, 'Short-lived')
  const time = page.getByRole('dialog').locator('time')
  await expect(time.locator('[aria-hidden]')).toHaveText(/^\d{1,2}:\d\d\s[AP]M$/)
  await expect(time).toHaveAttribute('title', /, \d{4}, /)
  const line = page.getByRole('dialog').locator('.horizon')
  const partLeft = () =>
    line.evaluate(element => element.getBoundingClientRect().width / (element.parentElement?.closest('header')?.clientWidth ?? 0))
  expect(await partLeft()).toBeGreaterThan(0.9)
  const before = await partLeft()
  await expect.poll(partLeft).toBeLessThan(before)
})

test('on a wide screen the sheet of a short mail ends below it, and that of a long one grows downwards', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const sheet = async (subject: string, text: string) => {
    await sendMail({ to, subject, text })
    const dialog = await openMail(page, subject)
    await expect(page.getByTestId('text')).toContainText('Hello')
    await dialog.evaluate(sheet => Promise.all(sheet.getAnimations().map(animation => animation.finished)))
    const { y = 0, height = 0 } = (await dialog.boundingBox()) ?? {}
    await page.keyboard.press('Escape')
    return { y, height }
  }
  const short = await sheet('Short', 'Hello.')
  const long = await sheet('Long', 'Hello.\n\n'.repeat(200))
  expect(short.height).toBeLessThan(450)
  expect(long.height).toBeGreaterThan(800)
  expect(long.y, 'their first lines are at one height').toBe(short.y)
  await page.setViewportSize({ width: 844, height: 390 })
  expect(await sheet('On its side', 'Hello.'), 'it fills a low screen').toEqual({ y: 0, height: 390 })
})

test('Back shows no mail that the browser had drawn before its mailbox was destroyed elsewhere', async ({
  page,
  noise,
  request,
  sendMail,
}) => {
  noise.allow(/404 \(Not Found\)/)
  const to = await openHome(page)
  await sendMail({ to, subject: 'Drawn before', text: 'The secret is out.' })
  await openMail(page, 'Drawn before')
  const secret = page.getByTestId('text').getByText('The secret is out.')
  await expect(secret).toBeVisible()
  /** Playwright turns the browser's cache for Back off. Returns whether anything of the mail is drawn at this moment. */
  const move = (type: 'pagehide' | 'pageshow') =>
    page.evaluate(name => {
      window.dispatchEvent(new PageTransitionEvent(name, { persisted: true }))
      return document.querySelector('dialog')?.checkVisibility({ visibilityProperty: true })
    }, type)
  expect(await move('pagehide'), 'is what the browser keeps').toBe(false)
  const token = await page.evaluate(() => JSON.stringify(localStorage).match(/[\w-]{64}/)?.[0])
  expect((await request.delete('/api/mailbox', { headers: { authorization: `Bearer ${token}` } })).status()).toBe(204)
  expect(await move('pageshow')).not.toBe(true)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(secret).toHaveCount(0)
})

test('who may not open more because of their network is told so, and may try again', async ({ page, noise, sendMail }) => {
  noise.allow(/429 \(Too Many Requests\)/)
  const to = await openHome(page)
  const problem = { code: 'rate_limited', title: 'Too many requests', status: 429, type: '/api/docs#rate_limited', retryAfterSeconds: 1 }
  const refuse = { status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) }
  // Before the mail comes, since the page may read it ahead.
  const readMail = /\/api\/mailbox\/messages\/[^/]+$/
  await page.route(readMail, route => route.fulfill(refuse))
  await sendMail({ to, subject: 'Soon', text: 'Here it is.' })
  await page.locator('[data-message]').getByRole('button', { name: /Open/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Your network is opening too many messages right now.')
  await page.unroute(readMail)
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog')).toContainText('Here it is.')
})

test('text: quotes fold, links open in a new tab, headers and source are unchanged, and the file has the same bytes', async ({
  page,
  sendMail,
}) => {
  const to = await openHome(page)
  const quote = Array.from({ length: 6 }, (_, i) => `> quoted line ${i}`).join('\n')
  await sendMail({
    to,
    subject: 'An answer',
    text: `I agree, see https://a.example/x\n\n${quote}\n\nBye\n\n> short\n`,
    headers: { 'X-Odd': 'value one' },
  })
  const dialog = await openMail(page, 'An answer')
  const text = dialog.getByTestId('text')
  await expect(text.getByText('quoted line 3')).toBeHidden()
  const short = text.getByRole('blockquote')
  await expect(short).toHaveText('> short')
  // At one moment, since the dialog moves while it opens.
  const [quoteBox, lastLine] = await text.evaluate(shown => {
    const quote = shown.querySelector('blockquote')
    return [quote, quote?.previousElementSibling].map(box => box?.getBoundingClientRect() ?? new DOMRect())
  })
  expect(quoteBox?.y, 'the blank line before it stays').toBeCloseTo((lastLine?.y ?? 0) + (lastLine?.height ?? 0), 0)
  // A blank line, the word, a blank line.
  expect(Math.round((lastLine?.height ?? 0) / (quoteBox?.height ?? 1))).toBe(3)
  await text.getByText('6 quoted lines').click()
  await expect(text.getByText('quoted line 3')).toBeVisible()
  await expect(text.getByRole('link', { name: 'https://a.example/x' })).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await showTab(page, 'Headers')
  await expect(dialog.getByTestId('headers')).toContainText('X-Odd')
  await expect(dialog.getByTestId('headers')).toContainText('value one')
  await showTab(page, 'Source')
  await expect(dialog.getByTestId('raw')).toContainText('X-Odd: value one')
  const raw = page.waitForResponse(response => response.url().endsWith('/raw'))
  const downloading = page.waitForEvent('download')
  await chooseMore(page, 'Download as .eml')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('An answer.eml')
  expect(readFileSync(await download.path()).equals(await (await raw).body())).toBe(true)
})

test('X12 a sender whose name is another address, and a foreign letter in plain text, are pointed out', { tag: '@long' }, async ({
  page,
  sendMail,
}) => {
  const to = await openHome(page)
  const text = 'Sign in at https://\u0430\u0440\u0440\u04cf\u0435.com/login or at https://fine.example/'
  await sendMail({ from: '"security@bank.example" <x7@evil.example>', to, subject: 'Trust me', text })
  const dialog = await openMail(page, 'Trust me')
  await expect(dialog.getByTestId('sender-warning')).toHaveText('The name shows another address: this message came from x7@evil.example.')
  await expect(dialog.getByTestId('text')).toContainText('→ xn--80ak6aa92e.com')
  await expect(dialog.getByTestId('text').getByText('→')).toHaveCount(1)
})

test('quotes in HTML fold too, open with a click or a key, and the frame adjusts', { tag: '@long' }, async ({ page, sendMail }) => {
  const to = await openHome(page)
  const quote = `<blockquote>${'<p>A line of what was asked.</p>'.repeat(12)}</blockquote>`
  await sendMail({ to, subject: 'Answered', html: `<p>Yes.</p><p>On Friday Grace wrote:</p>${quote}<p>Bye</p>` })
  await sendMail({ to, subject: 'A saying', html: `<p>A letter</p>${quote}<p>with a long saying in it</p>` })
  const dialog = await openMail(page, 'A saying')
  await expectFrameText(page, 'A line of what was asked.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await openMail(page, 'Answered')
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'Quoted text')
    expect(await inFrame(page, mail => mail.body.innerText, undefined)).not.toContain('A line of what was asked.')
    const height = () => page.evaluate(() => document.querySelector<HTMLElement>('dialog iframe')?.clientHeight ?? 0)
    const folded = await height()
    // Opened and closed more often than a mail may grow by itself.
    for (let times = 0; times < 5; times++) {
      const { x, y } = await pointInFrame(page, 'summary')
      await page.mouse.click(x, y)
      if (times % 2 === 0) await expect.poll(height).toBeGreaterThan(folded + 200)
      else await expect.poll(height).toBeLessThan(folded + 20)
    }
    expect(await inFrame(page, mail => mail.body.innerText, undefined)).toContain('A line of what was asked.')
  }
})

test('an attachment is a download that can be resumed, and never opens as a page of ours', async ({ page, request, sendMail }) => {
  const to = await openHome(page)
  const content = `<script>document.title = 'ran'</script>${'x'.repeat(5000)}`
  await sendMail({
    to,
    subject: 'A page',
    text: 'See the page.',
    attachments: [{ filename: 'page.html', content, contentType: 'text/html' }],
  })
  const dialog = await openMail(page, 'A page')
  const linked = page.waitForResponse(response => response.request().method() === 'POST' && response.url().includes('/attachments/'))
  await dialog.getByRole('button', { name: 'Download page.html' }).click()
  const { url } = await (await linked).json()
  const whole = await request.get(url)
  expect(whole.headers()).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment/),
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  })
  const rest = await request.get(url, { headers: { range: 'bytes=1000-' } })
  expect([rest.status(), await rest.text()]).toEqual([206, content.slice(1000)])
})

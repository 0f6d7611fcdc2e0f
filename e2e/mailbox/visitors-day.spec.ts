/** A new user's day on a small phone: what must not be lost, said or counted, with a network and without. */

import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import { DAY_MS, NEW_ADDRESSES } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { expect, test, WITH_BOT_CHECK, WITH_MOTION, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { withoutPageChallenge } from '../harness/page-challenge.ts'
import { addressOn } from '../harness/test-mail.ts'
import { liveAddress } from '../message/reader/reading.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ ...WITH_MOTION, viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true, serverEnv: WITH_BOT_CHECK })

/** A word that the page had of itself would be English. */
const language = 'es'

/** A mail is soon too large, and a mailbox full. */
const SMALL = { MESSAGE_BYTES_MAX: '65536', MAILBOX_MESSAGES_MAX: '2' }

const toast = (page: Page) => page.locator('[data-toast]').last()
const tokenOf = (page: Page): Promise<string> => page.evaluate(() => JSON.parse(localStorage.getItem('mayfly.mailbox') ?? '{}').token)
const followLink = (page: Page, token: string) => page.evaluate(fragment => location.assign(fragment), `#m=${token}`)

test('a hand-off link outlives a broken network, asks again, and a cut one is told', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  noise,
}) => {
  noise.allow(/ERR_FAILED|ProblemError/)
  const { notices, mailboxDialogs } = await loadWords(language)
  await using elsewhere = await browser.newContext({ baseURL: baseURL ?? '' })
  const laptop = await elsewhere.newPage()
  await laptop.goto(`/?lang=${language}`)
  const linked = await addressOn(laptop)
  const token = await tokenOf(laptop)

  await page.route('**/api/**', route => route.abort())
  await page.goto(`/?lang=${language}#m=${token}`)
  await expect(toast(page)).toContainText(notices.handOverUnreachable)
  expect(page.url()).not.toContain(token)
  await page.reload()
  await expect(toast(page)).toContainText(notices.handOverUnreachableText)
  await expect(page.locator('[data-mailbox=none]')).toBeVisible()
  await page.unroute('**/api/**')
  // A visitor does this while they wait.
  await page.evaluate(() => dispatchEvent(new Event('online')))
  const dialog = page.getByRole('dialog', { name: mailboxDialogs.linkQuestion.title })
  await expect(dialog).toContainText(mailboxDialogs.linkQuestion.sender)
  await dialog.getByRole('button', { name: mailboxDialogs.linkQuestion.openLink }).tap()
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', linked)
  await expect(toast(page)).toContainText(notices.handedOver)

  // The same link on a browser with an address of its own: asked, declined, and asked again when it is followed again.
  await page.evaluate(() => localStorage.removeItem('mayfly.mailbox'))
  await page.reload()
  await expect(page.getByTestId('address')).not.toHaveAttribute('aria-label', linked)
  const own = await addressOn(page)
  for (const answer of [mailboxDialogs.linkQuestion.stay, mailboxDialogs.linkQuestion.openLink]) {
    await followLink(page, token)
    await expect(dialog).toContainText(mailboxDialogs.linkQuestion.text({ here: own, linked }))
    expect(page.url()).not.toContain(token)
    await dialog.getByRole('button', { name: answer }).tap()
  }
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', linked)
  await expect(page.getByRole('tab', { name: own })).toBeVisible()

  await followLink(page, token.slice(0, 20))
  await expect(toast(page)).toContainText(notices.handOverFailedText)
  expect(page.url()).not.toContain('m=')
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', linked)
})

test('a broken network counts no attempt and accuses nobody, and a deletion that fails says so', { tag: '@long' }, async ({
  page,
  noise,
}) => {
  noise.allow(/ERR_FAILED|ProblemError/)
  const { mailbox, notices, layout } = await loadWords(language)
  await page.goto(`/?lang=${language}`)
  const address = await addressOn(page)
  const strip = page.getByRole('region', { name: mailbox.security.label })
  await page.route('**/api/**', route => route.abort())
  for (let press = 0; press < NEW_ADDRESSES.max; press++) {
    await page.getByRole('button', { name: mailbox.generate }).tap()
    await expect(toast(page)).toContainText(notices.unreached)
    await toast(page).getByRole('button', { name: layout.dismiss }).tap()
    await expect(toast(page)).toHaveCount(0)
  }
  await expect(strip).toContainText(mailbox.security.remaining({ count: NEW_ADDRESSES.max - 1 }))
  await page.getByRole('button', { name: mailbox.delete }).tap()
  await toast(page).getByRole('button', { name: layout.dismiss }).tap()
  await expect(toast(page)).toContainText(notices.deleteFailed)
  await page.unroute('**/api/**')
  await page.reload()
  expect(await addressOn(page)).toBe(address)
})

test('a bot check that never answers ends after 15 s with its text and counts no attempt', async ({ page }) => {
  const { mailbox, notices } = await loadWords(language)
  await page.clock.install()
  await page.goto(`/?lang=${language}`)
  const address = await addressOn(page)
  const isAsked = page.waitForRequest(/bot-check\/challenge/)
  await page.route('**/api/bot-check/challenge**', () => undefined)
  await page.getByRole('button', { name: mailbox.generate }).tap()
  await isAsked
  await page.clock.fastForward(14_000)
  await expect(page.locator('[data-mailbox=generating]')).toBeVisible()
  await page.clock.fastForward(2000)
  await expect(toast(page)).toContainText(notices.botCheck.token)
  expect(await addressOn(page)).toBe(address)
  await expect(page.getByText(mailbox.security.remaining({ count: NEW_ADDRESSES.max - 1 }))).toBeVisible()
})

test('on the first load the wait for the early request counts towards the 15 s', async ({ page }) => {
  const { notices } = await loadWords(language)
  await page.clock.install()
  await page.addInitScript(() => {
    // The clock of the test does not move the browser's own.
    AbortSignal.timeout = ms => {
      const late = new AbortController()
      setTimeout(() => late.abort(), ms)
      return late.signal
    }
  })
  await withoutPageChallenge(page)
  await page.route('**/api/bot-check/challenge**', () => undefined)
  const isAsked = page.waitForRequest(/bot-check\/challenge/)
  await page.goto(`/?lang=${language}`)
  await isAsked
  const isAskedAgain = page.waitForRequest(/bot-check\/challenge/)
  await page.clock.fastForward(8000)
  await isAskedAgain
  await page.clock.fastForward(5000)
  await expect(page.locator('[data-mailbox=generating]')).toBeVisible()
  await expect(toast(page)).toHaveCount(0)
  await page.clock.fastForward(2000)
  await expect(toast(page)).toContainText(notices.botCheck.token)
})

for (const days of [-1, 1]) {
  test(`a clock that is ${days} day off shows when the address goes, not tomorrow`, { tag: '@long' }, async ({ page, sendMail }) => {
    const { mailbox } = await loadWords(language)
    await page.clock.install({ time: Date.now() + days * DAY_MS })
    await page.goto(`/?lang=${language}`)
    await sendMail({ to: await addressOn(page), subject: 'Now', text: 'Hello' })
    const goneAt = new RegExp(mailbox.goneAt({ time: '@' }).replace('@', '\\d?\\d:\\d\\d(\\s[AP]M)?'))
    await expect(page.locator('[data-phase=active]')).toContainText(goneAt)
    await expect(page.locator('[data-message]')).toHaveCount(1)
    // The date of a mail from the future would be wrong.
    if (days < 0) await expect(page.locator('[data-message] time')).toHaveText(/^(now|ahora|1 min)$/)
    await expect(page.getByTestId('countdown')).toHaveText(/^00:(10:00|09:\d\d)$/)
  })
}

test('an address that was deleted on another device, or ended meanwhile, is told without naming it', async ({ page, request, noise }) => {
  noise.allow(/404/)
  const { notices } = await loadWords(language)
  for (const isHere of [true, false]) {
    await page.goto(`/?lang=${language}`)
    const email = await liveAddress(page, language)
    const headers = { authorization: `Bearer ${await tokenOf(page)}` }
    if (!isHere) await page.goto('/healthz')
    await request.delete(routes.mailbox, { headers })
    if (!isHere) await page.goto(`/?lang=${language}`)
    await expect(toast(page)).toContainText(notices.ended)
    await expect(toast(page)).toContainText(notices.endedText)
    await expect(toast(page)).not.toContainText(email)
  }
  await expect(page.getByTestId('address')).toHaveAttribute('aria-label', /@/)
})

test.describe('with small limits', () => {
  test.use({ serverEnv: SMALL })
  test('what the mail server does is shown while waiting, also why it refuses', async ({ page, server, sendMail, request, noise }) => {
    noise.allow(/404/)
    const { delivery } = await loadWords(language)
    await page.goto(`/?lang=${language}`)
    const to = await liveAddress(page, language)
    const line = page.getByTestId('delivery').locator('p')
    const mx = 'mx.shop.example'
    await using sender = await openSender(server.smtpPort, mx)
    await sender.command('MAIL FROM:<a@shop.example> SIZE=43000')
    await sender.command(`RCPT TO:<${to}>`)
    await expect(line).toHaveText(delivery.connected({ server: mx, encrypted: false }))
    await sender.command('DATA')
    await expect(line).toHaveText(delivery.receiving({ server: mx, size: '43 kB' }))
    await sender.command('Subject: here\r\n\r\nHello\r\n.')
    // The row says the rest.
    await expect(page.locator('[data-message]')).toHaveCount(1)
    await expect(line).toHaveCount(0)

    await sender.command('MAIL FROM:<a@shop.example> SIZE=65537')
    expect(await sender.command(`RCPT TO:<${to}>`)).toMatch(/^552/)
    await expect(line).toHaveText(delivery.refused.too_large({ server: mx }))
    await sender.command('RSET')

    {
      await using other = await openSender(server.smtpPort, 'mx.other.example')
      await other.command('MAIL FROM:<a@shop.example>')
      await other.command(`RCPT TO:<${to}>`)
      await other.command('DATA')
      await expect(line).toHaveText(delivery.receiving({ server: 'mx.other.example', size: '' }))
    }
    await expect(line).toHaveText(delivery.disconnected({ server: 'mx.other.example' }))

    await sender.command('MAIL FROM:<a@shop.example>')
    await sender.command(`RCPT TO:<${to}>`)
    await sender.command('DATA')
    expect(await sender.command(`Subject: large\r\n\r\n${`${'x'.repeat(99)}\r\n`.repeat(1000)}.`)).toMatch(/^552/)
    await expect(line).toHaveText(delivery.refused.too_large({ server: mx }))
    await sendMail({ to, subject: 'The second', text: 'There is room for two.' })
    await expect(page.locator('[data-message]')).toHaveCount(2)
    await sendMail({ to, subject: 'The third', text: 'There is room for two.' }).catch(() => undefined)
    await expect(line).toHaveText(delivery.refused.mailbox_full())
    await expect(page.locator('[data-message]')).toHaveCount(2)

    // The address ends in the middle of a mail.
    await sender.command('MAIL FROM:<a@shop.example>')
    await sender.command(`RCPT TO:<${to}>`)
    await sender.command('DATA')
    await expect(line).toHaveText(delivery.receiving({ server: mx, size: '' }))
    await request.delete(routes.mailbox, { headers: { authorization: `Bearer ${await tokenOf(page)}` } })
    await expect(line).toHaveText(delivery.refused.ended())
    expect(await sender.command('Subject: late\r\n\r\nHello\r\n.')).toMatch(/^550/)
  })
})

test.describe('with a service worker', () => {
  test.use(WITH_SERVICE_WORKER)
  test('a reload without a network shows the page, the address and its time', async ({ page, context, noise }) => {
    noise.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|ProblemError/)
    const { layout, inbox } = await loadWords(language)
    const path = `/?lang=${language}`
    await page.goto(path)
    const address = await liveAddress(page, language)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const isKept = () => page.evaluate(async url => (await caches.match(url, { ignoreVary: true })) !== undefined, path)
    await expect.poll(isKept).toBe(true)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText(layout.offline)).toBeVisible()
    expect(await addressOn(page)).toBe(address)
    await expect(page.getByTestId('countdown')).toHaveText(/^00:(10:00|09:\d\d)$/)
    await context.setOffline(false)
    await expect(page.getByTestId('connection-state')).toHaveText(inbox.state.live, { timeout: 40_000 })
  })
})

/** An SMTP client that sends one command at a time and waits for the reply to each. */
async function openSender(port: number, name: string) {
  const socket = connect(port, '127.0.0.1')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const reply = async () => {
    for (;;) {
      const { value } = await lines.next()
      if (value === undefined) throw new Error('the server has closed the connection')
      if (/^\d{3} /.test(value)) return value
    }
  }
  const command = (line: string) => {
    socket.write(`${line}\r\n`)
    return reply()
  }
  await reply()
  await command(`EHLO ${name}`)
  return {
    command,
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
}

/**
 * The main job on the real thing: an address, a mail by SMTP, the mail on the screen, the attachment on the disk, and after the lifetime
 * nothing at all.
 */
import { readFileSync } from 'node:fs'
import type { BrowserContext, Download } from '@playwright/test'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { expect, test, WITH_BOT_CHECK, WITH_MOTION, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { ATTACHMENT, addressOn, BODY_WORD, mailTo, SUBJECT, waiveUndo } from '../harness/test-mail.ts'

test.use({ ...WITH_MOTION, ...WITH_SERVICE_WORKER, serverEnv: WITH_BOT_CHECK })

/** From whichever tab: the one that a download opens closes again before a promise on it could be asked for. */
function nextDownload(context: BrowserContext): Promise<Download> {
  return new Promise(resolve => {
    for (const page of context.pages()) page.once('download', resolve)
    context.on('page', popup => popup.once('download', resolve))
  })
}

test('generate, copy, receive without a refresh, open, download the same bytes', async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  const address = await addressOn(page)
  await page.getByRole('button', { name: 'Copy address' }).click()
  await expect(page.getByText('Email address copied to clipboard.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')

  await sendMail(mailTo(address))
  const row = page.locator('[data-message]')
  await expect(row).toContainText(SUBJECT)
  await expect(row).toContainText('Ada')
  await expect(page).toHaveTitle(/^481 516 · /)
  await row.getByRole('button', { name: '481 516 Copy code' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('481516')

  await row.getByRole('button', { name: /Open/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: SUBJECT })).toBeVisible()
  await expect(dialog.frameLocator('iframe').getByText(BODY_WORD)).toBeVisible()
  await expect(dialog.getByText('résumé.bin')).toBeVisible()
  await expect(dialog.getByText('68.4 KB')).toBeVisible()
  const downloading = nextDownload(context)
  await dialog.getByRole('button', { name: 'Download résumé.bin' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('résumé.bin')
  expect(readFileSync(await download.path()).equals(ATTACHMENT)).toBe(true)
  await expect(page.getByText('Downloading résumé.bin.')).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveTitle(/^Mayfly/)
})

test('a request that is cut because its page is left is no failure to tell of', async ({ page }) => {
  // It is never answered.
  await page.route('**/api/mailbox/messages', () => undefined)
  for (const leave of [() => page.reload(), () => page.goto('/blog?lang=en')]) {
    const asked = page.waitForRequest('**/api/mailbox/messages')
    await page.goto('/?lang=en')
    await asked
    await leave()
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a reload and a second tab keep the address, and both show a mail once', async ({ page, context, sendMail }) => {
  await page.goto('/')
  const address = await addressOn(page)
  await page.reload()
  expect(await addressOn(page)).toBe(address)
  const second = await context.newPage()
  await second.goto('/')
  expect(await addressOn(second)).toBe(address)
  for (const tab of [page, second]) await expect(tab.getByTestId('connection-state')).toHaveText('Live')
  await sendMail(mailTo(address, 'For both tabs'))
  for (const tab of [page, second]) await expect(tab.locator('[data-message]')).toHaveCount(1)
})

test('the seventh tab on HTTP/1.1 works, because only one of them streams', { tag: '@long' }, async ({ page, context, sendMail }) => {
  // Seven pages have to load; on a busy machine that takes its time.
  test.setTimeout(180_000)
  await page.goto('/')
  const address = await addressOn(page)
  const tabs = [page]
  for (let i = 1; i < 7; i++) {
    const tab = await context.newPage()
    await tab.goto('/')
    tabs.push(tab)
  }
  for (const tab of tabs) await expect(tab.getByTestId('connection-state')).toHaveText('Live')
  await sendMail(mailTo(address, 'For all seven'))
  for (const tab of tabs) await expect(tab.locator('[data-message]')).toHaveCount(1)
})

test('generating a new address empties the inbox and destroys the old address, and deleting leaves none', async ({ page, sendMail }) => {
  await page.goto('/')
  const first = await addressOn(page)
  await sendMail(mailTo(first))
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect(page.getByText('New temporary email generated!')).toBeVisible()
  await expect(page.getByText('Your email will be active for 10 minutes.')).toBeVisible()
  expect(await addressOn(page)).not.toBe(first)
  await expect(page.locator('[data-message]')).toHaveCount(0)
  const destroyed = page.waitForResponse(response => response.request().method() === 'DELETE')
  await waiveUndo(page)
  await destroyed
  await expect(sendMail(mailTo(first))).rejects.toThrow(/550/)
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  await expect(page.getByText('Email address deleted!')).toBeVisible()
  await expect(page.getByText('No address yet')).toBeVisible()
})

test('a hand-off URL asks, opens the same inbox, and its token leaves the address bar at once', async ({ page, browser, server }) => {
  await page.goto('/')
  const address = await addressOn(page)
  await page.getByRole('button', { name: 'Open on phone' }).click()
  await expect(page.getByRole('img', { name: 'QR code that opens this inbox' })).toBeVisible()
  const token: string = await page.evaluate(() => JSON.parse(localStorage.getItem('mayfly.mailbox') ?? '{}').token)
  await using phone = await browser.newContext({ viewport: { width: 360, height: 640 } })
  const requested: string[] = []
  phone.on('request', request => requested.push(request.url()))
  const other = await phone.newPage()
  await other.goto(`http://127.0.0.1:${server.httpPort}/#m=${token}`)
  const question = other.getByRole('dialog')
  await expect(question).toContainText('Whoever sent you this link can read this mail too.')
  await expect(other.getByTestId('address')).toHaveCount(0)
  await question.getByRole('button', { name: 'Open the inbox from the link' }).click()
  expect(await addressOn(other)).toBe(address)
  expect(other.url()).not.toContain(token)
  expect(requested.filter(url => url.includes(token))).toEqual([])
})

test('whoever declines a link to a mailbox gets an address of their own', async ({ page, browser, server }) => {
  await page.goto('/')
  const theirs = await addressOn(page)
  const token: string = await page.evaluate(() => JSON.parse(localStorage.getItem('mayfly.mailbox') ?? '{}').token)
  await using visitor = await browser.newContext()
  const other = await visitor.newPage()
  await other.goto(`http://127.0.0.1:${server.httpPort}/#m=${token}`)
  await other.getByRole('button', { name: 'Get a new address of my own' }).click()
  await expect(other.getByRole('dialog')).toHaveCount(0)
  expect(await addressOn(other)).not.toBe(theirs)
  await other.reload()
  await expect(other.getByRole('dialog')).toHaveCount(0)
  expect(await other.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token)
})

test('after a server restart the stream resumes with nothing missing or duplicated', async ({ page, noise }) => {
  // What the browser notes about the stream of a server that was killed.
  noise.allow(/net::ERR_(?:INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|CONNECTION_REFUSED) \(\S+\/api\/mailbox\/(?:events|messages)\)$/)
  // Parts for mail out of view and the newest code may be under way when the server is killed; the page does without them.
  const parts = String.raw`\S+/assets/(?:arrivals|address-choices|code-places)-\S+\.js`
  noise.allow(new RegExp(String.raw`net::ERR_\w+ \(${parts}\)$`), new RegExp(`(?:Failed to load ‘|imported module: )${parts}`))
  // WebKit says it in its own words, and once more for what its service worker fetched.
  noise.allow(/Could not connect to \S+ Connection refused \(\S+\/(?:api\/mailbox\/events|mail-frame)\)$/)
  noise.allow(/^uncaught: TypeError: Load failed$/, new RegExp(`^uncaught: ${parts}\\.$`))
  noise.allow(new RegExp(`TypeError: Load failed \\(${parts}\\)$`), /TypeError: Importing a module script failed\./)
  // The next server answers so until its database is open, also to the part that is asked for once more.
  noise.allow(/503 \(Service Unavailable\) \(\S+\/api\/mailbox\/(?:events|messages)\)$/)
  noise.allow(new RegExp(String.raw`503 \(Service Unavailable\) \(${parts}\)$`))
  // A page that is without its stream for long asks for the list.
  noise.allow(/^warning: ProblemError: (?:network|unreadable_reply)\s/)
  const env = { TRUST_PROXY: '127.0.0.1' }
  const first = await startServerProcess({ env })
  const ports = { HTTP_PORT: String(first.httpPort), SMTP_PORT: String(first.smtpPort) }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ host: '127.0.0.1', port: first.smtpPort, tls: { rejectUnauthorized: false } })
  const send = (to: string, subject: string) => transport.sendMail({ from: 'ada@sender.test', ...mailTo(to, subject) })
  await page.goto(`http://127.0.0.1:${first.httpPort}/`)
  const address = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await send(address, 'before')
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await first.kill9()
  await expect(page.getByTestId('connection-state')).not.toHaveText('Live')
  await using second = await startServerProcess({ env: { ...env, ...ports }, dataDir: first.dataDir })
  await send(address, 'while the page was away')
  await expect(page.getByTestId('connection-state')).toHaveText('Live', { timeout: 40_000 })
  await send(address, 'after')
  await expect(page.locator('[data-message]')).toHaveCount(3)
  expect(second.httpPort).toBe(first.httpPort)
  expect(await addressOn(page)).toBe(address)
  transport.close()
})

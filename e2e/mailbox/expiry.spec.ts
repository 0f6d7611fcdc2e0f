/**
 * The end of an address, with a lifetime of seconds: warned, destroyed, and nothing left that can be read, on the screen or on the disk.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, WITH_MOTION, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { ENDED_NOISE } from '../harness/pages.ts'
import { addressOn, BODY_WORD, mailTo } from '../harness/test-mail.ts'
import { inFrame } from '../message/reader/reading.ts'

/** At most 30, so that it is night from the start: WebKit on a busy machine needs all of it to open a mail of this size. */
const lifetimeOf = (browserName: string) => (browserName === 'webkit' ? 30 : 20)
test.use({
  ...WITH_MOTION,
  ...WITH_SERVICE_WORKER,
  serverEnv: ({ browserName }, use) => use({ LIFETIME_SECONDS: String(lifetimeOf(browserName)) }),
})

/** More than the page shows of a mail at first. */
const PARAGRAPHS = 6000

/** Every byte below a folder, as text that can be searched for ASCII and UTF-8 words. */
function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test('an open mail dissolves with its address, and the next one is a press away', async ({ page, browserName, sendMail, noise }) => {
  noise.allow(ENDED_NOISE)
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await sendMail({ to: address, subject: 'Long', html: '<p>A few words.</p>'.repeat(PARAGRAPHS) })
  await page.locator('[data-message]').getByRole('button').first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('article')).toBeVisible()
  expect(await dialog.evaluate(element => getComputedStyle(element).colorScheme), 'the last seconds are night').toBe('dark')
  const isNightWith = (paragraphsMin: number) =>
    inFrame(
      page,
      (mail, min) => {
        if (!mail || mail.querySelectorAll('p').length < min) return false
        return getComputedStyle(mail.documentElement).colorScheme === 'dark'
      },
      paragraphsMin,
    )
  await expect.poll(() => isNightWith(1)).toBe(true)
  // Its document is written anew.
  await dialog.getByRole('button', { name: 'Show all of it' }).click()
  await expect.poll(() => isNightWith(PARAGRAPHS)).toBe(true)
  await expect(page.locator('[data-mailbox=destroying]')).toHaveCount(1, { timeout: (lifetimeOf(browserName) + 5) * 1000 })
  await expect(dialog.getByRole('article').locator('xpath=..'), 'it is seen to go').toHaveAttribute('data-fades', 'true')
  await expect(dialog).toHaveAccessibleName('Gone. Nothing was kept.')
  await expect(dialog.getByRole('article')).toHaveCount(0)
  expect(new URL(page.url()).hash).toBe('')
  await dialog.getByRole('button', { name: 'Generate new' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => addressOn(page)).not.toBe(address)
})

test('the address warns and is destroyed, and nothing of it is readable on disk before or after', async ({
  page,
  browserName,
  server,
  sendMail,
  noise,
}) => {
  // The page asks for its mail until the end; an answer that comes after it is a 404, which the browser notes by itself.
  noise.allow(
    /^error: Failed to load resource: the server responded with a status of 404 \(Not Found\) \(\S+\/api\/mailbox(?:\/messages|\/events)?\)$/,
  )
  await page.addInitScript(() => {
    const sent: string[] = []
    Object.assign(window, { sent, gtag: (_: string, name: string) => void sent.push(name) })
  })
  await page.goto('/')
  const address = await addressOn(page)
  await sendMail(mailTo(address))
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await expect(page.locator('[data-phase=warning]')).toBeVisible()
  const secrets = [address, address.split('@')[0] ?? '', 'ada@sender.test', 'señal', 'Über', BODY_WORD, '481516']
  const hits = () => {
    const bytes = everythingIn(server.dataDir)
    return secrets.filter(secret => bytes.includes(secret) || bytes.includes(Buffer.from(secret).toString('latin1')))
  }
  expect(hits()).toEqual([])
  await expect(page.locator('[data-mailbox=destroying]')).toBeVisible({ timeout: (lifetimeOf(browserName) + 5) * 1000 })
  await expect(page.locator('[data-mailbox=expired]')).toBeVisible()
  await expect(page.getByText('Your temporary email has been destroyed. Generate a new one to continue.')).toBeVisible()
  await expect(page.getByText('Generate a new email to continue')).toBeVisible()
  await expect(page.locator('[data-toast] p').locator('xpath=preceding-sibling::*'), 'neither a tick nor an alarm').toHaveCount(0)
  await expect(page.getByText('Once you have an address'), 'what the empty inbox waits for').toBeVisible()
  const receipt = page.getByTestId('receipt')
  await expect(receipt).toContainText('1 mail, 1 code.')
  // A number is not the last word of a line.
  expect(await receipt.textContent()).toContain('1\u00a0mail, 1\u00a0code.')
  // WebKit has no region here.
  const time = browserName === 'webkit' ? '\\d\\d:\\d\\d' : '\\d+:\\d\\d [AP]M'
  await expect(page.getByText(/\bGone\b/), 'said once').toHaveText(new RegExp(`^Gone at ${time}\\. Nothing was kept\\.$`))
  // Only Chromium tells Playwright of downloads.
  if (browserName === 'chromium') {
    const saved = page.waitForEvent('download')
    await receipt.getByRole('button', { name: 'Save numbers as picture' }).click()
    const picture = readFileSync(await (await saved).path())
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
  }
  await expect(page.locator('[data-message]')).toHaveCount(0)
  // Whoever hears of the end first, the page's clock or its stream.
  expect(await page.evaluate(() => Reflect.get(window, 'sent').filter((name: string) => name === 'email_expired'))).toHaveLength(1)
  await expect(sendMail(mailTo(address))).rejects.toThrow(/550/)
  expect(hits()).toEqual([])
})

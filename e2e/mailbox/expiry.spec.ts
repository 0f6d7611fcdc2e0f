/**
 * The end of an address, with a lifetime of seconds: warned, destroyed, and nothing left that can be read, on the screen or on the disk.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, WITH_MOTION, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { addressOn, BODY_WORD, mailTo } from '../harness/test-mail.ts'

test.use({ ...WITH_MOTION, ...WITH_SERVICE_WORKER, serverEnv: { LIFETIME_SECONDS: '15' } })

/** Every byte below a folder, as text that can be searched for ASCII and UTF-8 words. */
function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test('the address warns and is destroyed, and nothing of it is readable on disk before or after', async ({
  page,
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
  await expect(page.locator('[data-mailbox=destroying]')).toBeVisible({ timeout: 20_000 })
  await expect(page.locator('[data-mailbox=expired]')).toBeVisible()
  await expect(page.getByText('Your temporary email has been destroyed. Generate a new one to continue.')).toBeVisible()
  await expect(page.getByText('Generate a new email to continue')).toBeVisible()
  await expect(page.locator('[data-message]')).toHaveCount(0)
  // Whoever hears of the end first, the page's clock or its stream.
  expect(await page.evaluate(() => Reflect.get(window, 'sent').filter((name: string) => name === 'email_expired'))).toHaveLength(1)
  await expect(sendMail(mailTo(address))).rejects.toThrow(/550/)
  expect(hits()).toEqual([])
})

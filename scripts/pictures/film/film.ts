/**
 * Films the last minute of an address for the README, from the real server with a real mail, faster than it passes:
 * `npm run film` writes docs/images/last-minute.png, an animated PNG.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { startServer } from '#test/harness/mayfly/start-server.ts'
import { launchOptions } from '../../chromium.ts'
import { type Frame, writeApng } from './apng.ts'
import { readPng } from './png.ts'

const film = join(resolve(import.meta.dirname, '../../..'), 'docs/images/last-minute.png')
const LIFETIME_SECONDS = 62
const SIZE = { width: 400, height: 450 }
/** Seconds left at each frame of the minute. It passes slowly at first, and second by second at the end. */
const MOMENTS = [58, 53, 48, 43, 38, 34, 31, 29, 26, 23, 20, 17, 14, 11, 9, 7, 5, 4, 3, 2, 1]
/** After its end, in milliseconds: the letters dissolve, then the water is still. */
const AFTERWARDS_MS = [300, 700, 1100, 1500, 1900]
const FRAME_MS = 380
const DISSOLVE_MS = 260
const STILL_MS = 3500

await using server = await startServer({
  env: { BOT_CHECK: 'off', AUTHENTICATE_MAIL: 'off', LIFETIME_SECONDS: String(LIFETIME_SECONDS) },
})
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const page = await browser.newPage({ baseURL: `http://127.0.0.1:${server.httpPort}`, viewport: SIZE, locale: 'en-US' })
await page.goto('/')
const email = (await page.getByTestId('address').getAttribute('aria-label')) ?? ''
const transport = createTransport({ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } })
stack.defer(() => transport.close())
await transport.sendMail({
  from: 'Ferry Line <no-reply@sender.test>',
  to: email,
  subject: 'Your sign-in code',
  text: 'Your verification code is 481 516.',
})
await page.getByTestId('messages').getByText('Your sign-in code').waitFor()

const secondsLeft = async () => {
  const [hours = 0, minutes = 0, seconds = 0] = ((await page.getByTestId('countdown').textContent()) ?? '').split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
const frames: Frame[] = []
const take = async (ms: number) => void frames.push({ picture: readPng(await page.screenshot()), ms })
for (const moment of MOMENTS) {
  while ((await secondsLeft()) > moment) await page.waitForTimeout(100)
  await take(FRAME_MS)
}
await page.locator('[data-mailbox=destroying]').waitFor()
const endedAt = performance.now()
for (const afterMs of AFTERWARDS_MS) {
  await page.waitForTimeout(Math.max(0, endedAt + afterMs - performance.now()))
  await take(DISSOLVE_MS)
}
await page.locator('[data-mailbox=expired]').waitFor()
for (const toast of await page.locator('[data-toast]').getByRole('button', { name: 'Dismiss' }).all()) await toast.click()
await page.waitForTimeout(1500)
await take(STILL_MS)
const bytes = writeApng(frames)
writeFileSync(film, bytes)
console.log(`${film}: ${frames.length} frames, ${Math.round(bytes.length / 1000)} kB`)

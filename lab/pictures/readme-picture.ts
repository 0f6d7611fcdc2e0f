/**
 * Draws docs/images/home.png, the picture at the top of the README, from the real server with real mail: `npm run lab -- readme-picture`.
 */
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { launchOptions } from '../../scripts/chromium.ts'
import { startServerProcess } from '../../test/harness/mayfly/start-server-process.ts'

const picture = join(resolve(import.meta.dirname, '../..'), 'docs/images/home.png')

await using server = await startServerProcess({ env: { BOT_CHECK: 'off', DNS_SERVERS: 'off' } })
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const page = await browser.newPage({
  baseURL: `http://127.0.0.1:${server.httpPort}`,
  viewport: { width: 1280, height: 820 },
  locale: 'en-US',
})
// A browser without a window says that they are blocked, and a visitor's that nobody has decided yet.
await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'default' }))
await page.goto('/')
const address = page.getByTestId('address')
const to = (await address.getAttribute('aria-label')) ?? ''
const transport = createTransport({ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } })
stack.defer(() => transport.close())
await transport.sendMail({
  from: 'Ada at Harbour Books <ada@sender.test>',
  to,
  subject: 'Welcome aboard: your reading list is ready',
  text: 'Three books we think you will like, and one we dare you to open.',
})
await transport.sendMail({
  from: 'Ferry Line <no-reply@sender.test>',
  to,
  subject: 'Your sign-in code',
  text: 'Your verification code is 481 516. It works for ten minutes.',
})
await page.getByTestId('messages').getByText('Your sign-in code').waitFor()
// Waits until the new row has slid in.
await page.waitForTimeout(1500)
await page.screenshot({ path: picture })
console.log(picture)

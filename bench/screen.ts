/**
 * From the sender's final dot to the row in the page: 200 mails by SMTP to an address shown in a real Chromium, p50 and p99.
 * `npm run bench:screen -- [--mails N]`. The site must have been built (`npm run build`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { dotted, SmtpClient } from '#test/smtp-client.ts'
import { startServer } from '#test/start-server.ts'
import { launchOptions } from '../scripts/chromium.ts'

/** Far enough apart that no mail waits for the one before it. */
const PAUSE_MS = 30
const ADDRESS = /[a-z0-9._-]+@[a-z0-9.-]+\.test/

const { values } = parseArgs({ options: { mails: { type: 'string', default: '200' } } })
const mails = Number(values.mails)

await using server = await startServer({ env: { BOT_CHECK: 'off', MAILBOX_MESSAGES_MAX: '10000', AUTHENTICATE_MAIL: 'off' } })
const browser = await chromium.launch(launchOptions)
await using _browser = { [Symbol.asyncDispose]: () => browser.close() }
const page = await browser.newPage()
await page.goto(`http://127.0.0.1:${server.httpPort}/`)
await page.waitForFunction(source => new RegExp(source).test(document.body.innerText), ADDRESS.source)
const address = ADDRESS.exec(await page.innerText('body'))?.[0]
if (!address) throw new Error('the page shows no address')
await noteRows(page)
// The stream opens right after the address is there.
await sleep(1000)

await using client = await SmtpClient.connect(server.smtpPort)
await client.play([['EHLO bench.test', 250]])
const sentAt = new Map<string, number>()
for (let n = 0; n < mails; n++) {
  const subject = `bench-row-${n}-end`
  await client.play([
    ['MAIL FROM:<bench@elsewhere.test>', 250],
    [`RCPT TO:<${address}>`, 250],
    ['DATA', 354],
  ])
  const message = dotted(`From: Bench <bench@elsewhere.test>\r\nSubject: ${subject}\r\n\r\nMail number ${n} of ${mails}.\r\n`)
  sentAt.set(subject, performance.timeOrigin + performance.now())
  client.send(message)
  await client.reply()
  await sleep(PAUSE_MS)
}
await sleep(500)
report(await page.evaluate(() => Object.entries(window.benchRows)), sentAt)

/** Notes when each row enters the document, by the page's own clock, which is the machine's. */
async function noteRows(of: Page): Promise<void> {
  await of.evaluate(() => {
    window.benchRows = Object.create(null)
    new MutationObserver(changes => {
      const now = performance.timeOrigin + performance.now()
      for (const node of changes.flatMap(change => [...change.addedNodes, change.target])) {
        for (const [subject] of (node.textContent ?? '').matchAll(/bench-row-\d+-end/g)) window.benchRows[subject] ??= now
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}

function report(rows: readonly (readonly [string, number])[], sent: ReadonlyMap<string, number>): void {
  const waitsMs = rows.map(([subject, at]) => at - (sent.get(subject) ?? Number.NaN)).sort((a, b) => a - b)
  const at = (share: number) => (waitsMs[Math.min(waitsMs.length - 1, Math.floor(waitsMs.length * share))] ?? Number.NaN).toFixed(1)
  console.log(`${mails} mails sent, ${waitsMs.length} rows seen`)
  console.log(`final dot to row in the DOM: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`)
  if (waitsMs.length !== mails) process.exitCode = 1
}

declare global {
  interface Window {
    benchRows: Record<string, number>
  }
}

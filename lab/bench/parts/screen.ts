/** From the sender's final dot to the row on the page, in a real Chromium, while other readers have streams open. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { launchOptions } from '../../../scripts/chromium.ts'
import { followStream } from '../../../test/harness/clients/mailbox-client.ts'
import { dotted, SmtpClient } from '../../../test/harness/clients/smtp-client.ts'
import { siteBuilt } from '../../../test/harness/mayfly/build-server.ts'
import { type Figure, type Part, waitFigures } from './figures.ts'
import { createAddresses, type MeasuredServer, startMeasured } from './server.ts'

/** Far enough apart that no mail waits for the previous one. */
const PAUSE_MS = 30
const MAILS = 200
const STREAMS = [1, 100, 1000]
const ADDRESS = /[a-z0-9._-]+@[a-z0-9.-]+\.test/

export const screen: Part = {
  name: 'screen',
  missing: () => (launchOptions.executablePath === undefined ? 'no Chromium was found (CHROMIUM_PATH)' : undefined),
  async run({ isQuick }) {
    await siteBuilt()
    const figures: Figure[] = []
    for (const streams of isQuick ? [1] : STREAMS) figures.push(...(await measureWith(streams, isQuick ? 5 : MAILS)))
    return figures
  },
}

async function measureWith(streams: number, mails: number): Promise<Figure[]> {
  await using server = await startMeasured()
  const stopping = new AbortController()
  using _stop = { [Symbol.dispose]: () => stopping.abort() }
  // The page has one of the streams.
  const others = await createAddresses(server, streams - 1)
  await Promise.all(others.map(address => followStream(server.httpPort, address, stopping.signal).opened))
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch(launchOptions)
  await using _browser = { [Symbol.asyncDispose]: () => browser.close() }
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${server.httpPort}/`)
  await page.waitForFunction(source => new RegExp(source).test(document.body.innerText), ADDRESS.source)
  const address = ADDRESS.exec(await page.innerText('body'))?.[0]
  if (!address) throw new Error('the page shows no address')
  await noteRows(page)
  // The stream opens right after the address was created.
  await sleep(1000)
  const sentAt = await sendMails(server, address, mails)
  await sleep(500)
  const rows = await page.evaluate(() => Object.entries(window.benchRows))
  if (rows.length !== mails) throw new Error(`${mails} mails were sent, ${rows.length} rows were seen`)
  const waitsMs = rows.map(([subject, at]) => at - (sentAt.get(subject) ?? Number.NaN))
  return waitFigures(`dot to row, ${streams} streams`, waitsMs)
}

/** When each mail was sent, by the machine's clock. */
async function sendMails({ smtpPort }: MeasuredServer, address: string, mails: number): Promise<Map<string, number>> {
  await using client = await SmtpClient.connect(smtpPort)
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
  return sentAt
}

/** Records when each row appears, by the page's clock, which is the machine's. */
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

declare global {
  interface Window {
    benchRows: Record<string, number>
  }
}

/**
 * How smooth long things scroll: a list of a hundred mails, a text of 20,000 lines, an HTML mail of 5 MB (shown up to the limit of a page, 4 MiB), on a phone's screen. Prints the time until
 * each is on the screen and the longest task of the main thread while it is scrolled. `npm run bench:reading`; the site must have been built.
 */
import { chromium, type Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { startServer } from '#test/start-server.ts'
import { launchOptions } from '../scripts/chromium.ts'

await using server = await startServer({ env: { BOT_CHECK: 'off', AUTHENTICATE_MAIL: 'off' } })
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const transport = stack.adopt(createTransport({ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } }), open =>
  open.close(),
)
const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
await page.goto(`http://127.0.0.1:${server.httpPort}/`)
await page.waitForFunction(() => document.querySelector('[data-testid=address]')?.getAttribute('aria-label')?.includes('@'))
const to = (await page.getByTestId('address').getAttribute('aria-label')) ?? ''
const send = (subject: string, body: { text?: string; html?: string }) =>
  transport.sendMail({ from: 'bench@elsewhere.test', to, subject, ...body })

for (let at = 0; at < 98; at++) await send(`Mail ${at}`, { text: `Body ${at}` })
await send('Lines', {
  text: Array.from({ length: 20_000 }, (_, i) => `${i} a line of the log, with https://a.example/${i} in it`).join('\n'),
})
const row = (i: number) => `<tr><td style="padding:4px;color:#333">Row ${i}</td><td><b>${'word '.repeat(28)}</b></td></tr>`
await send('Heavy', { html: `<table>${Array.from({ length: 25_000 }, (_, i) => row(i)).join('\n')}</table>` })
await page.waitForFunction(() => document.querySelectorAll('[data-message]').length === 100)

console.log('what\ton the screen after ms\tlongest task while scrolling, ms\tframes over 50 ms')
report('list of 100 mails', 0, await scroll(page, 'html'))
await open('Lines', '[data-testid=text]')
report('text of 20,000 lines', await timeToShow('Text', '[data-testid=text]'), await scroll(page, 'dialog > div'))
await close()
await open('Heavy', 'dialog iframe')
for (const view of ['Simple', 'Original', 'Text'] as const) {
  const shownMs = await timeToShow(view, view === 'Text' ? '[data-testid=text]' : 'dialog iframe')
  report(`HTML of 5 MB, ${view}`, shownMs, await scroll(page, 'dialog > div'))
}

async function open(subject: string, selector: string): Promise<void> {
  await page.locator('[data-message]').filter({ hasText: subject }).getByRole('button').first().click()
  await page.locator(selector).waitFor()
}

async function close(): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** From the choice of a form of the mail, another one being shown, to two frames after its panel is there. */
async function timeToShow(view: string, selector: string): Promise<number> {
  await choose('Headers')
  await page.getByTestId('headers').waitFor()
  const startedAt = performance.now()
  await choose(view)
  await page.locator(selector).waitFor()
  await page.evaluate(() => new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted))))
  return performance.now() - startedAt
}

/** A form that is on show, or was, is a tab; all others come from the menu. */
async function choose(view: string): Promise<void> {
  const tab = page.getByRole('tab', { name: view, exact: true })
  if ((await tab.count()) > 0) return tab.click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: view }).click()
}

type Scrolled = { longestMs: number; slowFrames: number }

/** Scrolls a few screens at a time through the first 300 screens and watches the main thread. */
async function scroll(page: Page, selector: string): Promise<Scrolled> {
  return page.evaluate(async wanted => {
    const scroller = document.querySelector(wanted)
    if (!scroller) throw new Error(`no ${wanted}`)
    // What opening it took is over before the watch begins.
    await new Promise(resolve => setTimeout(resolve, 1500))
    let longestMs = 0
    const observer = new PerformanceObserver(list => {
      for (const task of list.getEntries()) longestMs = Math.max(longestMs, task.duration)
    })
    observer.observe({ type: 'longtask' })
    let slowFrames = 0
    let before = performance.now()
    for (let step = 0; step < 150; step++) {
      scroller.scrollTop += 2 * innerHeight
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      if (now - before > 50) slowFrames++
      before = now
    }
    await new Promise(resolve => setTimeout(resolve, 300))
    observer.disconnect()
    return { longestMs, slowFrames }
  }, selector)
}

function report(what: string, shownMs: number, { longestMs, slowFrames }: Scrolled): void {
  console.log(`${what}\t${shownMs.toFixed(0)}\t${longestMs.toFixed(0)}\t${slowFrames} of 150`)
}

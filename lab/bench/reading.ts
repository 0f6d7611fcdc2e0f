/**
 * How fast mail opens and how smoothly long content scrolls, on a phone's screen: an ordinary newsletter opened repeatedly, a list of a
 * hundred mails, a text of 20,000 lines, an HTML mail of 5 MB (its beginning, then everything that is shown of it, 4 MiB). Prints the time
 * until each is shown, the longest task of the main thread, and the memory of the page. `npm run lab -- reading [-- --throttle 4]`, which
 * slows the processor four times, as on an average phone; the site must be built.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { launchOptions } from '../../scripts/chromium.ts'
import { startServerProcess } from '../../test/harness/mayfly/start-server-process.ts'

const OPENINGS = 40
const { values } = parseArgs({ options: { throttle: { type: 'string', default: '1' } } })

await using server = await startServerProcess({ env: { BOT_CHECK: 'off', DNS_SERVERS: 'off' } })
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const transport = stack.adopt(createTransport({ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } }), open =>
  open.close(),
)
const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
// Laying out millions of characters takes its time.
page.setDefaultTimeout(180_000)
const session = await page.context().newCDPSession(page)
await session.send('Performance.enable')
await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.throttle) })
await page.goto(`http://127.0.0.1:${server.httpPort}/`)
await page.waitForFunction(() => document.querySelector('[data-testid=address]')?.getAttribute('aria-label')?.includes('@'))
const to = (await page.getByTestId('address').getAttribute('aria-label')) ?? ''
const send = (subject: string, body: { text?: string; html?: string }) =>
  transport.sendMail({ from: 'bench@elsewhere.test', to, subject, ...body })

for (let at = 0; at < 97; at++) await send(`Mail ${at}`, { text: `Body ${at}` })
await send('Lines', {
  text: Array.from({ length: 20_000 }, (_, i) => `${i} a line of the log, with https://a.example/${i} in it`).join('\n'),
})
const newsletter = readFileSync(resolve(import.meta.dirname, '../../test/fixtures/html/newsletter.html'), 'utf8')
await send('Newsletter', { html: newsletter })
const row = (i: number) => `<tr><td style="padding:4px;color:#333">Row ${i}</td><td><b>${'word '.repeat(28)}</b></td></tr>`
await send('Heavy', { html: `<table>${Array.from({ length: 25_000 }, (_, i) => row(i)).join('\n')}</table>` })
await page.waitForFunction(() => document.querySelectorAll('[data-message]').length === 100)

// The page's stream never ends, so the network is never idle: its own work is done when it has had time to spare.
await page.evaluate(() => new Promise(done => requestIdleCallback(() => setTimeout(done, 2000))))
console.log(`a processor ${values.throttle} times slower than this one; ${newsletter.length} characters of newsletter`)
console.log('opened\tp50 ms\tp99 ms\tfirst ms\tlongest task ms')
for (const view of ['Simple', 'Original']) {
  const times: number[] = []
  let longestMs = 0
  for (let at = 0; at < OPENINGS; at++) {
    const opened = await timeToOpen('Newsletter')
    times.push(opened.ms)
    longestMs = Math.max(longestMs, opened.longestMs)
    // The choice of a view is remembered for the next opening.
    if (at === 0) await page.getByRole('tab', { name: view, exact: true }).click()
    await close()
  }
  const [first = 0, ...later] = times
  later.sort((a, b) => a - b)
  const share = (part: number) => (later[Math.min(later.length - 1, Math.floor(later.length * part))] ?? 0).toFixed(0)
  console.log(`newsletter, ${view}\t${share(0.5)}\t${share(0.99)}\t${first.toFixed(0)}\t${longestMs.toFixed(0)}`)
}
console.log(`memory of the page after that: ${await heapMib()} MiB`)

console.log(
  'what\ton the screen after ms\tlongest task meanwhile ms\tlongest task while scrolling ms\tframes over 50 ms\tscrolled px\tmemory MiB',
)
await report('list of 100 mails', { ms: 0, longestMs: 0 }, 'html')
await open('Lines', '[data-testid=text]')
await report('text of 20,000 lines', await timeToShow('Text', '[data-testid=text]'), 'dialog > div')
await close()
await open('Heavy', 'dialog iframe')
for (const view of ['Simple', 'Original', 'Text'] as const) {
  const selector = view === 'Text' ? '[data-testid=text]' : 'dialog iframe'
  await report(`HTML of 5 MB, ${view}`, await timeToShow(view, selector), 'dialog > div')
  if (view === 'Text') continue
  const whole = await watched(async () => {
    await page.getByRole('button', { name: 'Show all of it' }).click()
    await page.waitForFunction(() => (document.querySelector('iframe')?.contentDocument?.body.textContent.length ?? 0) > 2_000_000)
    await painted()
  })
  await report(`all of it, ${view}`, whole, 'dialog > div')
  // Opened again, only its beginning is shown, in either view.
  await close()
  await open('Heavy', 'dialog iframe')
}

type Watched = { ms: number; longestMs: number }

/** How long it takes, and the longest task of the page's main thread in that time. */
async function watched(act: () => Promise<void>): Promise<Watched> {
  await page.evaluate(() => {
    const tasks: number[] = []
    const observer = new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    observer.observe({ type: 'longtask' })
    Object.assign(window, { tasks, observer })
  })
  const startedAt = performance.now()
  await act()
  const ms = performance.now() - startedAt
  const longestMs = await page.evaluate(async () => {
    await new Promise(resolve => setTimeout(resolve, 100))
    ;(Reflect.get(window, 'observer') as PerformanceObserver).disconnect()
    return Math.max(0, ...(Reflect.get(window, 'tasks') as number[]))
  })
  return { ms, longestMs }
}

/** From the press on its row to two frames after its words are in the mail's frame, timed in the page. */
async function timeToOpen(subject: string): Promise<Watched> {
  let ms = 0
  const { longestMs } = await watched(async () => {
    ms = await page.evaluate(async wanted => {
      const row = Array.from(document.querySelectorAll('[data-message]')).find(({ textContent }) => textContent.includes(wanted))
      const startedAt = performance.now()
      const button = row?.querySelector('button')
      button?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
      button?.click()
      const isShown = () => {
        const frame = document.querySelector<HTMLIFrameElement>('dialog iframe')
        return frame !== null && frame.clientHeight > 100 && (frame.contentDocument?.body?.textContent.length ?? 0) > 100
      }
      while (!isShown()) await new Promise(requestAnimationFrame)
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
      return performance.now() - startedAt
    }, subject)
  })
  return { ms, longestMs }
}

async function heapMib(): Promise<string> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return ((metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1_048_576).toFixed(1)
}

/** A function, because the measurements above call it before a constant here would have its value. */
function painted(): Promise<unknown> {
  return page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

async function open(subject: string, selector: string): Promise<void> {
  await page.locator('[data-message]').filter({ hasText: subject }).getByRole('button').first().click()
  await page.locator(selector).waitFor()
}

async function close(): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** From choosing another view of the mail to two frames after its panel is shown. */
async function timeToShow(view: string, selector: string): Promise<Watched> {
  await choose('Headers')
  await page.getByTestId('headers').waitFor()
  return watched(async () => {
    await choose(view)
    await page.locator(selector).waitFor()
    if (selector.includes('iframe')) await page.waitForFunction(() => (document.querySelector('iframe')?.clientHeight ?? 0) > 1000)
    await painted()
  })
}

/** A view that is or was shown is a tab, and all others are in the menu. */
async function choose(view: string): Promise<void> {
  const tab = page.getByRole('tab', { name: view, exact: true })
  if ((await tab.count()) > 0) return tab.click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: view }).click()
}

type Scrolled = { longestMs: number; slowFrames: number; px: number }

/** Scrolls a few screens at a time through the first 300 screens and observes the main thread. */
async function scroll(page: Page, selector: string): Promise<Scrolled> {
  return page.evaluate(async wanted => {
    // A dialog of several boxes scrolls in one of them.
    const scroller = Array.from(document.querySelectorAll(wanted)).find(box => box.scrollHeight > box.clientHeight + 100)
    if (!scroller) throw new Error(`nothing scrolls in ${wanted}`)
    // Waits until everything caused by opening it has ended.
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
    return { longestMs, slowFrames, px: scroller.scrollTop }
  }, selector)
}

async function report(what: string, shown: Watched, selector: string): Promise<void> {
  const { longestMs, slowFrames, px } = await scroll(page, selector)
  const figures = [shown.ms, shown.longestMs, longestMs].map(ms => ms.toFixed(0)).join('\t')
  console.log(`${what}\t${figures}\t${slowFrames} of 150\t${px.toFixed(0)}\t${await heapMib()}`)
}

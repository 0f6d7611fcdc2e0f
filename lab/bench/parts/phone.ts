/**
 * A first visit to the home page on a phone: slow 4G and a processor four times slower, applied by the browser as Lighthouse does with
 * `--throttling-method=devtools`. And over plain http, as in a home network, where the bot check runs in JavaScript.
 */
import type { Browser, Page } from '@playwright/test'
import { launchOptions } from '../../../scripts/chromium.ts'
import { siteBuilt } from '../../../test/harness/mayfly/build-server.ts'
import { type Figure, type Part, quantile } from './figures.ts'
import { startMeasured } from './server.ts'

/** Lighthouse's mobileSlow4G: a round trip of 150 ms and 1.6 Mbit/s, with the factors by which it makes them requests of a browser. */
const SLOW_4G = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1638.4 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
}
const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true, locale: 'en-US' } as const
const VISITS = 5
/** Nothing of a first visit comes later. */
const QUIET_MS = 2000
const PLAIN_HTTP_HOST = 'mayfly.plain.test'

type Seen = {
  usableMs: number
  lcpMs: number
  fcpMs: number
  longTasks: { startMs: number; durationMs: number }[]
  shift: number
  /** What moved, to find the cause. */
  moved: string[]
}

declare global {
  interface Window {
    seen: Seen
  }
}

export const phone: Part = {
  name: 'phone',
  missing: () => (launchOptions.executablePath === undefined ? 'no Chromium was found (CHROMIUM_PATH)' : undefined),
  async run({ isQuick }) {
    await siteBuilt()
    await using server = await startMeasured({ BOT_CHECK: 'pow' })
    const { chromium } = await import('@playwright/test')
    const names = `--host-resolver-rules=MAP ${PLAIN_HTTP_HOST} 127.0.0.1`
    const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), names] })
    await using _browser = { [Symbol.asyncDispose]: () => browser.close() }
    const visits: Seen[] = []
    const plain: Seen[] = []
    for (let visit = 0; visit < (isQuick ? 1 : VISITS); visit++) {
      visits.push(await visitHome(browser, `http://localhost:${server.httpPort}/`, true))
      plain.push(await visitHome(browser, `http://${PLAIN_HTTP_HOST}:${server.httpPort}/`, false))
    }
    for (const { moved } of visits) if (moved.length > 0) process.stderr.write(`moved: ${moved.join('; ')}\n`)
    return [
      median('address usable', visits, 'ms', ({ usableMs }) => usableMs),
      median('first contentful paint', visits, 'ms', ({ fcpMs }) => fcpMs),
      median('largest contentful paint', visits, 'ms', ({ lcpMs }) => lcpMs),
      median('total blocking time', visits, 'ms', blockingMs),
      median('layout shift', visits, '', ({ shift }) => shift),
      median('address usable, plain http, not slowed down', plain, 'ms', ({ usableMs }) => usableMs),
    ]
  },
}

async function visitHome(browser: Browser, url: string, isSlowed: boolean): Promise<Seen> {
  const context = await browser.newContext(PHONE)
  await using _context = { [Symbol.asyncDispose]: () => context.close() }
  const page = await context.newPage()
  await page.addInitScript(watch)
  if (isSlowed) await slowDown(page)
  await page.goto(url, { waitUntil: 'commit' })
  await page.getByTestId('connection-state').getByText('Live').waitFor({ timeout: 60_000 })
  await page.waitForTimeout(QUIET_MS)
  return await page.evaluate(() => window.seen)
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
}

/** Runs in the page before everything else. */
function watch(): void {
  const seen: Seen = { usableMs: 0, lcpMs: 0, fcpMs: 0, longTasks: [], shift: 0, moved: [] }
  window.seen = seen
  const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('largest-contentful-paint', entry => {
    seen.lcpMs = entry.startTime
  })
  observe('paint', entry => {
    if (entry.name === 'first-contentful-paint') seen.fcpMs = entry.startTime
  })
  observe('longtask', entry => seen.longTasks.push({ startMs: entry.startTime, durationMs: entry.duration }))
  observe('layout-shift', entry => {
    const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] }
    seen.shift += value
    const names = sources.map(({ node }) => (node instanceof Element ? `${node.tagName} ${node.className}` : String(node?.textContent)))
    seen.moved.push(`${value.toFixed(3)} at ${Math.round(entry.startTime)} ms: ${names.join(', ').slice(0, 300)}`)
  })
  const isUsable = () => {
    const copy = [...document.querySelectorAll('button')].find(button => /^Copy address$/.test(button.innerText) && !button.disabled)
    return copy !== undefined && /[a-z0-9.]+@[a-z.]+\.test/.test(document.querySelector('main')?.innerText ?? '')
  }
  const look = new MutationObserver(() => {
    if (!isUsable()) return
    look.disconnect()
    // Once it is painted.
    requestAnimationFrame(() => setTimeout(() => (seen.usableMs = performance.now())))
  })
  look.observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
}

/** The part of each long task beyond 50 ms, from the first paint on. */
function blockingMs({ fcpMs, longTasks }: Seen): number {
  return longTasks.filter(task => task.startMs + task.durationMs > fcpMs).reduce((sum, task) => sum + task.durationMs - 50, 0)
}

function median(name: string, visits: readonly Seen[], unit: string, value: (seen: Seen) => number): Figure {
  const sorted = visits.map(value).sort((a, b) => a - b)
  return { name, value: quantile(sorted, 0.5), unit }
}

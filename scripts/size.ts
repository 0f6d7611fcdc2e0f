/**
 * Measures what a browser fetches to show `/` without interaction, and fails if the JavaScript exceeds its budget. Uses a real browser and
 * the real server; sizes are those of the brotli files.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { launchOptions } from './chromium.ts'

/** What a phone on slow 4G (1.6 Mbit/s) receives in less than half a second. */
const JS_BYTES_MAX = 89_000
const web = join(resolve(import.meta.dirname, '..'), 'dist/web')

await using server = await startServerProcess()
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
// A phone has no pointer that hovers, for which the page fetches more. Chromium invents one now and then.
const page = await browser.newPage({ viewport: { width: 360, height: 640 }, serviceWorkers: 'block', hasTouch: true, isMobile: true })
await page.addInitScript(() => addEventListener('pointerover', event => event.stopImmediatePropagation(), { capture: true }))
// Beside it may run what needs all of the machine, such as an installation.
page.setDefaultTimeout(120_000)
const requested = new Map<string, string>()
page.on('request', request => requested.set(new URL(request.url()).pathname, request.resourceType()))
await page.goto(`http://127.0.0.1:${server.httpPort}/`, { waitUntil: 'load' })
// The address exists, its proof of work is done and its stream is open. Everything later needs a click.
await page.locator('[data-testid=connection-state]', { hasText: 'Live' }).waitFor()
await page.evaluate(() => new Promise(idle => requestIdleCallback(idle)))
await page.waitForTimeout(500)

const files = [...requested].filter(([path]) => existsSync(join(web, path)) && path !== '/')
const rows = files.map(([path, type]) => ({ path, type: path.endsWith('.js') ? 'script' : type, bytes: wireBytes(path) }))
rows.push({ path: 'inside the page', type: 'script', bytes: inlineScriptBytes() })
const scripts = rows.filter(row => row.type === 'script')
const total = scripts.reduce((sum, row) => sum + row.bytes, 0)

for (const row of rows.toSorted((a, b) => b.bytes - a.bytes)) {
  console.log(`${(row.bytes / 1000).toFixed(1).padStart(8)} kB  ${row.type.padEnd(10)} ${basename(row.path)}`)
}
console.log(`${(total / 1000).toFixed(1).padStart(8)} kB  JavaScript in ${scripts.length} files; the budget is ${JS_BYTES_MAX / 1000} kB`)
if (scripts.length === 1) throw new Error('No script was fetched: is the site built? (npm run build)')
if (total > JS_BYTES_MAX) {
  console.error('Over the budget: load what is not needed before a click with import().')
  process.exitCode = 1
}

/** Compressed by itself: inside the page it takes a little less. */
function inlineScriptBytes(): number {
  const [, code = ''] = /<script>(.*?)<\/script>/s.exec(readFileSync(join(web, 'pages/en/index.html'), 'utf8')) ?? []
  return brotliCompressSync(code).length
}

function wireBytes(path: string): number {
  const compressed = join(web, `${path}.br`)
  return statSync(existsSync(compressed) ? compressed : join(web, path)).size
}

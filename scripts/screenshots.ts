/**
 * Pictures of every page × language × width × theme into screenshots/, to be looked at: `npm run screenshots`, or with a part of a
 * name, e.g. `npm run screenshots -- home-en-360`. The first screen and the whole page are separate files.
 */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { LANGUAGES } from '#contract/limits.ts'
import { startServer } from '#test/start-server.ts'
import { pagePaths } from '#web/page-paths.ts'
import { launchOptions } from './chromium.ts'

const folder = join(resolve(import.meta.dirname, '..'), 'screenshots')
const VIEWPORTS = [
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
]
const wanted = process.argv[2] ?? ''

await mkdir(folder, { recursive: true })
await using server = await startServer({ env: { TRUST_PROXY: '127.0.0.1' } })
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())

const shots = [...pagePaths, '/no-such-page'].flatMap(path =>
  LANGUAGES.flatMap(language =>
    VIEWPORTS.flatMap(viewport => (['light', 'dark'] as const).map(theme => ({ path, language, viewport, theme }))),
  ),
)
let count = 0
for (const { path, language, viewport, theme } of shots) {
  const name = [path.slice(1).replaceAll('/', '-') || 'home', language, viewport.width, theme].join('-')
  if (!name.includes(wanted)) continue
  const page = await browser.newPage({
    viewport,
    colorScheme: theme,
    // Each picture is of a visitor of its own, so that no limit is in the picture.
    extraHTTPHeaders: { 'x-forwarded-for': `10.1.${count >> 8}.${count & 255}` },
  })
  await page.goto(`http://127.0.0.1:${server.httpPort}${path}?lang=${language}`)
  await settle(page)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.screenshot({ path: join(folder, `${name}-whole.png`), fullPage: true })
  await page.close()
  count += 1
}
console.log(`${count} pages pictured in ${folder}`)

/** Passes the lazy sections once, so that they are alive, and waits until nothing is fetched any more. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise(resolve => setTimeout(resolve, 80))
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await document.fonts.ready
  })
  await page.waitForTimeout(600)
}

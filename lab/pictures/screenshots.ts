/**
 * Screenshots of every page and state × language × width × theme in screenshots/, for review: `npm run lab -- screenshots`, or with part
 * of a name, e.g. `npm run lab -- screenshots home-en-360`. The first screen and the whole page are separate files; a dialog covers the
 * screen, so it has only one. Uses the real server, real mail and the states of e2e/scenes/.
 */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { LANGUAGES, type Language } from '../../contract/languages.ts'
import { enter, type Scene, visit } from '../../e2e/scenes/scene.ts'
import { scenes } from '../../e2e/scenes/scenes.ts'
import { loadWords } from '../../e2e/scenes/words.ts'
import { launchOptions } from '../../scripts/chromium.ts'
import { type RunningServer, startServerProcess } from '../../test/harness/mayfly/start-server-process.ts'
import { startMailRecorder } from '../../test/harness/servers/mail-recorder.ts'
import { pagePaths, privatePaths } from '../../web/page-paths.ts'

const folder = join(resolve(import.meta.dirname, '../..'), 'screenshots')
/** The phone is last, because a touch screen cannot become one for a mouse again. */
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 360, height: 640 },
]
const PHONE_WIDTH = 360
const THEMES = ['light', 'dark'] as const
const wanted = process.argv[2] ?? ''

/** `/account` needs a session and has its own scenes. */
const pages: Scene[] = [...pagePaths, ...privatePaths.filter(path => path !== '/account'), '/no-such-page'].map(path => ({
  name: path.slice(1).replaceAll('/', '-') || 'home',
  arrange: stage => visit(stage, path),
}))

await mkdir(folder, { recursive: true })
await using recorder = await startMailRecorder()
await using server = await startServerProcess({
  env: { TRUST_PROXY: '127.0.0.1', SMTP_RELAY_URL: recorder.url, CONTACT_TO: 'operator@example.com', BOT_CHECK: 'off' },
})
await using stack = new AsyncDisposableStack()
const transport = stack.adopt(createTransport({ host: '127.0.0.1', port: server.smtpPort, tls: { rejectUnauthorized: false } }), open =>
  open.close(),
)
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
let visitors = 0
let count = 0
for (const scene of [...pages, ...scenes]) for (const language of LANGUAGES) count += await picture(browser, server, scene, language)
console.log(`${count} pictures in ${folder}`)

/** One visitor sets up the scene; all its widths and themes use that visitor. */
async function picture(browser: Browser, server: RunningServer, scene: Scene, language: Language): Promise<number> {
  const shots = VIEWPORTS.flatMap(viewport =>
    THEMES.map(theme => ({ viewport, theme, name: screenshotName(scene, language, viewport.width, theme) })),
  )
  const chosen = shots.filter(({ name }) => name.includes(wanted))
  if (chosen.length === 0) return 0
  visitors += 1
  await using context = await browser.newContext({
    baseURL: `http://127.0.0.1:${server.httpPort}`,
    locale: language,
    colorScheme: 'light',
    timezoneId: 'Europe/Madrid',
    permissions: ['clipboard-read', 'clipboard-write', 'notifications'],
    // A network of its own, so that no limit appears in the picture.
    extraHTTPHeaders: { 'x-forwarded-for': `10.1.${visitors >> 8}.${visitors & 255}` },
  })
  const page = await context.newPage()
  const sendMail = async (mail: object) => void (await transport.sendMail({ from: 'Ada <ada@sender.test>', ...mail }))
  await enter(scene, { page, language, words: await loadWords(language), sendMail, recorder })
  for (const { viewport, theme, name } of chosen) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: theme })
    if (viewport.width === PHONE_WIDTH) await emulateTouch(page)
    await settle(page)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    if ((await page.locator('dialog[open]').count()) === 0) {
      await page.screenshot({ path: join(folder, `${name}-whole.png`), fullPage: true })
    }
  }
  return chosen.length
}

/** Styles for `pointer: coarse` apply from here. */
async function emulateTouch(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

function screenshotName(scene: Scene, language: Language, width: number, theme: string): string {
  return [scene.name, language, width, theme].join('-')
}

/**
 * Scrolls past the lazy sections, so that they are hydrated, and waits for animations to end. A timer here, because a scene may have
 * stopped the page's clock.
 */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  const screens = await page.evaluate(() => Math.ceil(document.body.scrollHeight / innerHeight))
  for (let screen = screens - 1; screen >= 0; screen--) {
    await page.evaluate(top => scrollTo({ top: top * innerHeight, behavior: 'instant' }), screen)
    await page.waitForTimeout(20)
  }
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(300)
}

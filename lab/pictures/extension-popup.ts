/**
 * The pictures of `/extension`: the popup with an address and a code, as its own code and styles draw it, by day and night, in each
 * language: `npm run build && npm run lab -- extension-popup`. The browser's part is stood in for by what the popup reads.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { LANGUAGES } from '../../contract/languages.ts'
import { launchOptions } from '../../scripts/chromium.ts'

const root = resolve(import.meta.dirname, '../..')
const built = join(root, 'dist/extension')
/** All of it. */
const SIZE = { width: 360, height: 523 }
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' }

await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const origin = 'https://mail.example.com'
for (const language of LANGUAGES) {
  const messages: Record<string, { message: string }> = JSON.parse(readFileSync(join(built, `_locales/${language}/messages.json`), 'utf8'))
  for (const colorScheme of ['light', 'dark'] as const) {
    await using context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 2, colorScheme, locale: language, bypassCSP: true })
    const page = await context.newPage()
    await page.route(`${origin}/**`, route => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
      return route.fulfill({ body: readFileSync(join(built, name)), contentType: TYPES[name.split('.').at(-1) ?? ''] ?? '' })
    })
    await page.addInitScript(standIn, { messages, language, origin })
    await page.goto(`${origin}/popup/popup.html`)
    await page.getByText('481 516').waitFor()
    await page.waitForFunction(() => document.fonts.size > 0 && [...document.fonts].every(({ status }) => status === 'loaded'))
    const session = await context.newCDPSession(page)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    writeFileSync(join(root, `web/public/extension-${language}-${colorScheme}.webp`), Buffer.from(data, 'base64'))
  }
}

type Given = { messages: Record<string, { message: string }>; language: string; origin: string }

/** Runs in the page. */
function standIn({ messages, language, origin }: Given): void {
  const now = Date.now()
  const email = 'walnut.pilot.k7q2m4xd@in.example.com'
  const mail = {
    id: '1',
    from: 'The Garden Club',
    subject: language === 'es' ? 'Tu código' : 'Your code',
    receivedAt: new Date(now).toISOString(),
    code: '481516',
  }
  const address = { email, token: 't', origin, usedOn: 'garden.example', endsAtMs: now + 512_000, lifetimeSeconds: 600, mails: [mail] }
  const kept = { local: { site: { origin } }, session: { state: { addresses: [address] } } }
  const area = (name: 'local' | 'session') => ({ get: async () => kept[name], set: async () => undefined })
  const chrome = {
    i18n: {
      getMessage: (name: string, values: readonly string[] = []) =>
        (messages[name]?.message ?? '').replace(/\$(\d)/g, (_, at: string) => values[Number(at) - 1] ?? ''),
      getUILanguage: () => language,
    },
    storage: { local: area('local'), session: area('session'), onChanged: { addListener: () => undefined } },
    tabs: { query: async () => [{ id: 1, url: 'https://garden.example/sign-up' }] },
    runtime: { sendMessage: async () => ({ did: 'put', host: 'garden.example' }), id: 'x' },
    permissions: { contains: async () => true },
  }
  Object.assign(globalThis, { chrome })
}

/**
 * Words stand out in every view: in the simple view no text has a contrast under 4.5:1, in the other none under 3:1 that had more in the
 * raw page, and no view is wider than its frame. Our own mails always run; `CORPUS=1 npm run e2e -- e2e/message/contrast.spec.ts` measures
 * the mails of other projects beside the checkout as well (`CORPUS=FOLDER`: any folder of mail), prints the figures of each corpus and
 * takes pictures of the ten worst.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, type Page, type TestInfo } from '@playwright/test'
import { corpusMails } from './reader/corpus-mails.ts'
import type { Reader } from './reader/reader-bundle.ts'
import { readerTest as test } from './reader/reader-page.ts'

const fixtures = resolve(import.meta.dirname, '../../test/fixtures/html')
const SETTINGS = [375, 1280].flatMap(width => (['light', 'dark'] as const).map(scheme => ({ width, scheme })))
const VIEWS = ['simple', 'layout'] as const
const PICTURES_MAX = 10

type View = (typeof VIEWS)[number]
type Measured = {
  faint: { view: View; text: string; ratio: number }[]
  /** How many pixels each view is wider than its frame. */
  overflow: Record<View, number>
  height: Record<View, number>
}

const ownMails = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.html'))
  .map(name => ({ corpus: 'own', name, html: readFileSync(join(fixtures, name), 'utf8') }))

for (const { width, scheme } of SETTINGS) {
  test(`text has enough contrast in both views, ${scheme}, ${width} px`, async ({ readerPage: page }, testInfo) => {
    const mails = [...ownMails, ...corpusMails()]
    test.setTimeout(90_000 + mails.length * 2000)
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    const found: { ratio: number; view: View; name: string; html: string; text: string }[] = []
    const corpora = new Map<string, { mails: number; faintMails: number; texts: number; wideSimple: number; wideLayout: number }>()
    for (const { corpus, name, html } of mails) {
      const { faint, overflow } = await page.evaluate(measure, { html, width })
      const figures = corpora.get(corpus) ?? { mails: 0, faintMails: 0, texts: 0, wideSimple: 0, wideLayout: 0 }
      figures.mails += 1
      figures.faintMails += faint.length > 0 ? 1 : 0
      figures.texts += faint.length
      figures.wideSimple += overflow.simple > 0 ? 1 : 0
      figures.wideLayout += overflow.layout > 0 ? 1 : 0
      corpora.set(corpus, figures)
      for (const text of faint) found.push({ name, html, ...text })
    }
    found.sort((a, b) => a.ratio - b.ratio)
    const lines = found.map(({ ratio, view, name, text }) => `${ratio.toFixed(2)} ${view} ${name}: ${text.slice(0, 40)}`)
    if (process.env.CORPUS) {
      console.log(`contrast, ${scheme}, ${width} px: ${mails.length} mails, ${found.length} texts too faint`, Object.fromEntries(corpora))
      console.log(lines.slice(0, 40).join('\n'))
      await pictureWorst(page, testInfo, found, width)
    }
    expect(lines).toEqual([])
    expect([...corpora.values()].map(({ wideSimple }) => wideSimple)).toEqual([...corpora.values()].map(() => 0))
  })
}

/** The style of `selector` in a mail whose pictures are blocked. */
async function styleOf(page: Page, html: string, selector: string): Promise<{ color: string; backgroundColor: string }> {
  return page.evaluate(
    ({ html, selector }) => {
      const { applyTheme, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
      const frame = document.createElement('iframe')
      document.body.replaceChildren(frame)
      const inner = frame.contentDocument ?? document
      const mail = sanitizeMail(html, { view: 'layout', areImagesAllowed: false })
      writeMail(inner, mail, 'layout', 'Quoted text')
      applyTheme(inner, mail, 'layout', 'auto')
      const { color, backgroundColor } = getComputedStyle(inner.querySelector(selector) ?? inner.body)
      return { color, backgroundColor }
    },
    { html, selector },
  )
}

test('white words on a blocked picture have a ground, and only they', async ({ readerPage: page }) => {
  const none = 'rgba(0, 0, 0, 0)'
  const words = '<h1 style="color:#fff">Lisbon from 39 euro</h1>'
  const cell = (attributes: string, content: string) => `<table><tr><td ${attributes}>${content}</td></tr></table>`
  const groundOf = async (html: string) => (await styleOf(page, html, 'td')).backgroundColor
  expect(await groundOf(cell('background="https://a.example/hero.jpg"', words))).toMatch(/^rgb\((\d+), \1, \1\)$/)
  expect(await groundOf(`<style>td { background: url(https://a.example/hero.jpg) }</style>${cell('', words)}`)).not.toBe(none)
  expect(await groundOf(cell('style="background:#036 url(https://a.example/hero.jpg)"', words))).toBe('rgb(0, 51, 102)')
  expect(await groundOf(cell('background="https://a.example/tile.png"', '<h1>Dark words</h1>'))).toBe(none)
  expect(await groundOf(cell('', words))).toBe(none)
  const hidden = '<p style="color:#fff">Hidden line</p><p>Many more words that can be read.</p>'
  expect(await groundOf(cell('background="https://a.example/tile.png"', hidden))).toBe(none)
})

test('by night words are made stronger in a dark mode of the mail too, and never grey on grey', async ({ readerPage: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = (rules: string) => `<style>@media (prefers-color-scheme: dark) { body { background: #333; color: #fff } ${rules} }</style>`
  const link = `${dark('')}<body><p style="color:#aaa">A line that is pale on white.</p><a style="color:#3869d4" href="https://a.example/">View</a></body>`
  const { color } = await styleOf(page, link, 'a')
  expect(color).not.toBe('rgb(56, 105, 212)')
  const button = `${dark('p { color: #343434 }')}<body><p>Many words of the mail.</p><b style="color:#fff;background:#22bc66">Pay</b></body>`
  expect((await styleOf(page, button, 'b')).color).toBe('rgb(0, 0, 0)')
})

/** For a person to look at: one picture for each mail, of the view with the faintest words. */
async function pictureWorst(page: Page, testInfo: TestInfo, found: readonly { view: View; name: string; html: string }[], width: number) {
  const worst = new Map(found.map(entry => [entry.name, entry]).reverse() as [string, (typeof found)[number]][])
  for (const { name, view, html } of [...worst.values()].reverse().slice(0, PICTURES_MAX)) {
    await page.evaluate(measure, { html, width, lastView: view })
    const path = testInfo.outputPath(`${name.replace(/\W+/g, '-')}-${view}.png`)
    await page.screenshot({ path })
    console.log(path)
  }
}

/**
 * Runs in the page: the texts of both views that are too faint, and how far each view is wider than its frame.
 * `lastView` stays in the page.
 */
async function measure({ html, width, lastView = 'layout' }: { html: string; width: number; lastView?: View }): Promise<Measured> {
  type Rgb = readonly [number, number, number]
  const { applyTheme, contentHeight, faintTexts, fitWidth, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
  const isNight = matchMedia('(prefers-color-scheme: dark)').matches
  const night: Rgb = [15, 18, 26]
  const open = async () => {
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-same-origin')
    frame.style.cssText = `display:block;border:0;width:${width}px;height:900px`
    const loaded = new Promise<void>(done => {
      frame.onload = () => done()
    })
    frame.src = '/frame'
    document.body.replaceChildren(frame)
    await loaded
    frame.onload = null
    if (!frame.contentDocument) throw new Error('the frame is out of reach')
    return frame.contentDocument
  }
  const raw = await open()
  raw.open()
  raw.write(html.replace(/\s(?:src|srcset|background)=/gi, ' data-was='))
  raw.close()
  // A mail that says it can be dark has a dark canvas by night, where nobody draws over it.
  const canvas = raw.createElement('div')
  canvas.style.backgroundColor = 'Canvas'
  raw.body?.append(canvas)
  const isDarkCanvas = raw.body !== null && /^rgb\((?:\d|[1-5]\d), /.test(getComputedStyle(canvas).backgroundColor)
  canvas.remove()
  const before = new Set(raw.body ? faintTexts(raw, isDarkCanvas ? [18, 18, 18] : [255, 255, 255], 3).map(({ text }) => text) : [])
  const measured: Measured = { faint: [], overflow: { simple: 0, layout: 0 }, height: { simple: 0, layout: 0 } }
  const views = lastView === 'layout' ? (['simple', 'layout'] as const) : (['layout', 'simple'] as const)
  for (const view of views) {
    const inner = await open()
    const mail = sanitizeMail(html, { view, areImagesAllowed: false })
    writeMail(inner, mail, view, 'Quoted text')
    const isOnWhite = applyTheme(inner, mail, view, 'auto')
    fitWidth(inner)
    const backdrop: Rgb = isNight && !isOnWhite ? night : [255, 255, 255]
    document.body.style.background = `rgb(${backdrop.join(' ')})`
    for (const { text, ratio } of faintTexts(inner, backdrop, view === 'simple' ? 4.49 : 3))
      if (view === 'simple' || !before.has(text)) measured.faint.push({ text, ratio, view })
    measured.overflow[view] = Math.max(0, inner.documentElement.scrollWidth - inner.documentElement.clientWidth)
    measured.height[view] = contentHeight(inner)
  }
  return measured
}

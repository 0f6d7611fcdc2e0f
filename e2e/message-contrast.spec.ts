/**
 * Words stand out in every view: no text of a shown mail has a contrast under 3:1 that had more in the raw page. Our own mails always run;
 * `CORPUS=1 npm run e2e -- e2e/message-contrast.spec.ts` measures the templates of other projects beside the checkout as well, and prints the figures.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import { readerTest as test } from './reader-page.ts'

const root = resolve(import.meta.dirname, '..')
const corpus = resolve(root, '../shared/corpora/templates')
const SETTINGS = [375, 1280].flatMap(width => (['light', 'dark'] as const).map(scheme => ({ width, scheme })))

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.html'))
    .map(name => join(folder, name))
}

for (const { width, scheme } of SETTINGS) {
  test(`text has enough contrast in both views, ${scheme}, ${width} px`, async ({ readerPage: page }) => {
    const isLong = process.env.CORPUS === '1'
    const files = [...htmlFiles(join(root, 'test/fixtures/html')), ...(isLong && existsSync(corpus) ? htmlFiles(corpus) : [])]
    test.setTimeout(isLong ? 900_000 : 90_000)
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    const found: string[] = []
    const widest = { simple: 0, layout: 0 }
    for (const file of files) {
      const measured = await page.evaluate(measure, { html: readFileSync(file, 'utf8'), width })
      for (const { view, text, ratio } of measured.faint)
        found.push(`${ratio.toFixed(2)} ${view} ${file.slice(root.length)} ${text.slice(0, 40)}`)
      for (const view of ['simple', 'layout'] as const) widest[view] = Math.max(widest[view], measured.overflow[view])
    }
    console.log(`contrast, ${scheme}, ${width} px: ${files.length} mails, ${found.length} texts under 3:1`, found.sort().slice(0, 10))
    expect(found).toEqual([])
    expect(widest.simple).toBe(0)
  })
}

/** Runs in the page: the texts of both views under 3:1 that were not so in the raw page, and how far each view is wider than its frame. */
async function measure({ html, width }: { html: string; width: number }) {
  type Rgb = readonly [number, number, number]
  type Faint = { text: string; ratio: number }
  type Reader = {
    applyTheme: (inner: Document, mail: object, view: string, choice: string) => boolean
    faintTexts: (inner: Document, backdrop: Rgb, ratioMin: number) => Faint[]
    fitWidth: (inner: Document) => void
    sanitizeMail: (html: string, options: object) => object
    writeMail: (inner: Document, mail: object, view: string, quoted: string) => void
  }
  const { applyTheme, faintTexts, fitWidth, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
  const isNight = matchMedia('(prefers-color-scheme: dark)').matches
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
  const before = new Set(faintTexts(raw, [255, 255, 255], 3).map(({ text }) => text))
  const faint: (Faint & { view: string })[] = []
  const overflow = { simple: 0, layout: 0 }
  for (const view of ['simple', 'layout'] as const) {
    const inner = await open()
    const mail = sanitizeMail(html, { view, areImagesAllowed: false })
    writeMail(inner, mail, view, 'Quoted text')
    const isPaper = applyTheme(inner, mail, view, 'auto')
    fitWidth(inner)
    const backdrop: Rgb = isNight && !isPaper ? [15, 18, 26] : [255, 255, 255]
    for (const found of faintTexts(inner, backdrop, 3)) if (!before.has(found.text)) faint.push({ ...found, view })
    overflow[view] = Math.max(0, inner.documentElement.scrollWidth - inner.documentElement.clientWidth)
  }
  return { faint, overflow }
}

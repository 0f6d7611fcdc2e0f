/**
 * The original layout shows ordinary newsletters as they were designed: the sanitised mail and the raw one, each in a frame of the same
 * size, both without remote images, compared pixel by pixel. What the frame's own sheet sets for all mail (type, margins) is in both.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CDPSession, expect, type Page } from '@playwright/test'
import { corporaFolder, whyNoCorpora } from '#test/mail-corpora/corpora-folder.ts'
import { differingShare, differingShares, takePicture } from '../harness/pictures.ts'
import { FEATURE_PAGES, NEWSLETTER_FEATURES } from './reader/feature-pages.ts'
import type { Reader } from './reader/reader-bundle.ts'
import { EMPTY_DOCUMENT, readerTest as test } from './reader/reader-page.ts'

const root = resolve(import.meta.dirname, '../..')
const WIDTHS_PX = [375, 1280] as const
/** As much of a mail as is compared. */
const HEIGHT_PX = 1600
/** A mail is the same when no more than this share of its pixels differs. */
const SHARE_MAX = 0.02
const own = ['newsletter.html', 'receipt.html'].map(name => join(root, 'test/fixtures/html', name))
const corpus = join(corporaFolder, 'templates')

for (const width of WIDTHS_PX) {
  test(`X18 newsletters look as designed at ${width} px`, async ({ readerPage: page }) => {
    await page.setViewportSize({ width, height: HEIGHT_PX })
    const session = await page.context().newCDPSession(page)
    for (const file of own) expect(await difference(page, session, readFileSync(file, 'utf8'), width), file).toBeLessThanOrEqual(SHARE_MAX)
  })

  test(`X18 every feature that newsletters use is shown at ${width} px`, async ({ readerPage: page }) => {
    await page.setViewportSize({ width, height: HEIGHT_PX })
    const session = await page.context().newCDPSession(page)
    const odd: string[] = []
    for (const [name, html] of NEWSLETTER_FEATURES) {
      // A whole page is mostly empty: what is drawn on a tenth of it is compared by a tenth of the share.
      const share = await difference(page, session, html, width)
      if (share > SHARE_MAX / 20) odd.push(`${(share * 100).toFixed(2)} % ${name}`)
    }
    expect(odd).toEqual([])
  })

  test(`X18 99 of 100 published templates look as designed at ${width} px`, async ({ readerPage: page }) => {
    test.skip(!existsSync(corpus), `${whyNoCorpora}; our own templates always run`)
    test.setTimeout(600_000)
    await page.setViewportSize({ width, height: HEIGHT_PX })
    const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.html'))
      .map(name => join(corpus, name))
    const odd: string[] = []
    const session = await page.context().newCDPSession(page)
    for (const file of files) {
      const share = await difference(page, session, readFileSync(file, 'utf8'), width)
      if (share > SHARE_MAX) odd.push(`${(share * 100).toFixed(1)} % ${file.slice(corpus.length)}`)
    }
    console.log(`X18 at ${width} px: ${files.length - odd.length} of ${files.length} templates within 2 %`, odd)
    expect(odd.length / files.length, odd.join('\n')).toBeLessThanOrEqual(0.01)
  })
}

/** Pages of single features are beside the raw page as a browser draws it, with nothing of ours: as many in one picture as fit. */
const PAGE_HEIGHT_PX = 800
/** The pages are at most 600 px wide and centred: of a wider frame the middle is enough. */
const SHOWN_WIDTH_PX = 640
const PICTURE_WIDTH_PX = 3000

for (const width of WIDTHS_PX) {
  test(`X18 97 of 100 pages of single features look like the raw page at ${width} px`, async ({ readerPage: page }) => {
    test.setTimeout(180_000)
    const shownWidth = Math.min(width, SHOWN_WIDTH_PX)
    const columns = Math.floor(PICTURE_WIDTH_PX / shownWidth)
    await page.setViewportSize({ width: columns * shownWidth, height: 2 * PAGE_HEIGHT_PX })
    const session = await page.context().newCDPSession(page)
    const drawing = { width, shownWidth, height: PAGE_HEIGHT_PX, empty: EMPTY_DOCUMENT }
    const odd: string[] = []
    for (let at = 0; at < FEATURE_PAGES.length; at += columns) {
      const shown = FEATURE_PAGES.slice(at, at + columns)
      const heights = await page.evaluate(showBeside, { ...drawing, htmls: shown.map(([, html]) => html) })
      const pairs = heights.map((height, column) => {
        const box = { x: column * shownWidth, y: 0, width: shownWidth, height }
        return [box, { ...box, y: PAGE_HEIGHT_PX }] as const
      })
      const shares = await differingShares(page, await takePicture(session), pairs)
      for (const [column, share] of shares.entries()) if (share > SHARE_MAX) odd.push(`${(share * 100).toFixed(1)} % ${shown[column]?.[0]}`)
    }
    console.log(
      `X18 at ${width} px: ${FEATURE_PAGES.length - odd.length} of ${FEATURE_PAGES.length} pages of single features within 2 %`,
      odd,
    )
    expect(odd.length / FEATURE_PAGES.length, odd.join('\n')).toBeLessThanOrEqual(0.021)
  })
}

/** `empty` is the document of a frame before a mail is written into it. */
type Drawing = { width: number; height: number; empty: string }

/** Runs in the page: the raw pages in the first row, what the reader makes of them in the second. Returns how much of each is filled. */
async function showBeside({
  htmls,
  width,
  shownWidth,
  height,
  empty,
}: Drawing & { htmls: readonly string[]; shownWidth: number }): Promise<number[]> {
  const { fitWidth, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
  // The frames stay, and are emptied for the next pages: to load one takes longer than to draw what is in it.
  const open = async (at: number, row: number) => {
    const id = `frame-${row}-${at}`
    const earlier = document.getElementById(id) as HTMLIFrameElement | null
    if (earlier?.contentDocument) {
      earlier.contentDocument.open()
      earlier.contentDocument.write(empty)
      earlier.contentDocument.close()
      return earlier.contentDocument
    }
    const frame = document.createElement('iframe')
    frame.id = id
    frame.sandbox.add('allow-same-origin')
    const hole = document.createElement('div')
    hole.style.cssText = `position:absolute;overflow:hidden;left:${at * shownWidth}px;top:${row * height}px;width:${shownWidth}px;height:${height}px`
    frame.style.cssText = `border:0;margin-left:${(shownWidth - width) / 2}px;width:${width}px;height:${height}px`
    hole.append(frame)
    const loaded = new Promise<void>(done => {
      frame.onload = () => done()
    })
    frame.src = '/frame'
    document.body.append(hole)
    await loaded
    frame.onload = null
    if (!frame.contentDocument) throw new Error('the frame is out of reach')
    return frame.contentDocument
  }
  for (const frame of document.querySelectorAll('iframe')) if (Number(frame.id.split('-')[2]) >= htmls.length) frame.parentElement?.remove()
  const heights = await Promise.all(
    htmls.map(async (html, at) => {
      const [raw, shown] = await Promise.all([open(at, 0), open(at, 1)])
      raw.open()
      raw.write(html)
      raw.close()
      writeMail(shown, sanitizeMail(html, { view: 'layout', areImagesAllowed: false }), 'layout', 'Quoted text')
      // To the raw page its frame is the screen.
      shown.documentElement.style.setProperty('--screen-vh', `${height / 100}px`)
      fitWidth(shown)
      return Math.min(height, Math.max(1, raw.documentElement.scrollHeight))
    }),
  )
  await new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))
  return heights
}

async function difference(page: Page, session: CDPSession, html: string, width: number): Promise<number> {
  const picture = async (isRaw: boolean) => {
    await page.evaluate(showOne, { html, isRaw, width, height: HEIGHT_PX, empty: EMPTY_DOCUMENT })
    return takePicture(session)
  }
  return differingShare(page, await picture(true), await picture(false))
}

/** Runs in the page. */
async function showOne({ html, isRaw, width, height, empty }: Drawing & { html: string; isRaw: boolean }): Promise<void> {
  const { sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
  // The frame stays, and is emptied for the next mail: to load one takes longer than to draw what is in it.
  let frame = document.querySelector('iframe')
  if (!frame) {
    frame = document.createElement('iframe')
    frame.sandbox.add('allow-same-origin')
    frame.style.cssText = `display:block;border:0;width:${width}px;height:${height}px`
    const loaded = new Promise(done => frame?.addEventListener('load', done, { once: true }))
    frame.src = '/frame'
    document.body.append(frame)
    await loaded
  }
  const inner = frame.contentDocument
  if (!inner) throw new Error('the frame is out of reach')
  inner.open()
  inner.write(empty)
  inner.close()
  if (isRaw) {
    writeMail(inner, sanitizeMail('', { view: 'layout', areImagesAllowed: false }), 'layout', '')
    const baseCss = inner.querySelector('style')?.textContent ?? ''
    // Standards mode, as the frame of the reader is; the mail's own doctype is its sender's habit, not its look.
    inner.open()
    inner.write(`<!doctype html>${html.replace(/<!doctype[^>]*>/i, '')}`)
    inner.close()
    const base = inner.createElement('style')
    base.textContent = baseCss
    inner.head.prepend(base)
    inner.documentElement.dataset.view = 'layout'
    for (const image of Array.from(inner.images)) {
      image.removeAttribute('srcset')
      if (!image.src.startsWith('data:')) image.removeAttribute('src')
    }
  } else writeMail(inner, sanitizeMail(html, { view: 'layout', areImagesAllowed: false }), 'layout', 'Quoted text')
  await new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))
}

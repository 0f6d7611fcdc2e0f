/**
 * Draws the images that are committed: icons of the installed site and the browser
 * extension, and a 1200 × 630 image per page and language for shared links. Run `npm
 * run lab -- social-images` after changing titles or drawings. Needs Chromium and a built site, because titles come from its pages.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { launchOptions } from '../../scripts/chromium.ts'

const root = resolve(import.meta.dirname, '../..')
const publicFolder = join(root, 'web/public')
const pagesFolder = join(root, 'dist/web/pages')
const ICONS = [
  { file: 'favicon-32.png', px: 32, inset: 0, background: 'transparent' },
  { file: 'apple-touch-icon.png', px: 180, inset: 0.17, background: '#fbfaf6' },
  { file: 'icon-192.png', px: 192, inset: 0.12, background: '#fbfaf6' },
  { file: 'icon-512.png', px: 512, inset: 0.12, background: '#fbfaf6' },
  // The safe zone of a maskable icon is a circle of 80 % (W3C Web App Manifest).
  { file: 'icon-maskable-512.png', px: 512, inset: 0.24, background: '#fbfaf6' },
] as const
/** In a toolbar, dark or light. The extension has no room for more than 256 colours. */
const TOOLBAR_ICON = { px: 128, inset: 0.1, background: '#fff;border-radius:22%' } as const

type Card = { file: string; title: string; drawing: string }

await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const page = await browser.newPage({ deviceScaleFactor: 1 })

await drawIcons(page)
await drawToolbarIcon(page)
await drawCards(page, await readCards())

async function drawIcons(canvas: Page): Promise<void> {
  const mark = await readFile(join(publicFolder, 'favicon.svg'), 'utf8')
  for (const { file, px, inset, background } of ICONS) {
    await showIcon(canvas, mark, { px, inset, background })
    await canvas.screenshot({ path: join(publicFolder, file), omitBackground: true })
    console.log(`drew ${join('web/public', file)}`)
  }
}

async function showIcon(canvas: Page, mark: string, { px, inset, background }: { px: number; inset: number; background: string }) {
  await canvas.setViewportSize({ width: px, height: px })
  const style = `box-sizing:border-box;height:${px}px;padding:${px * inset}px;background:${background}`
  await canvas.setContent(`<style>*{margin:0}svg{display:block;width:100%;height:100%}</style><div style="${style}">${mark}</div>`)
}

async function drawToolbarIcon(canvas: Page): Promise<void> {
  const { px } = TOOLBAR_ICON
  await showIcon(canvas, await readFile(join(publicFolder, 'favicon.svg'), 'utf8'), TOOLBAR_ICON)
  const drawn = `data:image/png;base64,${(await canvas.screenshot({ omitBackground: true })).toString('base64')}`
  const pixels = await canvas.evaluate(async url => {
    const image = Object.assign(new Image(), { src: url })
    await image.decode()
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context?.drawImage(image, 0, 0)
    return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])]
  }, drawn)
  await writeFile(join(root, 'extension/icon-128.png'), palettePng(pixels, px))
  console.log('drew extension/icon-128.png')
}

/** A PNG with a palette (RFC 2083). `pixels`: red, green, blue and alpha of each, of which it keeps six levels. */
function palettePng(pixels: readonly number[], px: number): Buffer {
  const palette: string[] = []
  const rows: number[] = []
  for (let at = 0; at < pixels.length; at += 4) {
    if (at % (4 * px) === 0) rows.push(0)
    const colour = pixels.slice(at, at + 4).map(value => Math.round(value / 51) * 51)
    const name = (colour[3] === 0 ? [0, 0, 0, 0] : colour).join()
    if (!palette.includes(name)) palette.push(name)
    rows.push(palette.indexOf(name))
  }
  if (palette.length > 256) throw new Error(`The icon has ${palette.length} colours`)
  const colours = palette.map(name => name.split(',').map(Number))
  const header = Buffer.from([0, 0, 0, px, 0, 0, 0, px, 8, 3, 0, 0, 0])
  const chunks = [
    ['IHDR', header],
    ['PLTE', Buffer.from(colours.flatMap(colour => colour.slice(0, 3)))],
    ['tRNS', Buffer.from(colours.map(([, , , alpha = 255]) => alpha))],
    ['IDAT', deflateSync(Buffer.from(rows), { level: 9 })],
    ['IEND', Buffer.alloc(0)],
  ] as const
  const parts = chunks.map(([name, bytes]) => {
    const named = Buffer.concat([Buffer.from(name), bytes])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(bytes.length)
    ends.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
  })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

async function drawCards(canvas: Page, cards: readonly Card[]): Promise<void> {
  await mkdir(join(publicFolder, 'social'), { recursive: true })
  await canvas.setViewportSize({ width: 1200, height: 630 })
  const font = await readFile(join(root, 'web/fonts/instrument-sans.woff2'), 'base64')
  const mark = await readFile(join(publicFolder, 'favicon.svg'), 'utf8')
  for (const { file, title, drawing } of cards) {
    await canvas.setContent(cardHtml({ font, mark, title, drawing }))
    await canvas.evaluate(() => document.fonts.ready)
    await canvas.screenshot({ path: join(publicFolder, 'social', file) })
    console.log(`drew web/public/social/${file}`)
  }
}

/** One image per public page: its title with the page's first large drawing. The home page has the evening drawing from its end. */
async function readCards(): Promise<Card[]> {
  const evening = drawings(await readFile(join(pagesFolder, 'en/index.html'), 'utf8')).at(-1)
  if (!evening) throw new Error('The home page has no drawing: build the site first (npm run build)')
  const languages = await readdir(pagesFolder)
  const cards = await Promise.all(languages.map(language => readLanguage(language, evening)))
  return cards.flat()
}

async function readLanguage(language: string, evening: string): Promise<Card[]> {
  const files = await readdir(join(pagesFolder, language), { recursive: true })
  const pages = files.filter(file => file.endsWith('index.html'))
  const cards = await Promise.all(
    pages.map(async file => {
      const html = await readFile(join(pagesFolder, language, file), 'utf8')
      if (html.includes('<meta name="robots" content="noindex"')) return []
      const name = file.replace(/\/?index\.html$/, '').replaceAll('/', '-') || 'home'
      const title = /<meta property="og:title" content="(.*?)"/.exec(html)?.[1] ?? 'Mayfly'
      return [{ file: `${name}-${language}.png`, title: cardTitle(title), drawing: (name !== 'home' && drawings(html)[0]) || evening }]
    }),
  )
  return cards.flat()
}

/** The brand is already above the title. */
function cardTitle(title: string): string {
  const bare = title.replace(/^Mayfly: |: Mayfly$/g, '')
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}

/** Drawings are wider than 300 units; icons are not. */
function drawings(html: string): string[] {
  const all = [...html.matchAll(/<svg[^>]*viewBox="0 0 (\d+) \d+"[^>]*>.*?<\/svg>/gs)]
  return all.filter(([, width]) => Number(width) > 300).map(([svg]) => svg)
}

function cardHtml({ font, mark, title, drawing }: { font: string; mark: string; title: string; drawing: string }): string {
  return `<!doctype html><style>
    @font-face { font-family: Sans; src: url(data:font/woff2;base64,${font}); font-weight: 400 700 }
    :root { --color-dusk: oklch(0.77 0.135 60); --color-edge: oklch(0.5 0.02 260); color-scheme: dark }
    * { margin: 0; box-sizing: border-box }
    body { width: 1200px; height: 630px; overflow: hidden; position: relative; background: oklch(0.18 0.02 260); color: oklch(0.93 0.01 85); font-family: Sans }
    h1 { position: absolute; left: 80px; top: 132px; width: 900px; font: 600 68px/1.06 Sans; letter-spacing: -0.03em; text-wrap: balance }
    .brand { position: absolute; left: 80px; top: 56px; display: flex; align-items: center; gap: 16px; font: 600 32px Sans }
    .brand svg { width: 52px; height: 52px; stroke: currentColor }
    .brand .dusk { stroke: var(--color-dusk) }
    .drawing { position: absolute; right: 0; bottom: 0 }
    .drawing svg { display: block; width: 640px; height: 320px }
  </style><body><div class="brand">${mark}Mayfly</div><h1>${title}</h1><div class="drawing">${drawing}</div></body>`
}

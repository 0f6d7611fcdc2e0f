/**
 * Draws the images that are committed: icons of the installed site, and a 1200 × 630 image per page and language for shared links. Run `npm
 * run lab -- social-images` after changing titles or drawings. Needs Chromium and a built site, because titles come from its pages.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
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

type Card = { file: string; title: string; drawing: string }

await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await chromium.launch(launchOptions), open => open.close())
const page = await browser.newPage({ deviceScaleFactor: 1 })

await drawIcons(page)
await drawCards(page, await readCards())

async function drawIcons(canvas: Page): Promise<void> {
  const mark = await readFile(join(publicFolder, 'favicon.svg'), 'utf8')
  for (const { file, px, inset, background } of ICONS) {
    await canvas.setViewportSize({ width: px, height: px })
    await canvas.setContent(
      `<style>*{margin:0}body{background:${background};padding:${px * inset}px}svg{display:block;width:100%;height:100%}</style>${mark}`,
    )
    await canvas.screenshot({ path: join(publicFolder, file), omitBackground: true })
    console.log(`drew web/public/${file}`)
  }
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

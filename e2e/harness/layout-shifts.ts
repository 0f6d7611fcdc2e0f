/** How much of a page moves while it loads (Layout Instability, https://wicg.github.io/layout-instability/). */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { type Noise, test } from './fixtures.ts'

const STYLES = readFileSync(resolve(import.meta.dirname, '../../web/styles.css'), 'utf8')
const STAND_INS = Array.from(
  STYLES.matchAll(/font-family: "(Sans|Mono|Serif) [^"]+";\s+src:\s+(local[^;]+);/g),
  ([, family = '', source = '']) => ({ family, source }),
)
/** In hundredths of its size. An address is as large as its letters fit on the line: `address-size` in web/styles.css. */
const SITE_MONO_WIDTH = 60.2
const FILES = { Sans: 'instrument-sans', Mono: 'jetbrains-mono', Serif: 'newsreader' }

/**
 * Call before the page is opened; returns what reads the sum. When a typeface of the site arrives, nothing moves if the system has one of
 * the stand-ins that are measured in web/styles.css. On a system without one that typeface does not arrive here, and nothing else may move.
 */
export async function watchLayoutShifts(page: Page, noise: Noise, { hasAddress = false } = {}): Promise<() => Promise<number>> {
  const found = await page.evaluate(async standIns => {
    const families = standIns.map(({ family, source }) => new FontFace(family, source).load().then(() => family))
    return (await Promise.allSettled(families)).flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  }, STAND_INS)
  const monoWidth = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (canvas) canvas.font = '100px ui-monospace, monospace'
    return canvas?.measureText('m').width ?? 0
  })
  const isTooWide = hasAddress && !found.includes('Mono') && monoWidth > SITE_MONO_WIDTH
  test.skip(isTooWide, 'This system has none of the mono fonts that are measured, and its own is too wide for the line of an address.')
  for (const [family, file] of Object.entries(FILES)) {
    if (!found.includes(family)) await page.route(`**/${file}*.woff2`, route => route.abort())
  }
  if (Object.keys(FILES).some(family => !found.includes(family))) noise.allow(/ERR_FAILED \(\S+\.woff2\)/)
  await page.addInitScript(() => {
    Reflect.set(window, 'shifted', 0)
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) Reflect.set(window, 'shifted', Reflect.get(window, 'shifted') + Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => Reflect.get(window, 'shifted'))
}

/**
 * Cells that span what HTML allows fill so many places of a table that Firefox's tab stops for minutes
 * (web/features/message/body/css-cost.ts).
 */
import { expect } from '@playwright/test'
import type { Reader } from './reader/reader-bundle.ts'
import { readerTest as test } from './reader/reader-page.ts'

for (const spans of ['colspan=1000 rowspan=100', 'rowspan=65534x', 'rowspan=0', 'colspan=1000']) {
  test(`cells with ${spans} fill few places, and the first of them all that it asks for`, async ({ readerPage: page }) => {
    const html = `<table><tr><td colspan=3 rowspan=2>x${`<tr>${`<td ${spans}>x`.repeat(40)}`.repeat(60)}</table>`
    const places = await page.evaluate(source => {
      const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
      const { body } = sanitizeMail(source, { view: 'layout', areImagesAllowed: false })
      return Array.from(body.querySelectorAll('td'), cell => cell.colSpan * (cell.rowSpan || 65_534))
    }, html)
    expect(places).toHaveLength(2401)
    expect(places[0]).toBe(6)
    expect(places.reduce((sum, each) => sum + each)).toBeLessThan(25_000)
  })
}

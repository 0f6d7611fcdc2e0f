/** A mail designed for a wide screen fits the frame it is shown in: narrower boxes first, a smaller mail last. */
import { expect } from '@playwright/test'
import { drawn } from './reader/drawn-mail.ts'
import { readerTest as test } from './reader/reader-page.ts'

for (const width of [375, 1280]) {
  test(`a mail keeps its widths where they fit, and gives way where they do not (${width} px)`, async ({ readerPage: page }) => {
    const look = (mail: Document) => ({
      narrow: mail.querySelector('#narrow')?.getBoundingClientRect().width,
      wide: (mail.querySelector('#wide')?.getBoundingClientRect().width ?? 0) <= mail.documentElement.clientWidth,
      zoom: Number(mail.body.style.zoom || 1),
    })
    const box = '<div id="narrow" style="max-width:100px">words that are cut to this box</div>'
    expect(await drawn(page, box, look, { width })).toEqual({ narrow: 100, wide: true, zoom: 1 })
    const table = `<table id="wide" width="${width + 200}"><tr><td>words</td></tr></table>`
    const seen = await drawn(page, table, look, { width })
    expect(seen.wide || seen.zoom < 1).toBe(true)
    if (width < 600) expect(seen).toMatchObject({ wide: true, zoom: 1 })
  })
}

test('a newsletter of 600 px inside a table for the background fits a phone at full size', async ({ readerPage: page }) => {
  const html = `<body style="margin:0"><table width="100%"><tr><td align="center" style="padding:24px 12px"><table width="600" style="width:600px"><tr>
    <td width="600" style="padding:20px"><img src="https://a.example/hero.png" width="560" height="200" alt="A hero"><p>${'words '.repeat(60)}</p></td></tr></table></td></tr></table></body>`
  const look = ({ body, documentElement: root }: Document) => [Number(body.style.zoom || 1), root.scrollWidth <= root.clientWidth]
  expect(await drawn(page, html, look, { width: 375 })).toEqual([1, true])
})

test('a mail is not drawn smaller because of an empty edge, but because of words that do not fit', async ({ readerPage: page }) => {
  const look = ({ body, documentElement: root }: Document) => [Number(body.style.zoom || 1) < 1, getComputedStyle(root).overflowX]
  const moved = (words: string) =>
    `<p>Words.</p><div style="position:relative;left:60px;background:#99ccee;white-space:nowrap">${words}</div>`
  expect(await drawn(page, moved('x'), look, { width: 375 })).toEqual([false, 'hidden'])
  expect(await drawn(page, moved('x '.repeat(180)), look, { width: 375 })).toEqual([true, 'auto'])
})

test('one long line is wrapped instead of shrinking the whole mail', async ({ readerPage: page }) => {
  const html = `<p>Short words.</p><pre>${'x'.repeat(400)}</pre><p>https://a.example/${'y'.repeat(300)}</p>`
  const zoom = await drawn(page, html, mail => Number(mail.body.style.zoom || 1), { width: 375 })
  expect(zoom).toBe(1)
})

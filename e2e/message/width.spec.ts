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

const cells = (tag: string, texts: readonly string[]) => `<tr>${texts.map(text => `<${tag}>${text}</${tag}>`).join('')}</tr>`
const figures = `<table border="1">${cells('th', 'Account Description Quantity Delivered Reference Amount Currency Responsible Department'.split(' '))}${cells(
  'td',
  ['20418-4471', 'Maintenance contract', '12', 'November', 'ABCDEFGH-77120-XYZ', '1,234,567.89', 'Euro', 'Rutherford', 'Engineering'],
)}</table>`

test('a table of data whose words would break into letters scrolls in a box of its own', async ({ readerPage: page }) => {
  const seen = await drawn(
    page,
    `<p>Hello Ada, here are the figures that you asked for in your mail of Monday.</p>${figures}`,
    mail => {
      const [table, head] = [mail.querySelector('table'), mail.querySelectorAll('th')[1]]
      return {
        fits: mail.documentElement.scrollWidth <= mail.documentElement.clientWidth,
        zoom: Number(mail.body.style.zoom || 1),
        scrolls: (table?.scrollWidth ?? 0) > (table?.clientWidth ?? 0) + 100,
        isWhole: (head?.getBoundingClientRect().height ?? 99) < 40,
      }
    },
    { width: 375 },
  )
  expect(seen).toEqual({ fits: true, zoom: 1, scrolls: true, isWhole: true })
})

test('words that a sender put into a scrolling box are seen without scrolling, and a table in it still scrolls', async ({
  readerPage: page,
}) => {
  const look = (mail: Document) => {
    const box = mail.querySelector('div') ?? mail.body
    return [box.scrollWidth > box.clientWidth + 1, mail.documentElement.scrollWidth <= mail.documentElement.clientWidth]
  }
  const text = `<div style="overflow:auto"><table width="700" style="width:700px"><tr><td>${'words '.repeat(80)}</td></tr></table></div>`
  expect(await drawn(page, text, look, { width: 375 })).toEqual([false, true])
  const pair = `<div style="overflow:auto"><p style="white-space:nowrap;width:2000px">${'words '.repeat(200)}</p></div>`
  expect(await drawn(page, pair, look, { width: 375 })).toEqual([true, true])
})

test('words are not drawn smaller than 9 px to make a mail fit', async ({ readerPage: page }) => {
  const html = `<p style="font-size:12px;white-space:nowrap">${'words '.repeat(60)}</p>`
  expect(await drawn(page, html, mail => Number(mail.body.style.zoom), { width: 375 })).toBe(0.75)
})

test('a box as high as the screen does not grow with the frame', async ({ readerPage: page }) => {
  await page.setViewportSize({ width: 375, height: 700 })
  const html = '<div id="hero" style="min-height:calc(100vh - 20px)">words</div>'
  expect(await drawn(page, html, mail => mail.querySelector('#hero')?.getBoundingClientRect().height, { width: 375 })).toBe(680)
})

test('blocked pictures do not fill the screen above the first word, and a picture beside words keeps its place', async ({
  readerPage: page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  const picture = (id: string, height: number) =>
    `<img id="${id}" src="https://a.example/${id}.png" alt="${id}" width="300" height="${height}">`
  const heights = (mail: Document) => Array.from(mail.querySelectorAll('img'), image => image.getBoundingClientRect().height)
  const [first, second] = await drawn(
    page,
    `<table><tr><td height="600">${picture('a', 600)}</td></tr></table><p>words</p>${picture('b', 100)}`,
    heights,
    { width: 375 },
  )
  expect(first).toBeLessThan(80)
  expect(second).toBe(100)
  expect(await drawn(page, `${picture('a', 200)}<p>words</p>`, heights, { width: 375 })).toEqual([200])
})

test('a mail whose own root is lower than its words is not cut', async ({ readerPage: page }) => {
  const html = '<style>html, body { height: 1px; overflow: hidden }</style><p>Words.</p><p id="last">More words.</p>'
  const look = ({ documentElement: root }: Document) => root.getBoundingClientRect().height
  expect(await drawn(page, html, look, { width: 375 })).toBeGreaterThan(80)
})

test('a week of seven columns that is drawn smaller fits to its last letter', async ({ readerPage: page }) => {
  const names = 'Ada, Wilhelmina, Konstantin (from 10)'
  const row = `<tr><td>Late</td>${`<td style="border:1px solid">${names}</td>`.repeat(6)}</tr>`
  const html = `<table style="border-collapse:collapse;width:1100px;font:17px Georgia, serif">${row.repeat(3)}</table>`
  const look = ({ body, documentElement: root }: Document) => [Number(body.style.zoom) < 0.8, root.scrollWidth <= root.clientWidth]
  expect(await drawn(page, html, look, { width: 375 })).toEqual([true, true])
})

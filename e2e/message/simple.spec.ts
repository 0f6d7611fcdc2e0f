/** What the simple view leaves where elements were that it does not show. */
import { expect } from '@playwright/test'
import { drawn } from './reader/drawn-mail.ts'
import type { Reader } from './reader/reader-bundle.ts'
import { readerTest as test } from './reader/reader-page.ts'

test('fields of a form leave no empty lines, paragraphs or list items', async ({ readerPage: page }) => {
  const html = `<p>Before</p><form action="/x"><p>&nbsp;<input name="parentElement"></p><ul><li><form><input type="radio"></form></li><li>Choice <input></li></ul>
    <div>Name:<br><input name="b"><br> <textarea>left out</textarea><br>After</div><p>First <input> and <input></p></form>`
  const shown = await page.evaluate(mail => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    const { body } = sanitizeMail(mail, { view: 'simple', areImagesAllowed: false })
    document.body.append(document.adoptNode(body))
    return { lines: body.innerText.split('\n').filter(Boolean), items: body.querySelectorAll('li').length, html: body.innerHTML }
  }, html)
  expect(shown.lines).toEqual(['Before', 'Choice', 'Name:', 'After', 'First and'])
  expect(shown.items).toBe(1)
  expect(shown.html).not.toMatch(/<p>\s*<\/p>|<br>\s*<br>/)
})

test('boxes of pictures without words are gone, and a mail that says nothing is known to', async ({ readerPage: page }) => {
  const sanitized = (mail: string, view: 'simple' | 'layout') =>
    page.evaluate(
      ({ mail, view }) => {
        const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
        const { body, shows } = sanitizeMail(mail, { view, areImagesAllowed: false })
        return { boxes: body.querySelectorAll('div, a').length, shows }
      },
      { mail, view },
    )
  const bar = '<div style="background:#048;padding:20px"><a href="https://a.example/"><img src="https://a.example/l.png"></a></div>'
  expect(await sanitized(`${bar}<p>Words</p>`, 'simple')).toEqual({ boxes: 0, shows: 'content' })
  expect(await sanitized(bar, 'simple')).toEqual({ boxes: 0, shows: 'nothing' })
  expect(await sanitized(bar, 'layout')).toMatchObject({ shows: 'content' })
  expect(await sanitized('<body bgcolor="#fff"><p><br>&nbsp;</p></body>', 'layout')).toMatchObject({ shows: 'nothing' })
})

const DARK = '<tr><td bgcolor="#000000" width="8" height="8"></td></tr>'
const DATA = 'url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)'
/** Mails without a word, whose picture is no `<img>`. */
const DRAWN_WITHOUT_WORDS = [
  ['content', `<table><tr><td style="background-image:url(https://a.example/card.png);width:400px;height:200px"></td></tr></table>`],
  ['content', '<table background="https://a.example/card.png" width="400" height="200"><tr><td></td></tr></table>'],
  ['content', '<style>.card{background:url(https://a.example/card.png);height:200px}</style><div class="card"></div>'],
  ['content', '<body style="background:url(https://a.example/card.png);height:200px"></body>'],
  ['content', `<div style="background:${DATA};height:200px"></div>`],
  ['look', `<table>${DARK.repeat(8)}</table>`],
  ['look', '<div style="background:#000;width:80px;height:80px"></div>'],
  ['look', '<style>.cell{background:#000;height:8px}</style><div class="cell"></div>'],
] as const

test('a mail whose picture is drawn by backgrounds is shown, whether its pictures are or not', async ({ readerPage: page }) => {
  const shown = await page.evaluate(mails => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    return mails.map(([, mail]) => [false, true].map(areImagesAllowed => sanitizeMail(mail, { view: 'layout', areImagesAllowed }).shows))
  }, DRAWN_WITHOUT_WORDS)
  expect(shown).toEqual(DRAWN_WITHOUT_WORDS.map(([shows]) => [shows, shows]))
})

test('cells of several lines stand below each other, and short ones on one line', async ({ readerPage: page }) => {
  const html = `<table>
    <tr><td>Billed to<br>Ada</td><td><span>Sent to<br>Grace</span> </td><td>Today</td></tr>
    <tr><th>Item</th><th>Price</th></tr>
    <tr><td>Lamp<br><small>brass</small></td><td>12.00 &euro;</td></tr>
    <tr><td>Shade</td><td>Size: L<br>Colour: red<br> </td><td>3.00 &euro;</td></tr>
    <tr><td><p>Sum</p></td><td><b><p>15.00 &euro;</p></b></td></tr>
    <tr><td><table><tr><td>Paid</td><td>by card</td></tr></table></td><td>at noon</td></tr>
    <tr><td>Peat</td><td>2</td><td>7.00 &euro;</td></tr><tr><td>Soil</td><td>20 l</td><td>5.00 &euro;</td></tr>
    <tr><td>Code:</td><td>48</td><td>15</td><td> 16 </td></tr>
    <tr><td>ju<img alt="Peas">Peas</td></tr><tr><td>Beans</td></tr></table>`
  const lines = await page.evaluate(mail => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    const { body } = sanitizeMail(mail, { view: 'simple', areImagesAllowed: false })
    document.body.append(document.adoptNode(body))
    return body.innerText.split('\n').map(line => line.trim())
  }, html)
  expect(lines.filter(Boolean)).toEqual([
    ...['Billed to', 'Ada', 'Sent to', 'Grace', 'Today', 'Item · Price', 'Lamp', 'brass', '12.00 €'],
    ...['Shade', 'Size: L', 'Colour: red', '3.00 €', 'Sum', '15.00 €', 'Paid · by card', 'at noon'],
    ...['Peat 2 7.00 €', 'Soil · 20 l · 5.00 €', 'Code: 48 15 16', 'ju Peas Peas', 'Beans'],
  ])
  expect(
    lines.slice(lines.indexOf('ju Peas Peas')).filter((line, at) => line === '' && at < 2),
    'below a picture',
  ).toHaveLength(1)
  // Blank ones stand around paragraphs and below pictures only.
  expect(lines.slice(0, lines.indexOf('3.00 €'))).not.toContain('')
})

test('a table of figures is listed with dots between all of its cells', async ({ readerPage: page }) => {
  const rows = (...lines: string[]) => lines.map(line => `<tr><td>${line.replaceAll('|', '</td><td>')}</td></tr>`).join('')
  const tables = [
    rows('<b>Index</b>|Close|Change', 'S&amp;P 500|5,812.40|−1.2%', 'FTSE 100|8,214.10|+0.3%'),
    rows('BILLY bookcase, white, 80x28x202 cm|2|£110.00', 'LACK side table|1|£12.00', '<b>Total</b>||<b>£122.00</b>'),
    // Boxes around the digits of a code are no figures.
    rows('Code:|4|8|1', 'PIN:|1|5|6'),
    rows('4|8|1', '5|1|6'),
  ]
  const html = tables.map(table => `<table>${table}</table>`).join('<p>and</p>')
  const lines = await page.evaluate(mail => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    const { body } = sanitizeMail(mail, { view: 'simple', areImagesAllowed: false })
    document.body.append(document.adoptNode(body))
    return body.innerText.split('\n').map(line => line.trim())
  }, html)
  expect(lines.filter(line => line && line !== 'and')).toEqual([
    ...['Index · Close · Change', 'S&P 500 · 5,812.40 · −1.2%', 'FTSE 100 · 8,214.10 · +0.3%'],
    ...['BILLY bookcase, white, 80x28x202 cm · 2 · £110.00', 'LACK side table · 1 · £12.00', 'Total · £122.00'],
    ...['Code: 4 8 1', 'PIN: 1 5 6', '4 8 1', '5 1 6'],
  ])
})

test('forms in each other or in a row cost no more than boxes would', { tag: '@long' }, async ({ readerPage: page }) => {
  const ratios = await page.evaluate(() => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    const leastMs = (html: string) =>
      Math.min(
        ...Array.from({ length: 7 }, () => {
          const start = performance.now()
          sanitizeMail(html, { view: 'layout', areImagesAllowed: false })
          return performance.now() - start
        }),
      )
    const ratio = (unit: string, count: number) => leastMs(unit.repeat(count)) / leastMs(unit.replaceAll('form', 'div').repeat(count))
    return [ratio('<form><div></form>', 600), ratio('<form><input name=attributes><p>x</p></form>', 3000)]
  })
  // With each form moved by itself the first is more than a hundred.
  for (const ratio of ratios) expect(ratio).toBeLessThan(60)
})

test('the links of a mail that pretends are not drawn as buttons', async ({ readerPage: page }) => {
  const link = (text: string) =>
    `<p><a class="btn" href="https://evil.example/" style="background:#0070ba;color:#fff;padding:12px 24px">${text}</a></p>`
  const drawnWith = (mail: string, isContradicted: boolean) =>
    page.evaluate(
      ({ mail, isContradicted }) => {
        const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
        const { body } = sanitizeMail(mail, { view: 'simple', areImagesAllowed: false, isContradicted })
        return Array.from(body.querySelectorAll('a'), ({ style }) => [style.backgroundColor, style.paddingTop, style.color])
      },
      { mail, isContradicted },
    )
  const [asSent] = await drawnWith(link('Sign in'), false)
  expect(asSent).toEqual(['rgb(0, 112, 186)', '12px', 'rgb(255, 255, 255)'])
  // An ink that was made for the ground goes with it.
  expect(await drawnWith(link('Sign in'), true)).toEqual([['', '', '']])
  expect(await drawnWith(link('https://paypal.com/') + link('Sign in'), false)).toEqual([
    ['', '', ''],
    ['', '', ''],
  ])
})

test('a link to a bare number is warned of under a brand’s name, unless its machine is at home', async ({ readerPage: page }) => {
  const flagged = (url: string, claimsBrand: boolean) =>
    page.evaluate(
      ({ url, claimsBrand }) => {
        const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
        const mail = `<p><a class="btn" href="${url}" style="background:#0070ba;color:#fff">Verify account</a></p>`
        const views = ['simple', 'layout'] as const
        return views.map(view => sanitizeMail(mail, { view, areImagesAllowed: false, claimsBrand }).flaggedLinks.map(({ flag }) => flag))
      },
      { url, claimsBrand },
    )
  expect(await flagged('http://185.12.33.4/login', true)).toEqual([['number'], ['number']])
  expect(await flagged('http://[2a00:1450:4001:80f::200e]/', true)).toEqual([['number'], ['number']])
  for (const url of ['http://192.168.1.5/', 'https://www.paypal.com/']) expect(await flagged(url, true)).toEqual([[], []])
  expect(await flagged('http://185.12.33.4/login', false)).toEqual([[], []])
})

for (const view of ['simple', 'layout']) {
  test(`quotes and lists of any depth keep their words on a phone (${view})`, async ({ readerPage: page }) => {
    const nested = (open: string, close: string) => `${open.repeat(40)}<p>words at the bottom of it</p>${close.repeat(40)}`
    const html = nested('<blockquote>', '</blockquote>') + nested('<ul><li>', '</li></ul>')
    const look = ({ body, documentElement: root }: Document) => [Number(body.style.zoom || 1), root.scrollWidth <= root.clientWidth]
    expect(await drawn(page, html, look, { width: 375, view })).toEqual([1, true])
  })
}

const LEGIBLE = [
  ['an ink that can be read', '<p style="color:#a00000">', { color: 'rgb(160, 0, 0)' }],
  ['a pale ink', '<p style="color:#999">', { color: 'rgb(29, 34, 48)' }],
  [
    'an ink on its ground',
    '<p style="color:#fff;background:#003366">',
    { color: 'rgb(255, 255, 255)', backgroundColor: 'rgb(0, 51, 102)' },
  ],
  ['an ink like its ground', '<p style="color:#fff;background:#ffe">', { color: 'rgb(29, 34, 48)', backgroundColor: 'rgb(255, 255, 238)' }],
  ['a ground on which no ink can be read', '<p style="color:#888;background:#666">', { backgroundColor: 'rgba(0, 0, 0, 0)' }],
  [
    'the pale ink of a button',
    '<a class="btn" href="https://a.example/" style="color:#fff;background:#0d99ff">',
    { color: 'rgb(255, 255, 255)', backgroundColor: 'rgb(10, 115, 191)' },
  ],
  ['a transparent ink', '<p style="color:rgba(0,0,0,0.1)">', { color: 'rgb(29, 34, 48)' }],
  [
    'an ink that a ground further out makes unreadable',
    '<div style="background:#036;color:#fff"><p style="color:#048">',
    { color: 'rgb(255, 255, 255)' },
  ],
  ['our link on a ground', '<div style="background:#a00000;color:#fff"><a href="https://a.example/">', { color: 'rgb(255, 255, 255)' }],
  ['a size within bounds', '<p style="font-size:30px">', { fontSize: '30px' }],
  ['sizes that multiply', '<div style="font-size:0.8em"><p style="font-size:0.8em">', { fontSize: '12.8px' }],
  ['a heading that grows out of bounds', '<div style="font-size:36px"><h1>', { fontSize: '40px' }],
  ['a huge size', '<p style="font-size:300px">', { fontSize: '16px' }],
  ['padding', '<div style="padding:10px 1px 1pt 2em">', { paddingTop: '10px', paddingLeft: '32px', paddingBottom: '1.33px' }],
  ['huge padding', '<div style="padding:2000px 10px;background:#ffe">', { paddingTop: '0px', paddingLeft: '10px' }],
  ['a box unseen by night', '<div style="padding:32px;background:#f5f5f5">', { paddingTop: '16px', paddingLeft: '16px' }],
  ['the margin of a page', '<div style="padding:40px;background:#fff">', { paddingTop: '16px', paddingLeft: '0px' }],
  ['padding that adds up', '<div style="padding-left:40px"><div style="padding-left:40px">', { paddingLeft: '0px' }],
  [
    'other properties',
    '<p style="position:absolute;margin:-99px;line-height:1px;letter-spacing:90px">',
    { position: 'static', marginLeft: '0px', lineHeight: '24.8px', letterSpacing: 'normal' },
  ],
] as const

test('colours, sizes and padding of a mail stay where its words remain legible, and nothing else does', async ({ readerPage: page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  for (const [what, html, wanted] of LEGIBLE) {
    const seen = await drawn(
      page,
      html.replace(/>$/, ' class="last">words'),
      mail => {
        let last: Element = mail.body
        while (last.lastElementChild) last = last.lastElementChild
        const all: Record<string, string> = {}
        const style = getComputedStyle(last)
        for (const name of [
          'color',
          'backgroundColor',
          'fontSize',
          'paddingTop',
          'paddingLeft',
          'paddingBottom',
          'position',
          'marginLeft',
          'lineHeight',
          'letterSpacing',
        ] as const)
          all[name] = style[name]
        return all
      },
      { view: 'simple' },
    )
    expect(seen, what).toMatchObject(wanted)
  }
})

test('by night a mail has its own inks where they can be read on ours, and no pale paper', async ({ readerPage: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const html =
    '<div style="background:#f5f5f5"><p style="color:#333">dark</p><p style="color:#7fd17f">light</p><p style="background:#fff3cd;color:#664d03">note</p></div>'
  const seen = await drawn(
    page,
    html,
    mail =>
      Array.from(mail.querySelectorAll('div, p'), element =>
        [getComputedStyle(element).color, getComputedStyle(element).backgroundColor].join(' on '),
      ),
    { view: 'simple' },
  )
  expect(seen).toEqual([
    'rgb(236, 232, 224) on rgba(0, 0, 0, 0)',
    'rgb(236, 232, 224) on rgba(0, 0, 0, 0)',
    'rgb(127, 209, 127) on rgba(0, 0, 0, 0)',
    'rgb(102, 77, 3) on rgb(255, 243, 205)',
  ])
})

test('of a very long mail only what is near the screen is laid out, and nothing of it is lost', async ({ readerPage: page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const row = (at: number) => `<tr><td style="padding:4px">Row ${at}.</td><td><b>${'word '.repeat(28)}</b></td></tr>`
  const rows = 8000
  const quote = '<p>Grace wrote:</p><blockquote>Words that are long enough to be folded away.</blockquote>'
  const html = `<div>${quote}<table>${Array.from({ length: rows }, (_, at) => row(at)).join('\n')}</table></div>`
  const shown = await page.evaluate(
    async ({ mail, last }) => {
      const { contentHeight, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
      const frame = document.createElement('iframe')
      frame.sandbox.add('allow-same-origin')
      frame.style.cssText = 'display: block; border: 0; width: 360px; height: 200000px'
      frame.src = '/frame'
      await new Promise(done => {
        frame.onload = done
        document.body.append(frame)
      })
      const inner = frame.contentDocument as Document
      const clean = sanitizeMail(mail, { view: 'simple', areImagesAllowed: false })
      // A frame may be written again.
      for (let time = 0; time < 2; time++) writeMail(inner, clean, 'simple', 'Quoted text')
      const heights = () => Array.from(inner.querySelectorAll<HTMLElement>('[style*="content-visibility"]'), box => box.offsetHeight)
      const painted = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
      await painted()
      const before = heights()
      scrollTo(0, 100_000)
      await painted()
      const changed = heights().filter((height, at) => height !== before[at]).length
      const text = inner.body.textContent
      return {
        pieces: before.length,
        changed,
        height: contentHeight(inner),
        folded: inner.querySelectorAll('details > blockquote').length,
        rows: text.match(/Row \d+\./g)?.length,
        isInOrder: text.indexOf('Grace') < text.indexOf('Row 0.') && text.indexOf('Row 0.') < text.indexOf(`Row ${last}.`),
      }
    },
    { mail: html, last: rows - 1 },
  )
  expect(shown).toMatchObject({ rows, folded: 1, isInOrder: true })
  expect(shown.pieces).toBeGreaterThan(100)
  expect(shown.changed, 'those that came into view have their own height instead of a guessed one').toBeGreaterThan(0)
  expect(shown.changed).toBeLessThan(shown.pieces / 10)
  expect(shown.height, 'more than a frame may have').toBeGreaterThan(200_000)
})

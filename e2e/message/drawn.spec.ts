/** What a mail's markup asks for is drawn: in the original layout as its sender wrote it, in the simple view as we do. */
import { expect } from '@playwright/test'
import { drawn } from './reader/drawn-mail.ts'
import { readerTest as test } from './reader/reader-page.ts'

test('attributes of html and body are kept', async ({ readerPage: page }) => {
  const html =
    '<html lang="ar" dir="rtl"><body bgcolor="#102030" text="#fedcba" link="#aabbcc" id="all"><p>x <a href="https://a.example/">y</a></p></body></html>'
  const seen = await drawn(page, html, ({ documentElement: root, body }) => ({
    lang: root.lang,
    dir: root.dir,
    ground: getComputedStyle(body).backgroundColor,
    ink: getComputedStyle(body).color,
    link: getComputedStyle(body.querySelector('a') ?? body).color,
    id: body.id,
  }))
  expect(seen).toEqual({
    lang: 'ar',
    dir: 'rtl',
    ground: 'rgb(16, 32, 48)',
    ink: 'rgb(254, 220, 186)',
    link: 'rgb(170, 187, 204)',
    id: 'all',
  })
})

test('document ids, nested rules, @supports, and variables in shorthands style the mail', async ({ readerPage: page }) => {
  const html = `<style>
    :root { --brand: #123456; --gap: 7px }
    #body { border-left: 3px solid red }
    body > table { letter-spacing: 2px }
    .box { background: var(--brand); padding: var(--gap) 2px; & b { color: rgb(1, 2, 3) } }
    @supports (display: grid) { .grid { display: grid } }
    @supports (display: nothing) { .grid { display: none } }
    @layer base { .layer { color: rgb(4, 5, 6) } }
    .sm\\:wide { width: 77px }
  </style><table id="body"><tr><td>x</td></tr></table><div class="box">a <b>b</b></div><div class="grid">c</div><p class="layer">d</p><p class="sm:wide">e</p>`
  const seen = await drawn(page, html, mail => {
    const style = (selector: string) => getComputedStyle(mail.querySelector(selector) ?? mail.body)
    return {
      id: style('#body').borderLeftWidth,
      child: style('table').letterSpacing,
      ground: style('.box').backgroundColor,
      padding: style('.box').padding,
      nested: style('b').color,
      grid: style('.grid').display,
      layer: style('.layer').color,
      escaped: style('[class*=wide]').width,
    }
  })
  expect(seen).toEqual({
    id: '3px',
    child: '2px',
    ground: 'rgb(18, 52, 86)',
    padding: '7px 2px',
    nested: 'rgb(1, 2, 3)',
    grid: 'grid',
    layer: 'rgb(4, 5, 6)',
    escaped: '77px',
  })
})

test('a mail that styles every element draws none of our own style sheets', async ({ readerPage: page }) => {
  const rules = [
    '*{all:unset}',
    '*{display:block!important}',
    '@layer a{:not(body){display:block!important}}',
    'head,head *{display:block!important}',
  ]
  for (const rule of rules) {
    const seen = await drawn(page, `<style>${rule}</style><p>Words</p>`, ({ head, body, documentElement: root }) => ({
      sheets: Array.from(head.children).filter(sheet => sheet.getClientRects().length > 0).length,
      text: body.innerText.trim(),
      isShort: root.scrollHeight <= 900,
    }))
    expect(seen, rule).toEqual({ sheets: 0, text: 'Words', isShort: true })
  }
})

test('br clear, li value, details, ruby, and the fallbacks of video, audio, object and select are shown', async ({ readerPage: page }) => {
  const html = `<br clear="all"><ol><li value="7">seven</li></ol><details open><summary>More</summary>inside</details><ruby>漢<rt>kan</rt></ruby>
    <video><source src="a.mp4"><p>film words</p></video><audio>sound words</audio><object data="x"><p>object words</p></object>
    <select><option>first choice</option><option>second choice</option></select>`
  const seen = await drawn(page, html, mail => ({
    clear: getComputedStyle(mail.querySelector('br') ?? mail.body).clear,
    value: mail.querySelector('li')?.value,
    tags: ['details', 'ruby', 'rt', 'video', 'audio', 'object', 'select', 'source'].filter(tag => mail.querySelector(tag)),
    text: mail.body.innerText,
  }))
  expect(seen).toMatchObject({ clear: 'both', value: 7, tags: ['details', 'ruby', 'rt'] })
  for (const words of ['film words', 'sound words', 'object words', 'first choice', 'second choice', 'inside'])
    expect(seen.text).toContain(words)
})

test('a blocked picture with alternative text keeps its box, a spacer its place, and sizes of a picture are used once allowed', async ({
  readerPage: page,
}) => {
  const html = `<img id="words" alt="A boat" width="200" height="120" src="https://a.example/boat.png"><table cellpadding="0" cellspacing="0"><tr><td><img width="1" height="40" src="https://a.example/spacer.gif"></td></tr></table>
    <img id="sizes" src="https://a.example/1.png" srcset="https://a.example/1.png 1x, https://a.example/2.png 2x, http://127.0.0.1/3.png 3x">`
  const look = (mail: Document) => {
    const box = (selector: string) => mail.querySelector(selector)?.getBoundingClientRect()
    return {
      words: [box('#words')?.width, box('#words')?.height],
      spacer: box('table')?.height,
      sizes: mail.querySelector('#sizes')?.getAttribute('srcset') ?? '',
    }
  }
  const blocked = await drawn(page, html, look)
  expect(blocked.words).toEqual([200, 120])
  expect(blocked.spacer).toBeGreaterThanOrEqual(40)
  expect(blocked.sizes).toBe('')
  expect((await drawn(page, html, look, { images: true })).sizes).toBe('https://a.example/1.png 1x, https://a.example/2.png 2x')
})

test('layers, scopes, typed variables, data attributes, system fonts and the look of a form are kept', async ({ readerPage: page }) => {
  const html = `<style>@layer low, high; @layer high { .layer { color: rgb(1, 2, 3) } } @layer low { .layer { color: red } }
    @scope (.from) to (.to) { b { color: rgb(4, 5, 6) } } @property --ink { syntax: "<color>"; inherits: false; initial-value: rgb(1, 1, 1) }
    [data-kind=x] { color: var(--ink) }</style>
    <p class="layer">a</p><div class="from"><b id="in">b</b><div class="to"><b id="out">c</b></div></div><p id="font" style="font:caption">d</p>
    <p id="data" data-kind="x" data-spacer data-folded>e</p>
    <form action="https://a.example/" style="background:rgb(7, 8, 9);padding:11px"><p id="inside">f <input name="x"></p></form>`
  const seen = await drawn(page, html, mail => {
    const style = (selector: string) => getComputedStyle(mail.querySelector(selector) ?? mail.body)
    const box = mail.querySelector('#inside')?.parentElement ?? mail.body
    return {
      layer: style('.layer').color,
      scoped: style('#in').color,
      beyond: style('#out').color === style('body').color,
      isSystemFont: style('#font').lineHeight === 'normal',
      typed: style('#data').color,
      names: mail.querySelector('#data')?.getAttributeNames(),
      form: [box.tagName, getComputedStyle(box).backgroundColor, getComputedStyle(box).padding],
      left: mail.querySelectorAll('form, input').length,
    }
  })
  expect(seen).toEqual({
    layer: 'rgb(1, 2, 3)',
    scoped: 'rgb(4, 5, 6)',
    beyond: true,
    isSystemFont: true,
    typed: 'rgb(1, 1, 1)',
    names: ['id', 'data-kind'],
    form: ['DIV', 'rgb(7, 8, 9)', '11px'],
    left: 0,
  })
})

test('fields and buttons are drawn with their words, and nothing of them can be used', async ({ readerPage: page }) => {
  const html = `<form><input value="written" class="wide"> <input placeholder="hint" style="width:200px"> <input type="password" value="abc"> <input type="hidden" value="secret">
    <input type="checkbox" checked data-field="text"> <input type="radio"> <input type="submit" value="Go on"> <input type="image" src="https://a.example/x.png" alt="Map">
    <textarea placeholder="unused">two\nlines</textarea> <select><option>first</option><optgroup label="more"><option>second</option></optgroup></select> <button>Press</button></form>`
  const look = (mail: Document) => ({
    text: mail.body.innerText.replace(/\s+/g, ' ').trim(),
    left: mail.querySelectorAll('form, input, textarea, select, option, optgroup, button, [src], body [name]').length,
    kinds: Array.from(mail.querySelectorAll('[data-field]'), box => box.getAttribute('data-field')),
    widths: Array.from(mail.body.querySelectorAll('.wide, [style]'), box => Math.round(box.getBoundingClientRect().width)),
  })
  const seen = await drawn(page, html, look)
  for (const words of ['written', 'hint', '•••', 'Go on', 'Map', 'two lines', 'first second', 'Press']) expect(seen.text).toContain(words)
  for (const words of ['abc', 'secret', 'unused']) expect(seen.text).not.toContain(words)
  expect(seen).toMatchObject({ left: 0, kinds: ['text', 'text', 'text', 'checkbox', 'radio', 'area', 'choice'], widths: [177, 208] })
  expect(await drawn(page, html, look, { view: 'simple' })).toMatchObject({ text: 'first second Press', left: 0, kinds: [] })
})

test('fields that hide the properties of their form break nothing, and its words stay', async ({ readerPage: page }) => {
  for (const name of ['getAttribute', 'ownerDocument', 'append', 'style', 'createElement']) {
    const html = `<form name="${name}"><p>words</p><input name="${name}"><img name="createRange" alt=""></form>`
    expect(await drawn(page, html, mail => mail.body.textContent?.trim()), name).toBe('words')
  }
})

test('an unknown element keeps its look, as browsers draw it', async ({ readerPage: page }) => {
  const html = `<columns dir="rtl" style="color:rgb(1, 2, 3)"><p id="in">words</p></columns><my-box class="mine" onclick="alert(1)">box</my-box><o:p>plain</o:p><style>.mine{color:rgb(4, 5, 6)}</style>`
  const seen = await drawn(page, html, mail => {
    const inside = mail.querySelector('#in')?.parentElement ?? mail.body
    const mine = mail.querySelector('.mine') ?? mail.body
    return [
      inside.tagName,
      getComputedStyle(inside).direction,
      getComputedStyle(inside).color,
      mine.tagName,
      mine.getAttributeNames().join(),
      getComputedStyle(mine).color,
      mail.body.innerText.replace(/\s+/g, ' ').trim(),
    ]
  })
  expect(seen).toEqual(['SPAN', 'rtl', 'rgb(1, 2, 3)', 'SPAN', 'class', 'rgb(4, 5, 6)', 'words boxplain'])
})

test('roles and ARIA attributes are kept, but a link is called what it shows', async ({ readerPage: page }) => {
  const html =
    '<div role="img" aria-label="chart">x</div><a href="https://a.example/" aria-label="bank.example" aria-hidden="true">shop</a>'
  const names = (mail: Document) => Array.from(mail.querySelectorAll('div, a'), element => element.getAttributeNames().join(' '))
  expect(await drawn(page, html, names)).toEqual(['role aria-label', 'href target rel title'])
})

test('scopes of a large mail are dropped, since for each of their rules its root is looked for above every element', async ({
  readerPage: page,
}) => {
  const count = (css: string, html = '<p>x</p>') =>
    drawn(page, `<style>${css}</style>${html}`, mail => [...mail.styleSheets].reduce((sum, { cssRules }) => sum + cssRules.length, 0))
  const scope = (rule: string) => `@scope (p) { ${rule} } `
  const own = await count('')
  const scopes = scope('* { color: red }').repeat(100)
  expect((await count(scopes)) - own).toBe(100)
  const large = `${'<div>x'.repeat(40)}${'</div>'.repeat(40)}`.repeat(50)
  expect((await count(scopes, large)) - own).toBeLessThan(5)
  expect((await count(scope(scope('* { color: red }')))) - own).toBe(0)
})

for (const width of [375, 1280]) {
  test(`the simple view has lines of about 70 characters and a margin, and no unreadable style (${width} px)`, async ({
    readerPage: page,
  }) => {
    const html = `<body style="margin:0;padding:0;background:#fff" dir="rtl"><table bgcolor="#000"><tr><td><p style="color:#fff;font-size:9px;line-height:9px;margin:0">${'word '.repeat(200)}</p></td></tr></table>
      <p style="font-weight:700;text-align:center">bold</p><table><tr><td bgcolor="#f60"><a href="https://a.example/" style="color:#fff;text-decoration:none">Confirm</a></td></tr></table>
      <a id="framed" class="btn" href="https://a.example/b">Second</a> <a href="https://a.example/c">plain</a> <a href="https://a.example/d"><img src="x.png" alt="Picture words"></a></body>`
    const seen = await drawn(
      page,
      html,
      mail => {
        const p = mail.querySelector('p') ?? mail.body
        const style = getComputedStyle(p)
        const range = mail.createRange()
        range.setStart(p.firstChild ?? p, 0)
        let chars = 0
        for (const top = range.getBoundingClientRect().top; chars < 300; chars++) {
          range.setStart(p.firstChild ?? p, chars)
          range.setEnd(p.firstChild ?? p, chars + 1)
          if (range.getBoundingClientRect().top > top + 4) break
        }
        const box = p.getBoundingClientRect()
        return {
          color: style.color,
          size: style.fontSize,
          ground: style.backgroundColor,
          chars,
          margin: Math.min(box.left, mail.documentElement.clientWidth - box.right),
          direction: getComputedStyle(mail.body).direction,
          bold: getComputedStyle(mail.querySelectorAll('p')[1] ?? p).fontWeight,
          buttons: Array.from(mail.querySelectorAll('a'), a => getComputedStyle(a).borderTopWidth === '1px'),
          text: mail.body.innerText,
        }
      },
      { view: 'simple', width },
    )
    expect(seen).toMatchObject({
      color: 'rgb(29, 34, 48)',
      size: '16px',
      ground: 'rgba(0, 0, 0, 0)',
      direction: 'rtl',
      bold: '700',
      buttons: [true, true, false, false],
    })
    expect(seen.chars).toBeLessThanOrEqual(76)
    expect(seen.margin).toBeGreaterThanOrEqual(16)
    expect(seen.text).toContain('Picture words')
  })
}

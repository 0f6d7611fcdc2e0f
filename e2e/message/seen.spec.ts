/** Everything that the server takes for seen in a mail (reader/seen/) is seen in both views of the reader, in a real browser. */
import { expect, type Page } from '@playwright/test'
import fc from 'fast-check'
import { findConfirmationLinks } from '#reader/links/confirmation-links.ts'
import { readHtml } from '#reader/seen/html.ts'
import { HIDDEN_MAILS } from '#test/fixtures/seen/hidden.ts'
import { corpusMails } from './reader/corpus-mails.ts'
import type * as Reader from './reader/reader-entry.ts'
import { readerTest as test } from './reader/reader-page.ts'

type Shown = { words: string[]; urls: string[] }

const WORD = /(?:hide|show|loose)\d+/g

/** The words and links that a reader sees, says the server. */
function seenOf(html: string): Shown {
  const { text, links } = readHtml(html)
  return { words: text.match(WORD) ?? [], urls: links.map(({ url }) => url).filter(url => /^https?:/i.test(url)) }
}

/** Runs in the page: the words and the links that are visible in each of the two views. */
async function shownIn(htmls: readonly string[]): Promise<Shown[]> {
  const { sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as typeof Reader
  const clipped = (element: Element, rect: DOMRect) => {
    let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom]
    for (let around: Element | null = element; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around)
      if (around.localName === 'html' || around.localName === 'body') continue
      const box = around.getBoundingClientRect()
      if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)]
    }
    return right - left < 2 || bottom - top < 2 || right < 0 || bottom < 0
  }
  const isSeen = (element: Element, rects: Iterable<DOMRect>) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    Number.parseFloat(getComputedStyle(element).fontSize) > 2 &&
    getComputedStyle(element).clipPath === 'none' &&
    [...rects].some(rect => !clipped(element, rect))
  const read = (html: string, view: 'simple' | 'layout') => {
    const frame = document.createElement('iframe')
    frame.style.cssText = 'width:700px;height:900px'
    document.body.replaceChildren(frame)
    const inner = frame.contentDocument ?? document
    writeMail(inner, sanitizeMail(html, { view, areImagesAllowed: false }), view, 'Quoted text')
    // Quoted text is folded by the reader itself, and opened by a press.
    for (const folded of inner.querySelectorAll('[data-folded]')) folded.setAttribute('open', '')
    const words: string[] = []
    const urls: string[] = []
    const texts = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT)
    const seen = new Set<Element>()
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { parentElement } = node
      const range = inner.createRange()
      range.selectNodeContents(node)
      if (!parentElement || (node.nodeValue ?? '').trim() === '' || !isSeen(parentElement, range.getClientRects())) continue
      seen.add(parentElement)
      words.push(...((node.nodeValue ?? '').match(/(?:hide|show|loose)\d+/g) ?? []))
    }
    for (const picture of inner.querySelectorAll('img')) if (isSeen(picture, picture.getClientRects())) seen.add(picture)
    for (const link of inner.querySelectorAll('a[href]'))
      if ([...seen].some(each => link.contains(each))) urls.push(link.getAttribute('href') ?? '')
    return { words, urls }
  }
  return htmls.map(html => {
    const [simple, layout] = [read(html, 'simple'), read(html, 'layout')]
    return { words: simple.words.filter(word => layout.words.includes(word)), urls: simple.urls.filter(url => layout.urls.includes(url)) }
  })
}

async function shownByBrowser(page: Page, htmls: readonly string[]): Promise<Shown[]> {
  const shown: Shown[] = []
  for (let at = 0; at < htmls.length; at += 200) shown.push(...(await page.evaluate(shownIn, htmls.slice(at, at + 200))))
  return shown
}

/** The URL that the browser opens for it. */
const opened = (url: string) => (URL.canParse(url) ? new URL(url).href : url)

function unseen(server: Shown, browser: Shown): string[] {
  const urls = new Set(browser.urls.map(opened))
  return [...server.words.filter(word => !browser.words.includes(word)), ...server.urls.filter(url => !urls.has(opened(url)))]
}

test('what is hidden in a mail is not offered, and what is shown is', async ({ readerPage: page }) => {
  const shown = await shownByBrowser(page, HIDDEN_MAILS)
  for (const [at, html] of HIDDEN_MAILS.entries()) {
    const [server, browser] = [seenOf(html), shown[at] ?? { words: [], urls: [] }]
    const expected = [...new Set(html.match(/show\d+/g) ?? [])].sort()
    expect
      .soft([...new Set(browser.words.filter(word => !word.startsWith('loose')))].sort(), `the browser shows of ${html}`)
      .toEqual(expected)
    expect
      .soft([...new Set(server.words.filter(word => !word.startsWith('loose')))].sort(), `the server reads of ${html}`)
      .toEqual(expected)
    expect.soft(unseen(server, browser), html).toEqual([])
  }
})

/** Tags that open, close and repair each other, with and without what hides. */
function generatedHtml(): fc.Arbitrary<string> {
  const tags =
    'div p span b a i font table tr td li ul h1 h2 form button section center object svg title style script select template dd nobr em tbody'.split(
      ' ',
    )
  const styles = [
    'display:none',
    'font-size:0',
    'visibility:hidden',
    'font-size:14px',
    'visibility:visible',
    'opacity:0',
    'max-height:0;overflow:hidden',
    'color:red',
  ]
  const open = fc.tuple(fc.constantFrom(...tags), fc.option(fc.constantFrom(...styles), { freq: 2 })).map(([tag, style]) => {
    const href = tag === 'a' ? ' href="https://a.test/URL"' : ''
    return `<${tag}${href}${style ? ` style="${style}"` : ''}>`
  })
  const close = fc.constantFrom(...tags).map(tag => `</${tag}>`)
  const odd = fc.constantFrom('<br>', '</br>', '<!--', '-->', '<![CDATA[', ']]>', '<hr>', '</p>', '<td>', '</body>', '<body>')
  const piece = fc.oneof({ weight: 4, arbitrary: open }, { weight: 4, arbitrary: close }, { weight: 1, arbitrary: odd })
  return fc.array(fc.tuple(piece, fc.boolean()), { minLength: 2, maxLength: 24 }).map(pieces => {
    let number = 0
    return pieces.map(([tag, hasWord]) => `${tag.replace('URL', `show${++number}`)}${hasWord ? ` show${++number} ` : ''}`).join('')
  })
}

test('@long nothing is taken for seen in wrongly nested HTML that a browser hides', async ({ readerPage: page }) => {
  const runs = Number(process.env.SEEN_RUNS ?? 600)
  test.setTimeout(60_000 + runs * 100)
  const htmls = fc.sample(generatedHtml(), { numRuns: runs, ...(process.env.SEEN_SEED ? { seed: Number(process.env.SEEN_SEED) } : {}) })
  const shown = await shownByBrowser(page, htmls)
  const wrong = htmls.flatMap((html, at) => {
    const found = unseen(seenOf(html), shown[at] ?? { words: [], urls: [] })
    return found.length > 0 ? [`${found.join()}: ${html}`] : []
  })
  expect(wrong.sort((one, other) => one.length - other.length).slice(0, 5)).toEqual([])
})

// CORPUS=1 reads the mails of lab/docs/mail-corpora.md.
if (process.env.CORPUS)
  test('@long the links of real mail are seen, and none that is offered is hidden', async ({ readerPage: page }) => {
    const mails = corpusMails().filter(({ html }) => html.length < 120_000)
    test.setTimeout(600_000)
    const shown = await shownByBrowser(
      page,
      mails.map(({ html }) => html),
    )
    const wrong = mails.flatMap(({ name, html }, at) => {
      const urls = new Set(shown[at]?.urls.map(opened))
      return findConfirmationLinks({ html }).flatMap(({ url }) => (urls.has(opened(url)) ? [] : [`${name}: ${url}`]))
    })
    expect(wrong).toEqual([])
  })

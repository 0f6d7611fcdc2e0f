/** Everything that the server takes for seen in a mail (reader/seen/) is seen in both views of the reader, in a real browser. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import fc from 'fast-check'
import { readHtml } from '#reader/seen/html.ts'
import { hasCorpora } from '#test/mail-corpora/corpora-folder.ts'
import { corpusMails, type HtmlMail, htmlMail, readHtmlMail } from './reader/corpus-mails.ts'
import type * as Reader from './reader/reader-entry.ts'
import { readerTest as test } from './reader/reader-page.ts'

/**
 * HTML with numbered words, also as names of links. A word that begins with "hide" no reader sees, one with "show" every reader sees. One
 * with "loose" a browser shows and the server may leave out: it does not guess where a badly nested hidden element ends.
 */
const HIDDEN_MAILS: readonly string[] = readFileSync(resolve(import.meta.dirname, '../../test/fixtures/seen/hidden.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line))

/** What is shown in both views. `anywhere`: the links of either, seen or not, and all words, without blanks. */
type Shown = { words: string[]; urls: string[]; anywhere?: { urls: string[]; text: string } }

const FIXTURES = resolve(import.meta.dirname, '../../test/fixtures/mail')
const LABELLED = resolve(import.meta.dirname, '../../lab/codes/set')
/** The simple view opens others too. */
const IN_BOTH_VIEWS = /^(?:https?|mailto):/i

/** Links that programs write in ways that readers of mail have read differently. */
const LINKS = [
  '<img src="https://a.example/b.png" usemap="#m" alt="Welcome"><map name="m"><area shape="rect" coords="0,0,300,80" href="https://a.example/confirm?t=1" alt="Confirm"></map>',
  '<a href="https://a.example/shop"><img src="b.png" usemap="#m" width="50" height="50"></a><map name="m"><area href="https://a.example/1"><area href="https://a.example/2" title="Two"></map>',
  '<base href="https://a.example/news/"><p><a href="../confirm?t=1">Confirm</a> <a href="//b.example/x">b</a> <a href="#top">top</a></p>',
  '<p><a href="confirm?t=1">Confirm</a></p><base href="https://a.example/"><base href="https://b.example/">',
  '<p><a title="a > b" href="https://a.example/very/\n   long?x=1&amp;y=2&#38;z=%20 ">Confirm</a></p>',
  '<p><a href="HTTPS://A.example/Ünï?q=ñ">Confirm</a> <a href="mailto:ada@a.example?subject=x%20y">write</a> <a href="\\\\a.example\\x">x</a></p>',
  '<p>Confirm: https://a.example/confirm?t=1</p>',
  '<p><a href="https://user:pw@a.example/">login</a><a href=https://a.example/x/>x</a></p>',
]

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
    const shownTexts: string[] = []
    const texts = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT)
    const seen = new Set<Element>()
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { parentElement } = node
      const range = inner.createRange()
      range.selectNodeContents(node)
      if (!parentElement || (node.nodeValue ?? '').trim() === '' || !isSeen(parentElement, range.getClientRects())) continue
      seen.add(parentElement)
      shownTexts.push(node.nodeValue ?? '')
      words.push(...((node.nodeValue ?? '').match(/(?:hide|show|loose)\d+/g) ?? []))
    }
    for (const picture of inner.querySelectorAll('img')) if (isSeen(picture, picture.getClientRects())) seen.add(picture)
    for (const link of inner.querySelectorAll('a[href]'))
      if ([...seen].some(each => link.contains(each))) urls.push(link.getAttribute('href') ?? '')
    for (const picture of inner.querySelectorAll('img'))
      if (seen.has(picture))
        for (const area of inner.querySelectorAll(`map[name="${CSS.escape(picture.useMap.slice(1))}"] area[href]`))
          urls.push(area.getAttribute('href') ?? '')
    const links = Array.from(inner.querySelectorAll('a[href], area[href]'), link => link.getAttribute('href') ?? '')
    return { words, urls, links, text: shownTexts.join('').replace(/\s+/g, '') }
  }
  return htmls.map(html => {
    const [simple, layout] = [read(html, 'simple'), read(html, 'layout')]
    const urls = simple.urls.filter(url => layout.urls.includes(url))
    const anywhere = { urls: [...simple.links, ...layout.links], text: layout.text }
    return { words: simple.words.filter(word => layout.words.includes(word)), urls, anywhere }
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
  const seed = Number(process.env.SEEN_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const htmls = fc.sample(generatedHtml(), { numRuns: runs, seed })
  const shown = await shownByBrowser(page, htmls)
  const wrong = htmls.flatMap((html, at) => {
    const found = unseen(seenOf(html), shown[at] ?? { words: [], urls: [] })
    return found.length > 0 ? [`${found.join()}: ${html}`] : []
  })
  expect(wrong.sort((one, other) => one.length - other.length).slice(0, 5), `run again with SEEN_SEED=${seed}`).toEqual([])
})

/** The labelled mails of `lab/codes/set/`, as files that are only read. */
function labelledMails(): HtmlMail[] {
  return readdirSync(LABELLED).flatMap(file => {
    const written = readFileSync(join(LABELLED, file), 'utf8').split(/^===.*\n/m)
    return written.flatMap((mail, at) => {
      const [, subject = ''] = /^subject: (.*)$/m.exec(mail) ?? []
      const read = /^--- html\n/m.test(mail) && readHtmlMail(htmlMail(mail.split(/^--- html\n/m)[1] ?? '', subject))
      return read ? [{ corpus: 'labelled', name: `${file}: ${at}`, ...read }] : []
    })
  })
}

/** What is offered of each mail and is a link of neither view, and what both views show and is not offered. */
async function disagreements(page: Page, mails: readonly HtmlMail[]): Promise<{ unshown: string[]; unoffered: string[] }> {
  const shown = await shownByBrowser(
    page,
    mails.map(({ html }) => html),
  )
  const unshown: string[] = []
  const unoffered: string[] = []
  for (const [at, { name, offered, text }] of mails.entries()) {
    const { urls = [], anywhere = { urls: [], text: '' } } = shown[at] ?? {}
    // A picture without words is a link in the original layout, once it is loaded.
    const openedUrls = new Set(anywhere.urls.map(opened))
    const offeredUrls = new Set(offered.map(opened))
    // What is written without being a link stands in a text, perhaps without its scheme.
    const written = `${anywhere.text}\n${text.replace(/\s+/g, '')}`
    const isShown = (url: string) => openedUrls.has(opened(url)) || written.includes(url.replace(/^(?:https?:\/\/|mailto:)/, ''))
    unshown.push(...offered.filter(url => IN_BOTH_VIEWS.test(url) && !isShown(url)).map(url => `${name}: ${url}`))
    unoffered.push(...[...new Set(urls.map(opened))].filter(url => !offeredUrls.has(url)).map(url => `${name}: ${url}`))
  }
  return { unshown, unoffered }
}

test('the frame opens the URLs that every other door offers, of every mail we have', async ({ readerPage: page }) => {
  const hidden = HIDDEN_MAILS.flatMap((html, at) => {
    const read = readHtmlMail(htmlMail(html))
    return read ? [{ corpus: 'hidden', name: `hidden ${at}`, ...read }] : []
  })
  const links = LINKS.map((html, at) => ({
    corpus: 'links',
    name: `links ${at}`,
    html,
    text: '',
    offered: [],
    ...readHtmlMail(htmlMail(html)),
  }))
  for (const { html, offered } of links) expect.soft(offered.length, html).toBeGreaterThan(0)
  const { unshown, unoffered } = await disagreements(page, [...links, ...hidden, ...corpusMails(FIXTURES)])
  expect(unshown).toEqual([])
  expect(unoffered).toEqual([])
})

test('@long the frame opens the URLs that every other door offers, of every labelled mail', async ({ readerPage: page }) => {
  test.setTimeout(600_000)
  const mails = labelledMails()
  expect(mails.filter(({ offered }) => offered.length > 0).length).toBeGreaterThan(200)
  const { unshown, unoffered } = await disagreements(page, mails)
  expect(unshown).toEqual([])
  expect(unoffered).toEqual([])
})

if (hasCorpora)
  test('@long the frame opens the URLs that every other door offers, of the mail of other projects', async ({ readerPage: page }) => {
    test.setTimeout(600_000)
    const mails = corpusMails('1').filter(({ html }) => html.length < 120_000)
    const { unshown, unoffered } = await disagreements(page, mails)
    expect(unshown).toEqual([])
    expect(unoffered).toEqual([])
  })

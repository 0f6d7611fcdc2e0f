/**
 * CSS that multiplies the work of a browser (test/generators/costly-css.ts): the mail is shown without what costs too much, and the page
 * around it replies. Without a bound a mail of these stops the tab.
 */
import { existsSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import fc from 'fast-check'
import { costlyBoxes, costlySheets } from '#test/generators/costly-css.ts'
import { corporaFolder, whyNoCorpora } from '#test/mail-corpora/corpora-folder.ts'
import { corpusMails } from './reader/corpus-mails.ts'
import type { Reader } from './reader/reader-bundle.ts'
import { readerTest as test } from './reader/reader-page.ts'

const MAILS = 25
/** A hundred times what such a mail takes here, so that a busy machine is not blamed. */
const REPLY_MS_MAX = 30_000

test('X08 a mail of boxes in each other is shown, and the page replies to a click', async ({ readerPage: page }) => {
  test.setTimeout(MAILS * REPLY_MS_MAX)
  for (const html of fc.sample(costlyBoxes, { numRuns: MAILS, seed: 5 })) await showInTime(page, html)
})

for (const [what, { css, html, rulesMax, one }] of Object.entries(costlySheets))
  test(`X08 ${what}: dropped where they cost too much, and one rule is kept`, async ({ readerPage: page }) => {
    const heavy = await showInTime(page, `<style>${css}</style>${html}`)
    expect(heavy.heavyStyles).toBe('some')
    expect(heavy.rules).toBeLessThanOrEqual(rulesMax)
    const light = await showInTime(page, `<style>${one}</style><p class="a" title="abc">x <b>y</b></p>`)
    expect(light).toEqual({ heavyStyles: 'none', rules: 1 })
  })

const NARROW = 'p{width:1px;overflow-wrap:anywhere}'
const BELOW_EACH_OTHER: readonly (readonly [what: string, style: string, open: string, letters: string])[] = [
  ['letters', '', '<b style="background:red">', 'a'],
  ['letters in elements that have a ground without a style', '', '<mark>', 'a'],
  ['letters in elements of a map', 'map{background:red}', '<map>', 'a'],
  ['lines of a text', '', '<b style="background:red"><i style="background:lime;white-space:pre">', 'a\n'],
  ['lines without letters', '', '<b style="background:red">', '<br>'],
  ['letters in blocks by inline', 'div{display:inline;background:red}', '<div>', 'a'],
  ['letters in blocks by initial', 'div{display:initial;background:red}', '<div>', 'a'],
  ['letters in blocks by unset', '@media screen{p .x{display:unset;background:red}}', '<div class=x>', 'a'],
  ['letters in blocks by all', 'div{all:unset}', '<div>', 'a'],
  ['letters in blocks by an escape', 'div{d\\69splay:in\\6cine;background:red}', '<div>', 'a'],
  ['letters in blocks by a selector that is not plain', 'div:not(#y){display:inline}', '<div>', 'a'],
  ['letters in blocks by an attribute of theirs', 'b i, [x~="y"]{display:inline}', '<div x=y>', 'a'],
  ['letters in blocks by a nested rule', 'body{div{display:inline;background:red}}', '<div>', 'a'],
  ['letters in blocks by an attribute', '', '<div style="display:in&#108;ine;background:red">', 'a'],
  ['letters in blocks behind thousands of rules', `@keyframes x{${'0%{}'.repeat(5001)}}div{display:inline;background:red}`, '<div>', 'a'],
  ['letters in parts of tables', 'table:not(q),tbody:not(q),tr:not(q),td:not(q){display:inline;background:red}', '<table><tr><td>', 'a'],
  ['letters in blocks that inherit it', '', '<b><div style="display:inherit">', 'a'],
]

for (const [what, style, open, letters] of BELOW_EACH_OTHER)
  for (const view of ['simple', 'layout'] as const)
    test(`X08 ${what} below each other are in few boxes: ${view}`, async ({ readerPage }) => {
      const deepest = async (deep: number) => {
        const shown = await showInTime(
          readerPage,
          `<style>${style} ${NARROW}</style><section>${open.repeat(deep)}${letters.repeat(20_000)}</section>`,
          view,
        )
        return { ...shown, boxes: await readerPage.evaluate(boxesInLines) }
      }
      expect((await deepest(90)).boxes).toBeLessThanOrEqual(10)
      expect((await deepest(4)).heavyStyles).toBe('none')
    })

/** The most boxes in each other in which a letter or a line of the frame is. */
function boxesInLines() {
  const inner = document.querySelector('iframe')?.contentDocument
  const depths = new Map<Element | null, number>()
  for (const element of inner?.querySelectorAll('body *') ?? [])
    depths.set(element, (depths.get(element.parentElement) ?? 0) + (getComputedStyle(element).display === 'inline' ? 1 : 0))
  return Math.max(0, ...depths.values())
}

test('X08 each element that a browser draws in a line counts', async ({ readerPage }) => {
  const missed = await readerPage.evaluate(tags => {
    const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
    return tags.filter(tag => {
      const probe = document.body.appendChild(document.createElement(tag))
      probe.textContent = 'x'
      const isInLine = getComputedStyle(probe).display === 'inline'
      probe.remove()
      const html = `<div>${`<${tag}>`.repeat(90)}${'a'.repeat(20_000)}</div>`
      const { body } = sanitizeMail(html, { view: 'layout', areImagesAllowed: false })
      return isInLine && body.querySelector(`${tag} `.repeat(11)) !== null
    })
  }, ALL_TAGS)
  expect(missed).toEqual([])
})

const ALL_TAGS = (
  'p div span strong b em i u h1 ul ol li blockquote button select option optgroup table caption tbody tr th td center font small big sub sup s strike ' +
  'del ins code pre tt kbd samp var cite q abbr dl dt dd section article header footer main aside nav address figure figcaption mark time bdo bdi ' +
  'details summary ruby rt rp progress meter map acronym nobr fieldset legend label menu dir hgroup search data output dialog'
).split(' ')

test('X08 a thread of thirty replies keeps its styles, whatever words are in it', async ({ readerPage }) => {
  const words = 'the contents are confidential, inline \\ '
  const reply = `<div dir="ltr"><div class="gmail_quote"><blockquote style="margin:0 0 0 .8ex;border-left:1px solid #ccc">${words.repeat(30)}`
  const sheet = '<style>.button{display:inline-block}.menu li{display:inline}a[x-apple-data-detectors]{display:inline}</style>'
  const { heavyStyles } = await showInTime(readerPage, sheet + reply.repeat(30))
  expect(heavyStyles).toBe('none')
  expect(await readerPage.evaluate(() => document.querySelector('iframe')?.contentDocument?.querySelectorAll('blockquote').length)).toBe(30)
})

const TURNING: readonly (readonly [what: string, style: string, turn: string, views: readonly ('simple' | 'layout')[]])[] = [
  ['overrides', '', '<bdo dir=rtl>a</bdo>b', ['layout']],
  ['isolates', '', '<bdi>a</bdi>b', ['layout']],
  ['directions', '', '<b><i dir=rtl>a</i></b>b', ['layout']],
  ['styles', '', '<b style="direction:rtl;unicode-bidi:embed">a</b>b', ['simple', 'layout']],
  ['rules', '@media screen{div b{direction:rtl;unicode-b\\69 di:embed}}', '<b>a</b>b', ['layout']],
  ['blocks in a line', 'p{display:inline}', '<p>א</p><p>a</p>', ['layout']],
  ['maps', '', '<map>א</map><map>a</map>', ['layout']],
]

for (const [what, style, turn, views] of TURNING)
  for (const view of views)
    test(`X08 a line that is turned without end by ${what} is parted: ${view}`, async ({ readerPage }) => {
      await showInTime(readerPage, `<style>${style}</style><div>${turn.repeat(3000)}</div>`, view)
      const { most, all } = await readerPage.evaluate(elementsPerParagraph)
      expect(all).toBeGreaterThanOrEqual(3000)
      expect(most).toBeLessThanOrEqual(1100)
    })

/** Elements in a line without others in them, by the block of the frame that they are in. */
function elementsPerParagraph() {
  const inner = document.querySelector('iframe')?.contentDocument
  const counts = new Map<Element | null, number>()
  let all = 0
  for (const element of inner?.querySelectorAll('body *:not(:has(*))') ?? []) {
    let block: Element | null = element
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement
    counts.set(block, (counts.get(block) ?? 0) + 1)
    all += 1
  }
  return { most: Math.max(...counts.values()), all }
}

test('X08 a browser counts the quotation marks of some hundred quotes, and those behind them are drawn as letters', async ({
  readerPage,
}) => {
  await showInTime(readerPage, '<p>Ann: <q>yes</q> '.repeat(1000))
  const marks = await readerPage.evaluate(() => {
    const inner = document.querySelector('iframe')?.contentDocument
    return Array.from(inner?.querySelectorAll('q') ?? [], quote => getComputedStyle(quote, '::before').content)
  })
  expect(marks.filter(mark => mark === 'open-quote')).toHaveLength(300)
  expect(marks.filter(mark => mark === '"“"')).toHaveLength(700)
})

test('X08 no mail of the corpora loses a style for its cost', async ({ readerPage: page }) => {
  test.skip(!existsSync(corporaFolder), `${whyNoCorpora}; the ordinary rules above always run`)
  test.setTimeout(300_000)
  const mails = corpusMails('1')
  const heavy: string[] = []
  for (const { name, html } of mails) {
    const lost = await page.evaluate(
      source => (Reflect.get(window, 'mayfly') as Reader).sanitizeMail(source, { view: 'layout', areImagesAllowed: false }).heavyStyles,
      html,
    )
    if (lost !== 'none') heavy.push(`${name}: ${lost}`)
  }
  console.log(`${mails.length} mails, ${heavy.length} lose styles`)
  expect(heavy).toEqual([])
})

async function showInTime(page: Page, html: string, view: 'simple' | 'layout' = 'layout') {
  return Promise.race([
    showAndClick(page, html, view),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`no reply to a click: ${html.slice(0, 2000)}`)), REPLY_MS_MAX)),
  ])
}

async function showAndClick(page: Page, html: string, shownView: 'simple' | 'layout') {
  const shown = await page.evaluate(
    async ({ source, view }) => {
      const { applyTheme, contentHeight, fitWidth, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
      const frame = document.createElement('iframe')
      frame.sandbox.add('allow-same-origin')
      frame.style.cssText = 'display:block;border:0;width:800px'
      const button = document.createElement('button')
      button.textContent = 'Click'
      button.addEventListener('click', () => button.replaceChildren('Clicked'))
      document.body.replaceChildren(button, frame)
      const inner = frame.contentDocument
      if (!inner) throw new Error('the frame is out of reach')
      const mail = sanitizeMail(source, { view, areImagesAllowed: false })
      writeMail(inner, mail, view, 'Quoted text')
      fitWidth(inner)
      applyTheme(inner, mail, view, 'auto')
      frame.style.height = `${Math.min(20_000, contentHeight(inner))}px`
      await new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))
      return { heavyStyles: mail.heavyStyles, rules: mail.css.split('{').length - 1 }
    },
    { source: html, view: shownView },
  )
  await page.getByRole('button', { name: 'Click' }).click()
  await expect(page.getByRole('button', { name: 'Clicked' })).toBeVisible()
  return shown
}

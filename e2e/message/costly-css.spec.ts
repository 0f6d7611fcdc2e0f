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

for (const [what, style, open] of [
  ['letters below each other in ninety elements', '', '<b style="background:red">'],
  ['letters below each other in blocks that are drawn in a line', 'div{display:inline;background:red}', '<div>'],
] as const)
  test(`X08 ${what} have no styles, and in eight elements they have`, async ({ readerPage }) => {
    const mail = (deep: number) => `<style>${style} p{width:1px;overflow-wrap:anywhere}</style><p>${open.repeat(deep)}${'a'.repeat(20_000)}`
    expect((await showInTime(readerPage, mail(90))).heavyStyles).toBe('all')
    expect((await showInTime(readerPage, mail(8))).heavyStyles).toBe('none')
  })

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

async function showInTime(page: Page, html: string) {
  return Promise.race([
    showAndClick(page, html),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`no reply to a click: ${html.slice(0, 2000)}`)), REPLY_MS_MAX)),
  ])
}

async function showAndClick(page: Page, html: string) {
  const shown = await page.evaluate(async source => {
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
    const mail = sanitizeMail(source, { view: 'layout', areImagesAllowed: false })
    writeMail(inner, mail, 'layout', 'Quoted text')
    fitWidth(inner)
    applyTheme(inner, mail, 'layout', 'auto')
    frame.style.height = `${Math.min(20_000, contentHeight(inner))}px`
    await new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))
    return { heavyStyles: mail.heavyStyles, rules: mail.css.split('{').length - 1 }
  }, html)
  await page.getByRole('button', { name: 'Click' }).click()
  await expect(page.getByRole('button', { name: 'Clicked' })).toBeVisible()
  return shown
}

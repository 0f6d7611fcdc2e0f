/**
 * CSS that multiplies the work of a browser, generated from its grammar (test/generators/costly-css.ts): the mail is shown, and the page
 * around it replies. Without a bound a mail of these stops the tab for minutes.
 */
import { expect, type Page } from '@playwright/test'
import fc from 'fast-check'
import { costlyBoxes, costlySelectors } from '#test/generators/costly-css.ts'
import type { Reader } from './reader/reader-bundle.ts'
import { readerTest as test } from './reader/reader-page.ts'

const MAILS = 25
/** A hundred times what such a mail takes here, so that a busy machine is not blamed. */
const REPLY_MS_MAX = 30_000

for (const [what, mails] of [
  ['selectors in each other', costlySelectors],
  ['boxes in each other', costlyBoxes],
] as const) {
  test(`X08 a mail of ${what} is shown, and the page replies to a click`, async ({ readerPage: page }) => {
    test.setTimeout(MAILS * REPLY_MS_MAX)
    let slowestMs = 0
    for (const html of fc.sample(mails, { numRuns: MAILS, seed: 5 })) {
      const startedAt = performance.now()
      await Promise.race([
        showAndClick(page, html),
        new Promise((_, reject) => setTimeout(() => reject(new Error(`no reply to a click: ${html.slice(0, 2000)}`)), REPLY_MS_MAX)),
      ])
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    }
    console.log(`X08 ${what}: the slowest of ${MAILS} mails was shown and the page replied after ${slowestMs.toFixed(0)} ms`)
  })
}

async function showAndClick(page: Page, html: string): Promise<void> {
  await page.evaluate(async source => {
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
  }, html)
  await page.getByRole('button', { name: 'Click' }).click()
  await expect(page.getByRole('button', { name: 'Clicked' })).toBeVisible()
}

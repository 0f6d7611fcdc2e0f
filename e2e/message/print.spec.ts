/** A printed mail has its subject, sender, date and all its text, and nothing of the site. */
import type { Page } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { expectFrameText, hearParsing, inFrame, openHome, openMail, showTab } from './reader/reading.ts'

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeEach(({ noise }) => hearParsing(noise))

const LINES = Array.from({ length: 120 }, (_, i) => `Line number ${i}.`)
const DATE = new Date('2026-11-20T10:15:00Z')

/** The visible words with this `media`, in the page and in its frame, in order. */
async function visibleWords(page: Page): Promise<string> {
  return page.evaluate(() => {
    const words = document.body.innerText
    const inner = document.querySelector<HTMLIFrameElement>('dialog iframe')?.contentDocument?.body.innerText ?? ''
    return `${words}\n${inner}`
  })
}

/** Pages of a PDF, counted by their page objects. */
const countPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

test('printing the page with an open mail prints only the mail, at its full length', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'On paper', date: DATE, html: LINES.map(line => `<p>${line}</p>`).join('') })
  await sendMail({ to, subject: 'Sheets of text', date: DATE, text: LINES.join('\n\n') })
  for (const subject of ['On paper', 'Sheets of text']) {
    const dialog = await openMail(page, subject)
    // Until the mail has been read, its head shows when it arrived.
    if (subject === 'On paper') await expectFrameText(page, 'Line number 119.')
    else await expect(dialog.getByText('Line number 119.')).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    const words = await visibleWords(page)
    for (const word of [subject, 'Ada', 'ada@sender.test', 'Nov 20, 2026', 'Line number 0.', 'Line number 119.'])
      expect(words).toContain(word)
    for (const word of ['Mayfly', 'Generate new', 'Inbox', 'FAQ', 'Simple', 'Original', 'Source', 'Copy']) expect(words).not.toContain(word)
    // 120 paragraphs are four sheets or more. Cut off at the height of a screen they would be one.
    const pdf = await page.pdf({ format: 'A4' })
    expect(countPages(pdf)).toBeGreaterThanOrEqual(3)
    await page.emulateMedia({ media: null })
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

test("the browser's own print of a mail begins on its first sheet", async ({ page, sendMail }) => {
  const to = await openHome(page)
  // Two sheets of lines. With the subject on a sheet of its own they would be three.
  await sendMail({
    to,
    subject: 'On paper',
    date: DATE,
    html: LINES.slice(0, 40)
      .map(line => `<p>${line}</p>`)
      .join(''),
  })
  const dialog = await openMail(page, 'On paper')
  await expectFrameText(page, 'Line number 39.')
  expect(countPages(await page.pdf({ format: 'A4' }))).toBe(2)
  expect(await inFrame(page, mail => mail.documentElement.innerText, undefined), 'the screen is as before').not.toContain('Ada <')
  await expect(dialog.getByRole('heading', { name: 'On paper' })).toBeVisible()
})

test('the print button prints the frame with subject, sender and date, and with quotes open', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = `<style>div,body>*{display:none!important}</style><style>p,div,body>*{display:block!important}</style><p>Yes.</p><p>On Friday Grace wrote:</p><blockquote>Shall we have lunch in the old town, at one o'clock?</blockquote>`
  await sendMail({ to, subject: '<b>Paper</b>', date: DATE, html })
  const dialog = await openMail(page, '<b>Paper</b>')
  await showTab(page, 'Original')
  await expectFrameText(page, 'Grace wrote')
  // The print dialog cannot be tested, so this checks what it gets.
  await page.evaluate(() => {
    const mail = document.querySelector<HTMLIFrameElement>('dialog iframe')?.contentWindow
    if (mail) mail.print = () => Object.assign(window, { printed: mail.document.documentElement.innerText })
  })
  await dialog.getByRole('button', { name: 'More actions' }).focus()
  // The menu and the browser's own shortcut do the same.
  await page.keyboard.press('ControlOrMeta+p')
  const printed = await page.evaluate(() => String(Reflect.get(window, 'printed')))
  for (const words of ['<b>Paper</b>', 'From: Ada <ada@sender.test>', 'Nov 20, 2026', 'Yes.', 'Shall we have lunch'])
    expect(printed).toContain(words)
  expect(printed.indexOf('<b>Paper</b>')).toBeLessThan(printed.indexOf('Yes.'))
  await inFrame(page, mail => mail.defaultView?.dispatchEvent(new Event('afterprint')), undefined)
  const after = await inFrame(
    page,
    mail => [mail.documentElement.innerText.includes('ada@sender.test'), mail.querySelectorAll('details[open]').length],
    undefined,
  )
  expect(after).toEqual([false, 0])
})

test('a printed beginning of a long mail says that it is only a part', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = Array.from({ length: 6000 }, (_, i) => `<p>Row ${i} of a very long list of ${'words '.repeat(8)}</p>`).join('\n')
  await sendMail({ to, subject: 'Scroll', html })
  const dialog = await openMail(page, 'Scroll')
  const note = 'This is the beginning of a very long message.'
  const printed = async () => {
    await page.evaluate(() => {
      const mail = document.querySelector<HTMLIFrameElement>('dialog iframe')?.contentWindow
      if (mail) mail.print = () => Object.assign(window, { printed: mail.document.documentElement.innerText })
    })
    await page.keyboard.press('ControlOrMeta+p')
    await inFrame(page, mail => mail.defaultView?.dispatchEvent(new Event('afterprint')), undefined)
    return page.evaluate(() => String(Reflect.get(window, 'printed')))
  }
  await expectFrameText(page, 'Row 0 of')
  const part = await printed()
  expect(part).not.toContain('Row 5999')
  expect(part.split(note)).toHaveLength(3)
  expect(part.trimEnd().endsWith(note)).toBe(true)
  // The browser's own menu prints the page around the frame.
  await page.emulateMedia({ media: 'print' })
  await expect(dialog.getByText(note)).toBeVisible()
  await page.emulateMedia({ media: null })
  await dialog.getByRole('button', { name: 'Show all of it' }).click()
  await expectFrameText(page, 'Row 5999')
  const whole = await printed()
  expect(whole).toContain('Row 5999')
  expect(whole).not.toContain(note)
  expect(await inFrame(page, mail => mail.documentElement.children.length, undefined)).toBe(2)
})

/**
 * What is long stays whole and within reach: a hundred mails, 20,000 lines, 5 MB. How smooth it scrolls is printed by `npm run
 * lab -- reading`.
 */
import { statSync } from 'node:fs'
import { expect, test } from '../harness/fixtures.ts'
import { chooseMore, expectFrameText, hearParsing, inFrame, openHome, openMail, showTab } from './reader/reading.ts'

test.use({ viewport: { width: 360, height: 740 } })

test.beforeEach(({ noise }) => hearParsing(noise))

test('a list of a hundred mails shows and opens each of them', async ({ page, sendMail }) => {
  const to = await openHome(page)
  for (let at = 0; at < 100; at++) await sendMail({ to, subject: `Mail ${at}.`, text: `Body ${at}.` })
  await expect(page.locator('[data-message]')).toHaveCount(100)
  for (const at of [99, 0]) {
    const dialog = await openMail(page, `Mail ${at}.`)
    await expect(dialog.getByTestId('text')).toHaveText(`Body ${at}.`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
})

test('a text of 20,000 lines is shown to its end', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'Log', text: Array.from({ length: 20_000 }, (_, i) => `${i} a line of the log`).join('\n') })
  const dialog = await openMail(page, 'Log')
  const last = dialog.getByText('19999 a line of the log')
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
})

test('a word of 250,000 letters has break opportunities in each view, and is copied as it was', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const word = 'a'.repeat(250_000)
  const letters = '<b>b</b>'.repeat(1500)
  await sendMail({
    to,
    subject: 'Word',
    html: `<p>head</p>${word}<p><a href="https://shop.example/">${'c'.repeat(3000)}</a></p>${letters}`,
  })
  const dialog = await openMail(page, 'Word')
  const whole = { longest: 1000, copied: `head${word}${'c'.repeat(3000)}${'b'.repeat(1500)}` }
  const isWhole = (seen: typeof whole) => seen.longest === whole.longest && seen.copied === whole.copied
  await dialog.getByRole('button', { name: 'Show all of it' }).click()
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'head')
    await expect.poll(async () => isWhole(await inFrame(page, longestAndCopied, undefined))).toBe(true)
    expect(await inFrame(page, mail => mail.querySelectorAll('b ~ wbr, b wbr').length, undefined)).toBeGreaterThan(0)
  }
  await showTab(page, 'Text')
  // Kerning takes Chromium a second for each 100,000 letters.
  await expect(dialog.getByTestId('text')).toHaveCSS('font-kerning', 'none')
  expect(isWhole(await dialog.getByTestId('text').evaluate(longestAndCopied))).toBe(true)
})

/** The length of the longest word in one text node, and what a selection of everything copies, without white space. */
function longestAndCopied(shown: Document | Element) {
  const root = 'body' in shown ? shown.body : shown
  const texts = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  let longest = 0
  while (texts.nextNode()) for (const word of (texts.currentNode.textContent ?? '').split(/\s/)) longest = Math.max(longest, word.length)
  const selection = root.ownerDocument.getSelection()
  selection?.selectAllChildren(root)
  const copied = String(selection).replace(/\s/g, '')
  selection?.removeAllRanges()
  return { longest, copied }
}

test('a text of links is drawn as far as it is near, and linked to its end', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const line = 'http://xn--pypal-4ve.a.a.a.a.a.a.a.a/ '.repeat(1500)
  await sendMail({ to, subject: 'Links', text: `${line}\n`.repeat(4) })
  const dialog = await openMail(page, 'Links')
  const text = dialog.getByTestId('text')
  await expect(text.getByRole('link').first()).toBeVisible()
  expect(await text.evaluate(shown => shown.querySelectorAll('*').length)).toBeLessThan(25_000)
  await text.evaluate(shown => shown.lastElementChild?.scrollIntoView({ block: 'end' }))
  await expect(text.locator('> :last-child a').last()).toBeVisible()
  expect(await text.evaluate(shown => shown.textContent.match(/http:\/\/xn--pypal-4ve(?:\.a){8}\//g)?.length)).toBe(6000)
})

test('each link of a long newsletter in plain text is there before it is near', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const story = (at: number) => `Story ${at}\n${'word '.repeat(50)}\nhttps://news.example/story/${at}\n\n`
  const text = `${Array.from({ length: 100 }, (_, at) => story(at)).join('')}https://news.example/unsubscribe`
  await sendMail({ to, subject: 'Stories', text })
  const dialog = await openMail(page, 'Stories')
  await expect(dialog.getByRole('link', { name: 'https://news.example/unsubscribe' })).toBeAttached()
  await expect(dialog.getByTestId('text').getByRole('link')).toHaveCount(101)
})

test('quotes that alternate with own lines are folded up to a maximum, and the rest is shown as it is written', async ({
  page,
  sendMail,
}) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'Quotes', text: `${'mine\n> one\n> two\n> three\n'.repeat(1500)}the end` })
  const dialog = await openMail(page, 'Quotes')
  const text = dialog.getByTestId('text')
  await expect(text.locator('summary').first()).toHaveText('3 quoted lines')
  expect(await text.locator('details').count()).toBe(100)
  expect(await text.locator('*').count()).toBeLessThan(2000)
  const end = text.getByText('the end')
  await end.scrollIntoViewIfNeeded()
  await expect(end).toBeInViewport()
  await expect(text.locator('> div').nth(-2)).toContainText('> three')
})

/** 24,000 letters that turn the direction with each, as one line of each view. */
const TURNING = '(א[a'.repeat(6000)

test('a line whose direction changes without end is parted in each view, and no letter is lost', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const inline = `<style>p { display: inline }</style>${`<p><b>${'(א[a'.repeat(100)}</b></p>`.repeat(60)}`
  await sendMail({ to, subject: 'One', html: `<p>${TURNING}</p>` })
  await sendMail({ to, subject: 'Inline', html: inline })
  await sendMail({ to, subject: 'Across', html: `<p>${'<b>א</b><i>a</i>'.repeat(6000)}</p>` })
  await sendMail({ to, subject: 'Nested', html: `<figure><u><s>${'<b>א</b>a '.repeat(6000)}</s></u></figure>` })
  await sendMail({ to, subject: 'Plain', text: TURNING })
  for (const [subject, start] of [
    ['One', '(א[a(א[a'],
    ['Inline', '(א[a(א[a'],
    ['Across', 'אaאa'],
    ['Nested', 'אa אa'],
  ] as const) {
    const dialog = await openMail(page, subject)
    const whole = dialog.getByRole('button', { name: 'Show all of it' })
    await expectFrameText(page, start)
    if (await whole.isVisible()) await whole.click()
    for (const view of ['Simple', 'Original'] as const) {
      await showTab(page, view)
      await expectFrameText(page, start)
      await expect.poll(() => inFrame(page, turnsOfLines, undefined)).toEqual({ isFew: true, letters: 12_000 })
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  const dialog = await openMail(page, 'Plain')
  await expect(dialog.getByTestId('text')).toContainText('(א[a(א[a')
  expect(await dialog.getByTestId('text').evaluate(turnsOfLines)).toEqual({ isFew: true, letters: 12_000 })
})

/** Whether each line between two breaks or boxes has few changes of direction, and how many letters there are. */
function turnsOfLines(shown: Document | Element) {
  const root = 'body' in shown ? shown.body : shown
  const nodes = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  let text = ''
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes
    const isBreak = node.nodeName === 'BR' || (node.nodeName === 'SPAN' && (node as HTMLElement).style.display === 'block')
    text += isBreak ? '\n' : (node.nodeValue ?? '')
  }
  const turns = text.split('\n').map(line => line.match(/א\P{L}*a/gu)?.length ?? 0)
  return { isFew: Math.max(...turns) <= 300, letters: text.match(/[אa]/g)?.length ?? 0 }
}

test('an HTML mail of 5 MB is shown up to the limit with a note, and can be saved completely', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = `<p>The start of it.</p>${Array.from({ length: 12_000 }, (_, i) => `<p style="color:#333">Row ${i} ${'word '.repeat(80)}</p>`).join('\n')}`
  expect(html.length).toBeGreaterThan(5_000_000)
  await sendMail({ to, subject: 'Heavy', html })
  const dialog = await openMail(page, 'Heavy')
  await expect(dialog).toContainText('Part of this message could not be shown. The raw source has all of it.')
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'The start of it.')
    const rows = () => inFrame(page, mail => mail.querySelectorAll('p').length, undefined)
    const whole = dialog.getByRole('button', { name: 'Show all of it' })
    // The beginning is there at once; the rest is asked for, once for both views.
    if (view === 'Simple') {
      expect(await rows()).toBeLessThan(1000)
      await whole.click()
    }
    await expect.poll(rows, { timeout: 30_000 }).toBeGreaterThan(9000)
    await expect(whole).toHaveCount(0)
    // Taller than its limit, the mail scrolls inside its frame, and its end is reached there.
    const end = await inFrame(
      page,
      mail => {
        const root = mail.documentElement
        root.scrollTop = root.scrollHeight
        return { isAtEnd: Math.abs(root.scrollTop + root.clientHeight - root.scrollHeight) < 2, height: root.clientHeight }
      },
      undefined,
    )
    expect(end.isAtEnd).toBe(true)
    expect(end.height).toBeLessThanOrEqual(200_000)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect
    .poll(() => inFrame(page, mail => mail.documentElement.clientHeight, undefined), { timeout: 30_000 })
    .toBeLessThanOrEqual(20_000)
  const downloading = page.waitForEvent('download')
  await chooseMore(page, 'Download as .eml')
  expect(statSync(await (await downloading).path()).size).toBeGreaterThan(5_000_000)
})

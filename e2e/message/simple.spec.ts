/** What the simple view leaves where elements were that it does not show. */
import { expect } from '@playwright/test'
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

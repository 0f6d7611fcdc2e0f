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

/** Reading ordinary mail on the real thing: its pictures, quotes, headers, source and file. */
import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'
import { inFrame, openHome, openMail, showTab } from './reading.ts'

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeEach(({ noise }) => {
  // Playwright's trace looks into the frame with a script of its own, which the sandbox refuses like any other.
  noise.allow(/Blocked script execution in '[^']*\/mail-frame/)
})

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

test('decision 16: images the mail carries are shown without asking', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = '<p>Our logo</p><img src="cid:logo@sender.test" width="60" height="60"><img src="cid:drawing" id="drawing">'
  const attachments = [
    { filename: 'logo.png', content: PNG, cid: 'logo@sender.test' },
    { filename: 'drawing.png', content: '<svg xmlns="http://www.w3.org/2000/svg"/>', contentType: 'image/png', cid: 'drawing' },
  ]
  await sendMail({ to, subject: 'With a logo', html, attachments })
  await openMail(page, 'With a logo')
  await showTab(page, 'Original layout')
  const widths = () => inFrame(page, mail => Array.from(mail.images, image => image.naturalWidth), undefined)
  // A drawing that calls itself a PNG is a program and stays out.
  await expect.poll(widths).toEqual([1, 0])
})

test('text: quotes fold, links open apart, headers and source stand as they came, and the file is the same bytes', async ({
  page,
  sendMail,
}) => {
  const to = await openHome(page)
  const quote = Array.from({ length: 6 }, (_, i) => `> quoted line ${i}`).join('\n')
  await sendMail({
    to,
    subject: 'An answer',
    text: `I agree, see https://a.example/x\n\n${quote}\n\nBye`,
    headers: { 'X-Odd': 'value one' },
  })
  const dialog = await openMail(page, 'An answer')
  const text = dialog.getByTestId('text')
  await expect(text.getByText('quoted line 3')).toBeHidden()
  await text.getByText('6 quoted lines').click()
  await expect(text.getByText('quoted line 3')).toBeVisible()
  await expect(text.getByRole('link', { name: 'https://a.example/x' })).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await showTab(page, 'Headers')
  await expect(dialog.getByTestId('headers')).toContainText('X-Odd')
  await expect(dialog.getByTestId('headers')).toContainText('value one')
  await showTab(page, 'Source')
  await expect(dialog.getByTestId('raw')).toContainText('X-Odd: value one')
  const raw = page.waitForResponse(response => response.url().endsWith('/raw'))
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download as .eml' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('An answer.eml')
  expect(readFileSync(await download.path()).equals(await (await raw).body())).toBe(true)
})

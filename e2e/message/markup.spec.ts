/** Markup where it must have no effect: drawings, every field of the mail, hidden words. */
import { expect, test } from '../harness/fixtures.ts'
import { recordNotifications, shownNotifications } from '../harness/notifications.ts'
import { expectFrameText, hearParsing, inFrame, openHome, openMail, showTab } from './reader/reading.ts'

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeEach(({ noise }) => hearParsing(noise))

test('X14 no SVG and no MathML in any form', async ({ page, sendMail }) => {
  const html = `<p>before</p><svg onload="alert(1)"><script>alert(1)</script><use href="#x"/><foreignObject><b>f</b></foreignObject><animate attributeName="href" to="javascript:alert(1)"/>
    <set attributeName="href" to="x"/><a xlink:href="javascript:alert(1)"><text>t</text></a></svg><math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>
    <img src="data:image/svg+xml;base64,PHN2Zy8+" alt="drawn"><object data="data:image/svg+xml,<svg/>"></object><p>after</p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Vectors', html })
  await openMail(page, 'Vectors')
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'after')
    const left = await inFrame(
      page,
      mail => mail.body.querySelectorAll('svg, svg *, math, math *, object, img[src], script').length,
      undefined,
    )
    expect(left).toBe(0)
  }
})

test('X16 markup is text in every field: subject, sender, names, headers, source, preview, title, notification', async ({
  page,
  sendMail,
}) => {
  const payload = `<img src=x onerror=window.hit=1>"><svg onload=window.hit=1>\${{7*7}}</title><script>window.hit=1</script>`
  await recordNotifications(page, 'granted')
  await page.addInitScript(() => localStorage.setItem('mayfly.notify', 'true'))
  let dialogs = 0
  page.on('dialog', dialog => {
    dialogs++
    dialog.dismiss().catch(() => undefined)
  })
  const to = await openHome(page)
  const title = await page.title()
  await sendMail({
    from: { name: payload, address: 'eve@evil.test' },
    to,
    subject: payload,
    text: `In the text: ${payload}`,
    headers: { 'X-Payload': payload },
    attachments: [{ filename: `${payload.replaceAll('/', '')}.txt`, content: 'x' }],
  })
  const row = page.locator('[data-message]')
  await expect(row).toContainText('<img src=x onerror=window.hit=1>')
  await expect(row.getByTestId('preview')).toContainText('In the text: ')
  await expect(page).toHaveTitle(`(1) ${title}`)
  await expect.poll(async () => JSON.stringify(await shownNotifications(page))).toContain('<img src=x onerror')
  await row.getByRole('button', { name: /Open/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText(payload)
  // A body with tags is read as HTML: its words are shown, and nothing of its drawing.
  await showTab(page, 'Text')
  await expect(dialog.getByTestId('text')).toHaveText('In the text: ">')
  // Characters that no file name may have were replaced when the mail was parsed.
  await expect(dialog.getByText('.txt').first()).toContainText('_img src=x onerror=window.hit=1_')
  await showTab(page, 'Headers')
  await expect(dialog.getByTestId('headers')).toContainText(payload)
  await showTab(page, 'Source')
  await expect(dialog.getByTestId('raw')).toContainText('From: "<img src=x onerror=window.hit=1>')
  expect(await page.evaluate(() => document.querySelectorAll('img[src=x], svg[onload]').length)).toBe(0)
  expect([await page.evaluate(() => Reflect.get(window, 'hit')), dialogs]).toEqual([undefined, 0])
})

test('X17 words that nobody can see are in the source alone', async ({ page, sendMail }) => {
  const text = 'Visible words. Words in white. Words of no size. Words not displayed.'
  const html = `<p>Visible words.</p><p style="color:#fff;background:#fff">Words in white.</p><p style="font-size:0">Words of no size.</p><p style="display:none">Words not displayed.</p>`
  const to = await openHome(page)
  await sendMail({ to, subject: 'Kobold with text', html, text })
  await sendMail({ to, subject: 'Kobold alone', html })
  for (const [subject, seen] of [
    ['Kobold with text', text],
    ['Kobold alone', 'Visible words. Words in white.'],
  ] as const) {
    const dialog = await openMail(page, subject)
    await showTab(page, 'Text')
    await expect(page.getByTestId('text')).toHaveText(seen)
    await showTab(page, 'Source')
    for (const words of ['Words of no size.', 'Words not displayed.']) await expect(page.getByTestId('raw')).toContainText(words)
    await expect(dialog.getByRole('button', { name: /forward/i })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

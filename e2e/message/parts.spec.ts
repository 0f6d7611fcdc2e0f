/** What a mail consists of: its texts in order, the pictures in them, the files beside them, and reports on other mails. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from '../harness/fixtures.ts'
import { loadWords } from '../scenes/words.ts'
import { expectFrameText, inFrame, openHome, openMail, showTab } from './reader/reading.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const part = (type: string, body: string, ...fields: string[]) => [`--b`, `Content-Type: ${type}`, ...fields, '', body, ''].join('\r\n')
const picture = (name: string, ...fields: string[]) => part(`image/png; name=${name}`, PNG, 'Content-Transfer-Encoding: base64', ...fields)
const mail = (subject: string, subtype: string, ...parts: string[]) =>
  [
    `Subject: ${subject}`,
    'From: Ada <ada@sender.test>',
    `Content-Type: multipart/${subtype}; boundary=b`,
    '',
    `${parts.join('')}--b--`,
    '',
  ].join('\r\n')

test('pictures of every name are shown, one between texts too, and only files stand beside the text', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html =
    '<img src="cid:my%20logo@x.test"><img src="pictures/a.png"><img src="https://shop.example/b.png"><img src=" CID:Logo@X.test ">'
  const raw = mail(
    'Pictures',
    'mixed',
    part('text/html', `<p>before</p>${html}`, 'Content-Base: https://shop.example/'),
    picture('between.png', 'Content-Disposition: inline'),
    part('text/html', '<p>after</p>'),
    picture('coded.png', 'Content-ID: <my%20logo@x.test>', 'Content-Disposition: attachment'),
    picture('relative.png', 'Content-Location: https://shop.example/pictures/a.png'),
    picture('absolute.png', 'Content-Location: https://shop.example/b.png'),
    picture('case.png', 'Content-ID: <logo@x.test>'),
    part('application/pdf; name=file.pdf', '%PDF', 'Content-Disposition: inline'),
  )
  await sendMail({ raw, envelope: { from: 'ada@sender.test', to } })
  const dialog = await openMail(page, 'Pictures')
  await showTab(page, 'Original')
  await expect.poll(() => inFrame(page, shown => Array.from(shown.images, image => image.naturalWidth), undefined)).toEqual([1, 1, 1, 1, 1])
  await expectFrameText(page, 'before')
  const order = await inFrame(page, shown => /before[\s\S]*<img[^>]*alt="between\.png"[\s\S]*after/.test(shown.body.innerHTML), undefined)
  expect(order).toBe(true)
  await expect(dialog.getByTestId('blocked')).toBeHidden()
  await expect(dialog.locator('[data-kind]')).toHaveCount(2)
  await expect(dialog.getByText('between.png')).toBeVisible()
  await expect(dialog.getByText('file.pdf')).toBeVisible()
})

for (const language of ['en', 'es'] as const)
  test(`a bounce without an explanation says what was not delivered and why, before the returned mail (${language})`, async ({
    page,
    sendMail,
  }) => {
    const to = await openHome(page, language)
    const bounce = readFileSync(resolve(import.meta.dirname, '../../test/fixtures/mail/reports/postfix-3.7.11-failed.eml'), 'latin1')
    // The returned mail as text, so that the words of both stand in one view.
    const raw = bounce
      .replace(/(Content-Type: text\/plain[\s\S]*?\r\n\r\n)[\s\S]*?(\r\n--)/, '$1$2')
      .replace(/text\/html([\s\S]*)<p>.*<\/p>/, 'text/plain$1Hello you')
    await sendMail({ raw: Buffer.from(raw, 'latin1'), envelope: { from: '', to } })
    await page.locator('[data-message] button').first().click()
    const dialog = page.getByRole('dialog')
    const { report } = (await loadWords(language)).message
    const card = dialog.getByTestId('report')
    await expect(card).toContainText(report.kinds.failed)
    const rows = await card.locator('dt').evaluateAll(terms => terms.map(term => [term.textContent, term.nextElementSibling?.textContent]))
    expect(rows).toEqual(
      expect.arrayContaining([
        [report.labels.Subject, 'Grüße from the shop'],
        [report.labels['Final-Recipient'], 'nobody@gone.example'],
        [report.labels.Status, '5.1.1'],
        [report.labels['Diagnostic-Code'], '550 5.1.1 <nobody@gone.example>: Recipient address rejected: User unknown'],
      ]),
    )
    await expect(dialog.getByTestId('text')).toContainText('Subject: Grüße from the shop')
    await expect(dialog.getByTestId('text')).not.toContainText('Diagnostic-Code')
    await expect(dialog.getByText(/^attachment-/), 'the card is all there is of it').toHaveCount(0)
  })

/** What a mail has besides its text: pictures and PDFs with a preview, invitations, mailing lists, pictures of a sender, its own window. */
import { readFileSync } from 'node:fs'
import { STRANGERS_HOST } from '../harness/chromium.ts'
import { expect, test } from '../harness/fixtures.ts'
import { hearParsing, openHome, openMail, openSink, settleNetwork, showTab } from './reader/reading.ts'

const RED = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg==', 'base64')
const INVITATION = [
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'SUMMARY:Planning',
  'DTSTART:20260714T080000Z',
  'DTEND:20260714T093000Z',
  'LOCATION:Room 4',
  'URL:https://meet.example/abc',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

test.use({ viewport: { width: 1280, height: 900 }, timezoneId: 'Asia/Tokyo' })
test.beforeEach(({ noise }) => hearParsing(noise))

test('a picture and a PDF have a preview, a file that only claims to be a picture has none, and the mail is unchanged', async ({
  page,
  context,
  sendMail,
}) => {
  const to = await openHome(page)
  await sendMail({
    to,
    subject: 'Extras',
    text: 'Hello',
    list: { unsubscribe: [['https://list.example/leave', 'leave@list.example']] },
    icalEvent: { method: 'REQUEST', content: INVITATION },
    attachments: [
      { filename: 'red.png', content: RED },
      { filename: 'evil.png', content: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>' },
      { filename: 'paper.pdf', content: '%PDF-1.4\n%%EOF' },
    ],
  })
  const dialog = await openMail(page, 'Extras')

  await expect(dialog.getByTestId('invitation')).toContainText('Planning')
  await expect(dialog.getByTestId('invitation')).toContainText(/Tuesday, July 14, 2026.*5:00.*6:30\sPM GMT\+9/)
  await expect(dialog.getByTestId('invitation').getByRole('link', { name: 'Open meet.example' })).toHaveAttribute('rel', /noopener/)
  await expect(dialog.getByRole('button', { name: /^Download .*\.ics/ }), 'the file of an invitation is in its card only').toHaveCount(0)
  const calendar = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Add to calendar' }).click()
  expect(readFileSync(await (await calendar).path(), 'utf8')).toBe(INVITATION)
  await dialog.getByRole('button', { name: 'Details' }).click()
  await expect(dialog.getByTestId('mailing-list')).toContainText('does little here')
  await expect(dialog.getByRole('link', { name: 'Unsubscribe at list.example' })).toHaveAttribute('href', 'https://list.example/leave')
  await page.keyboard.press('Escape')

  await dialog.getByRole('button', { name: 'Preview red.png' }).click()
  const frame = dialog.getByTestId('preview').locator('iframe')
  await expect(frame).toHaveAttribute('sandbox', 'allow-same-origin')
  await expect
    .poll(() => frame.evaluate(element => (element as HTMLIFrameElement).contentDocument?.querySelector('img')?.naturalWidth))
    .toBe(1)
  await dialog.getByRole('button', { name: 'Close preview' }).click()
  await expect(frame).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Preview evil.png' }).click()
  await expect(dialog.getByText('This file cannot be shown here.')).toBeVisible()
  await expect(frame).toHaveCount(0)

  const viewed = context.waitForEvent('response', response => response.url().endsWith('?view=1'))
  await dialog.getByRole('button', { name: 'Open paper.pdf in a new tab' }).click()
  expect(await (await viewed).allHeaders(), 'Chromium with its viewer for PDF tells the policy only here').toMatchObject({
    'content-type': 'application/pdf',
    'content-security-policy': "sandbox; default-src 'none'",
  })
})

test('the button of an invitation saves a calendar file, though the mail names it like a page', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const content = `<script>document.title = 'run'</script>\r\n${INVITATION}`
  await sendMail({
    to,
    subject: 'Interview',
    text: 'Hello',
    attachments: [{ filename: 'talk.ics.html', contentType: 'text/calendar', content }],
  })
  const dialog = await openMail(page, 'Interview')
  const calendar = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Add to calendar' }).click()
  expect((await calendar).suggestedFilename()).toBe('talk.ics.html.ics')
})

test('after "always for this sender" pictures are shown for that sender in that mailbox only', async ({ page, sendMail }) => {
  await using sink = await openSink()
  const to = await openHome(page)
  for (const [name, subject] of [
    ['shop', 'first'],
    ['shop', 'second'],
    ['other', 'third'],
  ])
    await sendMail({
      from: `${name}@${name}.test`,
      to,
      subject: `${subject}`,
      html: `<p>${subject}</p><img width="9" height="9" src="http://${STRANGERS_HOST}:${sink.port}/${subject}">`,
    })
  const dialog = await openMail(page, 'first')
  await showTab(page, 'Original')
  await dialog.getByRole('button', { name: 'Show images' }).click()
  // Asked once for this mail, whichever of its views is shown in between.
  await showTab(page, 'Simple')
  await showTab(page, 'Original')
  await expect(dialog.getByTestId('blocked')).toContainText('is shown')
  await dialog.getByRole('button', { name: 'Always for this sender' }).click()
  await expect(dialog.getByRole('button', { name: 'Ask again next time' })).toBeVisible()
  await page.keyboard.press('Escape')
  await openMail(page, 'second')
  await expect(dialog.getByTestId('blocked')).toContainText('is shown')
  // The pictures are asked for once they are laid out, which is after the text says so.
  await expect.poll(() => sink.paths()).toEqual(['/first', '/second'])
  await page.keyboard.press('Escape')
  await openMail(page, 'third')
  await expect(dialog.getByTestId('blocked')).toContainText('Blocked')
  await settleNetwork(page)
  expect(sink.paths()).toEqual(['/first', '/second'])
})

test('a mail can be opened in its own window and fills it', async ({ page, context, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'Apart', text: 'Read me beside the others' })
  const dialog = await openMail(page, 'Apart')
  await dialog.getByRole('button', { name: 'More actions' }).click()
  const [own] = await Promise.all([context.waitForEvent('page'), dialog.getByRole('menuitem', { name: 'Open in its own window' }).click()])
  await expect(own.getByTestId('text')).toContainText('Read me beside the others')
  const sheet = own.getByRole('dialog')
  await sheet.evaluate(sheet => Promise.all(sheet.getAnimations().map(animation => animation.finished)))
  const window = await own.evaluate(() => ({ width: document.documentElement.clientWidth, height: innerHeight }))
  expect(await sheet.boundingBox()).toEqual({ x: 0, y: 0, ...window })
  const closed = own.waitForEvent('close')
  // The window closes while the key is still down, which Playwright reports as an error.
  await own.keyboard.press('Escape').catch(() => undefined)
  await closed
})

/** An HTML mail is read at once: what shows it is there before the press, and its place is never empty. */
import { expect, test } from '../harness/fixtures.ts'
import { expectFrameText, openHome, settleNetwork } from './reader/reading.ts'

const MAIL = { subject: 'Table booked', html: '<p>Your table is <b>booked</b>.</p>' }

test('what shows an HTML mail is fetched when it arrives, not when it is opened', async ({ page, sendMail }) => {
  const framePage = page.waitForResponse('**/mail-frame')
  await sendMail({ to: await openHome(page), ...MAIL })
  await framePage
  const row = page.getByRole('button', { name: /Open “Table booked”/ })
  await expect(row).toBeVisible()
  // What any press fetches, because it may change the address.
  await page.keyboard.press('Shift')
  await settleNetwork(page)
  const late: string[] = []
  page.on('request', request => {
    const path = new URL(request.url()).pathname
    if (path !== '/favicon.svg') late.push(path)
  })
  // The message is requested when the button goes down, and nothing else is when it comes up.
  await row.hover()
  await page.mouse.down()
  await expect.poll(() => late).toEqual([expect.stringMatching(/^\/api\/mailbox\/messages\//)])
  await page.mouse.up()
  await expectFrameText(page, 'Your table is booked.')
  expect(late).toHaveLength(1)
})

test('its dialog is named and filled by its row until the message is read, and where it cannot be', async ({ page, noise, sendMail }) => {
  noise.allow(/ERR_FAILED/)
  const isAway = Promise.withResolvers<void>()
  const readMail = /\/api\/mailbox\/messages\/[^/]+$/
  await page.route(readMail, async route => {
    await isAway.promise
    await route.abort()
  })
  await sendMail({ to: await openHome(page), subject: 'Sign in', text: 'Your verification code is 481516.' })
  await page.getByRole('button', { name: /Open “Sign in”/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await expect(dialog.getByRole('button', { name: '481 516' })).toBeVisible()
  await expect(dialog).toContainText('ada@sender.test')
  await expect(dialog.getByRole('status').filter({ hasText: 'Opening the message' })).toBeAttached()
  isAway.resolve()
  await expect(dialog.getByRole('alert')).toContainText('Our server did not deliver the message.')
  await page.unroute(readMail)
  await dialog.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(dialog.getByTestId('text')).toContainText('Your verification code is 481516.')
})

test('a skeleton stands where its words will be, until they are there', async ({ page, sendMail }) => {
  const answer = Promise.withResolvers<void>()
  await page.route('**/mail-frame', async route => {
    await answer.promise
    await route.continue()
  })
  await sendMail({ to: await openHome(page), ...MAIL })
  await page.getByRole('button', { name: /Open “Table booked”/ }).click()
  await expect(page.getByTestId('mail-skeleton')).toBeVisible()
  answer.resolve()
  await expectFrameText(page, 'Your table is booked.')
  await expect(page.getByTestId('mail-skeleton')).toHaveCount(0)
})

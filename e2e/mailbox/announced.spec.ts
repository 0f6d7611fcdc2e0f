/** What is announced to people who do not see the page: new mail, the countdown, the tab's title, desktop notifications. */
import { expect, test } from '../harness/fixtures.ts'
import { recordNotifications, shownNotifications } from '../harness/notifications.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'
import { openHome } from '../message/reader/reading.ts'

test('new mail is announced once, politely, with sender and subject', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const region = page.locator('#inbox > [aria-live=polite]')
  await expect(region).toBeEmpty()
  await sendMail(mailTo(to, 'Your order'))
  await expect(region).toHaveText('New mail from Ada: Your order')
  await sendMail(mailTo(to, 'Your second order'))
  await expect(region).toHaveText('New mail from Ada: Your second order')
})

test('the title shows the number of unread mails in both languages, and none when all are read', async ({ page, sendMail, noise }) => {
  noise.allow(/Blocked script execution in '[^']*\/mail-frame/)
  const to = await openHome(page)
  for (const subject of ['one', 'two']) await sendMail({ to, subject, text: 'No code in here.' })
  await expect(page).toHaveTitle(/^\(2\) Mayfly: temporary/)
  await page.getByRole('button', { name: /^Language:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Español' }).click()
  await expect(page).toHaveTitle(/^\(2\) Mayfly: correo temporal/)
  for (const [subject, title] of [
    ['two', /^\(1\) /],
    ['one', /^Mayfly/],
  ] as const) {
    await page.locator('[data-message]').filter({ hasText: subject }).getByRole('button').first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveTitle(title)
  }
})

test('a desktop notification is shown for new mail only if enabled and nobody is looking', async ({ page, sendMail, noise }) => {
  // The context of a test is one; notifications while the page is closed have e2e/mailbox/push.spec.ts.
  noise.allow(/Push API in incognito mode/)
  await recordNotifications(page)
  const to = await openHome(page)
  await sendMail(mailTo(to, 'Before anybody asked'))
  await expect(page.locator('[data-message]')).toHaveCount(1)
  expect(await shownNotifications(page)).toEqual([])

  await page.getByRole('button', { name: 'Notify me' }).click()
  await expect(page.getByRole('button', { name: 'Notifications on' })).toHaveAttribute('aria-pressed', 'true')
  await sendMail(mailTo(to, 'While nobody looks'))
  await expect.poll(() => shownNotifications(page)).toEqual([{ title: 'Mail from Ada', body: 'While nobody looks' }])

  await page.evaluate(() => Object.assign(window, { isLookedAt: true }))
  await sendMail(mailTo(to, 'In front of everybody'))
  await expect(page.locator('[data-message]')).toHaveCount(3)
  await page.evaluate(() => Object.assign(window, { isLookedAt: false }))
  await page.getByRole('button', { name: 'Notifications on' }).click()
  await sendMail(mailTo(to, 'After it was switched off'))
  await expect(page.locator('[data-message]')).toHaveCount(4)
  expect(await shownNotifications(page)).toHaveLength(1)
})

test('a browser that blocks notifications is explained, and nothing is enabled', async ({ page, context }) => {
  await context.clearPermissions()
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  await openHome(page)
  await page.getByRole('button', { name: 'Notify me' }).click()
  await expect(page.getByText('Notifications are blocked in the browser’s settings for this site.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notify me' })).toHaveAttribute('aria-pressed', 'false')
})

test('a countdown of ten minutes is announced in five short sentences', async ({ page, noise }) => {
  // The page's clock is ahead of the server's, which interrupts streams.
  noise.allow(/./)
  test.setTimeout(180_000)
  await page.clock.install()
  await page.goto('/?lang=en')
  await addressOn(page)
  // The server's clock is slower than the page's here, so it is not asked for the time.
  await page.route('**/api/mailbox', route => route.abort())
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3000)
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const say = () => {
      const text = document.querySelector('[data-phase] > .sr-only')?.textContent ?? ''
      if (text !== '' && heard.at(-1) !== text) heard.push(text)
    }
    new MutationObserver(say).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  const [, minutes = 0, seconds = 0] = ((await page.getByTestId('countdown').textContent()) ?? '').split(':').map(Number)
  await page.clock.runFor((minutes * 60 + seconds - 1) * 1000)
  await expect(page.getByTestId('countdown')).toHaveText('00:00:01')
  expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([
    '5 minutes left',
    '2 minutes left',
    '1 minute left',
    '30 seconds left',
    '10 seconds left',
  ])
  await expect(page.getByRole('timer'), 'a timer is silent by itself').not.toHaveAttribute('aria-live', /./)
})

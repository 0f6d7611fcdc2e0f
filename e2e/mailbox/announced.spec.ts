/** What is announced to people who do not see the page: new mail, the countdown, the tab's title, desktop notifications. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Page } from '@playwright/test'
import { announcements, recordAnnouncements } from '../harness/announcements.ts'
import { expect, test } from '../harness/fixtures.ts'
import { recordNotifications, shownNotifications } from '../harness/notifications.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'
import { openHome } from '../message/reader/reading.ts'

test('new mail is announced once, politely, with sender and subject', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const region = page.locator('#inbox > [aria-live=polite]')
  await expect(region).toBeEmpty()
  await sendMail(mailTo(to, 'Your order'))
  await expect(region).toHaveText('New mail from Ada: Your order. 481 516')
  await sendMail(mailTo(to, '481516 is your code'))
  await expect(region).toHaveText('New mail from Ada: 481516 is your code')
})

test('the title shows the number of unread mails in both languages, and none when all are read', async ({ page, sendMail }) => {
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

  await page.getByRole('button', { name: 'Notify me', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Notifications on' })).toHaveAttribute('aria-pressed', 'true')
  await sendMail(mailTo(to, 'While nobody looks'))
  await expect.poll(() => shownNotifications(page)).toEqual([{ title: 'Mail from Ada', body: 'While nobody looks' }])
  // Its words change with the language, and it is not told again in them.
  for (const language of ['Español', 'English']) {
    await page.getByRole('button', { name: /^(Language|Idioma):/ }).click()
    await page.getByRole('menuitemradio', { name: language }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', language === 'English' ? 'en' : 'es')
  }
  await expect(page.getByRole('button', { name: 'Notifications on' })).toBeVisible()
  expect(await shownNotifications(page)).toHaveLength(1)

  await page.evaluate(() => Object.assign(window, { isLookedAt: true }))
  await sendMail(mailTo(to, 'In front of everybody'))
  await expect(page.locator('#inbox > [aria-live=polite]')).toContainText('In front of everybody')
  await page.evaluate(() => Object.assign(window, { isLookedAt: false }))
  await page.getByRole('button', { name: 'Notifications on' }).click()
  await sendMail(mailTo(to, 'After it was switched off'))
  await expect(page.locator('[data-message]')).toHaveCount(4)
  expect(await shownNotifications(page)).toHaveLength(1)
})

test('a soft tone is played at new mail once it was turned on, also after a reload', async ({ page, sendMail }) => {
  await page.addInitScript(() => {
    const { start } = OscillatorNode.prototype
    Object.assign(window, { played: 0 })
    OscillatorNode.prototype.start = function (when) {
      Object.assign(window, { played: Reflect.get(window, 'played') + 1 })
      start.call(this, when)
    }
  })
  const played = () => page.evaluate(() => Reflect.get(window, 'played'))
  const to = await openHome(page)
  const sound = page.getByRole('button', { name: 'Sound' })
  await sound.click()
  await expect.poll(played, 'it is heard when it is turned on').toBe(2)
  await page.reload()
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('heading', { level: 1 }).click()
  await sendMail(mailTo(to))
  await expect.poll(played).toBe(2)
  await sound.click()
  await expect(sound, 'it can be turned off when it is heard').toHaveAttribute('aria-pressed', 'false')
})

test('a browser that blocks notifications is explained, and nothing is enabled', async ({ page, context }) => {
  await context.clearPermissions()
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  await openHome(page)
  await page.getByRole('button', { name: 'Notifications are blocked' }).click()
  await expect(page.locator('[data-toast=destructive]')).toContainText('Allow them for this site in the browser’s settings')
  await expect(page.getByRole('button', { name: 'Notifications are blocked' })).toHaveAttribute('aria-pressed', 'false')
})

test('a code that arrives is announced once, with sender, subject and code, and so is its copy', async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const to = await openHome(page)
  await recordAnnouncements(page)
  await sendMail({ to, subject: 'Your sign-in', text: 'Your verification code is 481516.' })
  const copy = page.getByRole('button', { name: '481 516 Copy code' })
  await copy.click()
  await expect(page.getByRole('button', { name: '481 516 Copied' })).toBeVisible()
  // The label comes back, which is no news.
  await expect(copy).toBeVisible()
  expect(await announcements(page)).toEqual(['New mail from Ada: Your sign-in. 481 516', 'Copied'])
  await page.getByRole('button', { name: 'Copy address' }).click()
  await expect(page.locator('[data-toast]')).toContainText('Email address copied to clipboard.')
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeVisible()
  expect((await announcements(page)).slice(2)).toEqual(['Copied Email address copied to clipboard.'])
})

test('a mail that arrives while another is open is announced there, once', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'A long story', text: 'Once upon a time.' })
  await page.getByRole('button', { name: /Open “A long story”/ }).click()
  await expect(page.getByRole('dialog').getByRole('article')).toBeVisible()
  await recordAnnouncements(page)
  await sendMail({ to, subject: 'A short one', text: 'The end.' })
  await expect.poll(() => announcements(page)).toEqual(['New mail from Ada: A short one'])
})

test('a server that takes its time is announced once, when it does', async ({ page, server }) => {
  const to = await openHome(page)
  await recordAnnouncements(page)
  const socket = connect(server.smtpPort, '127.0.0.1')
  const say = async (line: string, code: string) => {
    const reply = once(socket, 'data')
    if (line !== '') socket.write(`${line}\r\n`)
    expect(String((await reply)[0])).toContain(code)
  }
  await say('', '220')
  await say('EHLO slow.example', '250')
  await say('MAIL FROM:<ada@sender.test>', '250')
  await say(`RCPT TO:<${to}>`, '250')
  const line = page.getByTestId('delivery').locator('[aria-hidden=true]').last()
  await expect(line).toHaveText('slow.example is here with mail for you, not encrypted.')
  await expect.poll(() => announcements(page)).toEqual(['slow.example is here with mail for you, not encrypted.'])
  await say('DATA', '354')
  await say('From: Ada <ada@sender.test>\r\nSubject: Slowly\r\n\r\nNo code in here.\r\n.', '250')
  await expect(page.locator('[data-message]')).toHaveCount(1)
  socket.end()
  await expect.poll(async () => (await announcements(page)).slice(1)).toEqual(['New mail from Ada: Slowly'])
})

/**
 * Lets the whole life of an address pass by the page's clock, and answers what was announced; without the state of the connection, since a
 * clock that is ahead of the server's interrupts streams.
 */
async function hearItsLife(page: Page, beforeIt: () => Promise<void>): Promise<string[]> {
  // The server's clock is slower than the page's here, so it is not asked for the time.
  await page.route('**/api/mailbox', route => route.abort())
  // While time stands still React shows nothing that is loaded on demand.
  await beforeIt()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3000)
  await recordAnnouncements(page)
  const [, minutes = 0, seconds = 0] = ((await page.getByTestId('countdown').textContent()) ?? '').split(':').map(Number)
  await page.clock.runFor((minutes * 60 + seconds - 1) * 1000)
  await expect(page.getByTestId('countdown')).toHaveText('00:00:01')
  await page.clock.runFor(3000)
  await expect(page.locator('[data-mailbox=expired]')).toBeVisible()
  await expect(page.locator('[data-toast]')).toBeVisible()
  return (await announcements(page)).filter(text => !CONNECTION_STATES.includes(text))
}

const CONNECTION_STATES = ['Connecting', 'Live', 'Reconnecting', 'Checking every minute']
const LIFE = [
  '5 minutes left',
  '2 minutes left',
  '1 minute left',
  '30 seconds left. Expires soon. Copy what you need or generate a new one.',
  '10 seconds left',
]
const END = 'Email address deleted! Your temporary email has been destroyed. Generate a new one to continue.'

test('ten minutes are announced in five short sentences, and their end in one', async ({ page, noise }) => {
  noise.allow(/./)
  test.setTimeout(180_000)
  await page.clock.install()
  await page.goto('/?lang=en')
  await addressOn(page)
  expect(await hearItsLife(page, async () => undefined)).toEqual([...LIFE, END])
  await expect(page.getByRole('timer'), 'a timer is silent by itself').not.toHaveAttribute('aria-live', /./)
})

test('whoever reads a mail meanwhile hears the same', async ({ page, sendMail, noise }) => {
  noise.allow(/./)
  test.setTimeout(180_000)
  await page.clock.install()
  const to = await openHome(page)
  await sendMail({ to, subject: 'A long story', text: 'Once upon a time.' })
  const heard = await hearItsLife(page, async () => {
    await page.getByRole('button', { name: /Open “A long story”/ }).click()
    await expect(page.getByRole('dialog').getByRole('article')).toBeVisible()
  })
  expect(heard).toEqual([...LIFE, END])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveAccessibleName('Gone. Nothing was kept.')
  await expect(dialog).not.toContainText('A long story')
  await expect(page.locator(':focus'), 'what can be done next has the focus').toHaveText('Generate new')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator(':focus'), 'the focus is on the page that is left').toHaveCount(1)
})

/** "Keep this one": an address near its end becomes one of an account, with its mail. */
import type { Page } from '@playwright/test'
import { freePort } from '#test/harness/free-port.ts'
import { createAccount, onThisServer, PASSWORD, signIn } from '../harness/account-fixtures.ts'
import { expectAccessible, expectRoomForFingers } from '../harness/checks.ts'
import { expect, test, WITH_MOTION } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'
import { addDevice, atLocalhost } from '../harness/passkey-device.ts'
import { addressOn, mailTo, outlive, waiveUndo } from '../harness/test-mail.ts'

const PORT = await freePort()
const ORIGIN = `http://localhost:${PORT}`
/** Short enough for the line to be there at once, long enough for a sign-up on a busy machine. */
const LIFETIME_SECONDS = 55

test.use({ ...WITH_MOTION, ...atLocalhost(PORT, { LIFETIME_SECONDS: String(LIFETIME_SECONDS) }) })

const line = (page: Page) => page.getByRole('button', { name: 'Keep this one for 24 hours' })
const form = (page: Page) => page.getByRole('form', { name: 'Keep this address' })

/** The address is shown by day, for a day, with its mail. */
async function expectKept(page: Page, address: string) {
  await expect(page.getByTestId('countdown')).toHaveText(/^(Time left)?23:59:\d\d$/)
  await expect(page.locator('[data-light=day]')).toHaveCount(1)
  expect(await addressOn(page)).toBe(address)
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await expect(line(page)).toHaveCount(0)
}

test('without an account a passkey keeps it at once, and the link in the mail brings it into the account', async ({
  page,
  recorder,
  sendMail,
}) => {
  await addDevice(page)
  const email = 'keeper@example.com'
  await page.goto('/')
  const address = await addressOn(page)
  await sendMail(mailTo(address))
  await line(page).click()
  await form(page).getByRole('button', { name: 'Keep it with a passkey' }).click()
  await expect(form(page).getByText('Please enter a valid email address')).toBeVisible()
  await form(page).getByLabel('Email').fill(email)
  await form(page).getByRole('button', { name: 'Keep it with a passkey' }).click()
  await expect(page.getByText('This address and its mail stay for 24 hours.')).toBeVisible()
  await expect(page.locator('[data-moving=true]'), 'the sun comes up again').toHaveCount(1)
  await expect(form(page)).toHaveCount(0)
  await expectKept(page, address)
  await page.reload()
  await expectKept(page, address)
  await sendMail(mailTo(address))
  await expect(page.locator('[data-message]')).toHaveCount(2)

  // Nobody loses it meanwhile by a press.
  const reminder = page.getByText(`Open the link we sent to ${email}`)
  await expect(reminder).toBeVisible()
  await page.getByRole('button', { name: 'Generate new' }).click()
  await waiveUndo(page)
  await expect(reminder).toHaveCount(0)
  await page.getByRole('tab', { name: address }).click()
  await expect(reminder).toBeVisible()
  await expectAccessible(page)
  await expect(page.locator('[data-message]')).toHaveCount(2)

  await page.goto(onThisServer((await recorder.next(email)).link, ORIGIN))
  await page.getByRole('button', { name: 'Confirm with your passkey' }).click()
  await expect(page).toHaveURL('/')
  await page.getByRole('button', { name: 'Your addresses 1 of 10' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: address })).toBeVisible()
})

test('with an account one press is enough', async ({ page, recorder, sendMail }) => {
  await createAccount(page.request, recorder, 'presses@example.com', ORIGIN)
  await page.goto('/')
  const address = await addressOn(page)
  await sendMail(mailTo(address))
  await signIn(page, 'presses@example.com')
  await expect(page).toHaveURL('/')
  await line(page).press('Enter')
  await expect(page.getByText('Kept', { exact: true })).toBeVisible()
  await expectKept(page, address)
  await expect(page.getByRole('button', { name: 'Your addresses 1 of 10' })).toBeVisible()
})

test('whoever goes to sign up with a password finds it kept when they come back', async ({ page, recorder, sendMail }) => {
  await addDevice(page)
  await page.goto('/')
  const address = await addressOn(page)
  await sendMail(mailTo(address))
  await line(page).click()
  await form(page).getByRole('link', { name: 'Password, or sign in' }).click()
  await untilAlive(page)
  await page.getByRole('tab', { name: 'Sign up' }).click()
  await page.getByLabel('Email').fill('password@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await page.goto(onThisServer((await recorder.next('password@example.com')).link, ORIGIN))
  await page.getByLabel('Password').fill(PASSWORD)
  await page
    .getByRole('button', { name: /^Confirm/ })
    .first()
    .click()
  await expect(page.getByText('This address and its mail stay for 24 hours.')).toBeVisible()
  await expectKept(page, address)
})

// On a busy machine these take a good part of the address's life, so nothing follows them.
test('the form can be used by everybody', async ({ page }) => {
  await page.goto('/')
  await line(page).click()
  await expectAccessible(page)
  await expectRoomForFingers(page)
  // One thing at a time, and the inbox stays in sight.
  await expect(page.locator('[data-mailbox] .primary')).toHaveText(['Keep it with a passkey'])
  await expect(page.getByRole('button', { name: 'Delete address' })).toHaveCount(0)
  await expect(form(page), 'it was measured').toBeVisible()
})

test('the form is closed by Escape, says when a passkey was not chosen, and goes with the address', async ({ page, noise }) => {
  const device = await addDevice(page)
  await device.isUserVerified(false)
  await page.clock.install()
  await page.goto('/')
  await line(page).click()
  await page.keyboard.press('Escape')
  await expect(form(page)).toHaveCount(0)
  await expect(line(page)).toBeFocused()
  await line(page).click()
  await form(page).getByLabel('Email').fill('nobody@example.com')
  await form(page).getByLabel('Email').press('Enter')
  await expect(page.getByText('No passkey was chosen. Try again, or use a password.')).toBeVisible()
  await expect(form(page).getByRole('button', { name: 'Keep it with a passkey' })).toBeEnabled()
  await outlive(page, LIFETIME_SECONDS, noise)
  await expect(form(page)).toHaveCount(0)
  await expect(line(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect(line(page)).toHaveAttribute('aria-expanded', 'false')
  await expect(form(page)).toHaveCount(0)
})

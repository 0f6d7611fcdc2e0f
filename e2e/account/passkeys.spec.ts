/** Passkeys with Chromium's virtual authenticator. They need a host name, so these pages are at localhost. */
import { freePort } from '#test/harness/free-port.ts'
import { createAccount, onThisServer, PASSWORD, signIn } from '../harness/account-fixtures.ts'
import { expect, test } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'
import { addDevice, atLocalhost } from '../harness/passkey-device.ts'

const PORT = await freePort()
const ORIGIN = `http://localhost:${PORT}`

test.use(atLocalhost(PORT))

test('sign up with a passkey, confirm the link with it, sign out, sign in with it, and delete the account with it', async ({
  page,
  recorder,
}) => {
  await addDevice(page)
  const email = 'passkey@example.com'
  await page.goto('/auth')
  await untilAlive(page)
  await page.getByRole('tab', { name: 'Sign up' }).click()
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await expect(page.getByText('Please enter a valid email address'), 'it asks for the address alone').toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toHaveCount(0)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await expect(page.getByText("We've sent you a confirmation link to complete your registration.")).toBeVisible()

  await page.goto(onThisServer((await recorder.next(email)).link, ORIGIN))
  await page.getByRole('button', { name: 'Confirm with your passkey' }).click()
  await expect(page.getByText('Your email is confirmed.')).toBeVisible()
  await expect(page).toHaveURL('/')

  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign Out', exact: true }).first().click()
  await expect(page).toHaveURL('/auth')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('Welcome back!')).toBeVisible()
  await expect(page).toHaveURL('/')

  await page.goto('/account')
  const section = page.getByRole('region', { name: 'Delete account' })
  await section.getByRole('button', { name: 'Delete account' }).click()
  await section.getByRole('button', { name: 'Delete with a passkey' }).click()
  await expect(page.getByText('Your account is deleted.')).toBeVisible()
  await expect(page).toHaveURL('/auth')
})

test('an account with a password adds a passkey, signs in with it, and removes it', async ({ page, recorder, noise }) => {
  noise.allow(/401/)
  await addDevice(page)
  const email = 'adds-one@example.com'
  await createAccount(page.request, recorder, email, ORIGIN)
  await signIn(page, email)
  await expect(page).toHaveURL('/')
  await page.goto('/account')
  const section = page.getByRole('region', { name: 'Passkeys' })
  await expect(section.getByText('No passkey yet.')).toBeVisible()
  const add = section.getByRole('button', { name: 'Add a passkey' })
  await add.click()
  await add.click()
  await expect(section.getByLabel('Your password')).toHaveAccessibleDescription('Enter your password.')
  await expect(section.getByLabel('Your password')).toBeFocused()
  await section.getByLabel('Your password').fill('not this one')
  await add.click()
  await expect(section.getByText('The password is not right. Check it and try again.')).toBeVisible()
  await section.getByLabel('Your password').fill(PASSWORD)
  await add.click()
  await expect(page.getByText('Passkey added')).toBeVisible()
  await expect(section.getByText('Chrome · Linux')).toBeVisible()
  await add.click()
  await section.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page.getByText('This device already has a passkey for this account.')).toBeVisible()

  await page.getByRole('button', { name: 'Sign Out', exact: true }).first().click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/account')
  await section.getByRole('button', { name: /^Remove Chrome · Linux/ }).click()
  const removal = section.getByRole('form', { name: 'Remove this passkey' })
  await removal.getByLabel('Your password').fill('not this one')
  await removal.getByRole('button', { name: 'Remove this passkey' }).click()
  await expect(removal.getByText('The password is not right. Check it and try again.')).toBeVisible()
  await removal.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page.getByText('Passkey removed')).toBeVisible()
  await expect(section.getByText('No passkey yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out', exact: true }).first().click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText(/^This passkey opens no account here\./)).toBeVisible()
})

test('a user whom the device does not verify is not signed in, and nothing is lost by it', async ({ page }) => {
  const device = await addDevice(page)
  await device.isUserVerified(false)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('No passkey was chosen. Try again, or use a password.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeEnabled()
})

test('at an IP address, where browsers have none, no form offers them and the account page says so', async ({ page, recorder }) => {
  const origin = `http://127.0.0.1:${PORT}`
  await createAccount(page.request, recorder, 'by-ip@example.com', ORIGIN)
  await page.goto(`${origin}/auth`)
  await page.getByLabel('Email').fill('by-ip@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await expect(page.getByRole('button', { name: /passkey/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/`)
  await page.goto(`${origin}/account`)
  const section = page.getByRole('region', { name: 'Passkeys' })
  await expect(section.getByText('Passkeys do not work on this site.')).toBeVisible()
  await expect(section.getByText('No passkey yet.')).toBeHidden()
})

test('at another name of the server the page says that passkeys do not work there', async ({ page }) => {
  await page.goto(`http://app.localhost:${PORT}/auth`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('Passkeys do not work on this site. Use a password.')).toBeVisible()
})

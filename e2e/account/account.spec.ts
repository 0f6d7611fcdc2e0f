import type { Page } from '@playwright/test'
import { PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { formatCountdown } from '#web/lib/mailbox/countdown.ts'
import { PASSWORD, signIn, test } from '../harness/account-fixtures.ts'
import { announcements, recordAnnouncements } from '../harness/announcements.ts'
import { expect } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'
import { waiveUndo } from '../harness/test-mail.ts'

const address = (page: Page) => page.getByTestId('address')
const addresses = (page: Page) => page.getByRole('region', { name: 'Your addresses' })
/** In its first minute. */
const PRO_COUNTDOWN = new RegExp(
  `^(?:${formatCountdown(PRO_LIFETIME_SECONDS)}|${formatCountdown(PRO_LIFETIME_SECONDS - 1).slice(0, -2)}\\d\\d)$`,
)

async function signedIn(page: Page, email: string): Promise<void> {
  await signIn(page, email)
  await expect(page).toHaveURL('/')
  await expect(addresses(page)).toBeVisible()
}

/** Signs another account in at a tab that shows it. */
async function signInTab(tab: Page, email: string, origin = ''): Promise<void> {
  expect((await tab.request.post(routes.authSignIn, { headers: { origin }, data: { email, password: PASSWORD } })).ok()).toBe(true)
  await tab.reload()
  await expect(tab.getByText(email)).toBeVisible()
}

async function openNamed(page: Page, name: string): Promise<void> {
  await createNamed(page, name)
  await expect(address(page)).toHaveText(`${name}@in.example.com`)
}

async function createNamed(page: Page, name: string): Promise<void> {
  const panel = addresses(page)
  const field = panel.getByLabel('Name, if you want to choose one')
  if (!(await field.isVisible())) await panel.getByRole('button', { name: /^Your addresses/ }).click()
  const heading = panel.getByRole('heading', { name: 'New address' })
  await expect(heading).toBeVisible()
  // With many addresses the form is folded.
  if (!(await field.isVisible())) await heading.click()
  await field.fill(name)
  await panel.getByRole('button', { name: 'Create address' }).click()
}

test('an address created on one device is open on the other, lives as long as Pro promises, and receives mail on both', async ({
  page,
  sendMail,
  newAccount,
  otherDevice,
}) => {
  const email = await newAccount('two-devices@example.com')
  await signedIn(page, email)
  await expect(page.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account')
  await openNamed(page, 'ada.lovelace')
  await expect(page.getByTestId('countdown')).toHaveText(PRO_COUNTDOWN)
  await expect(page.getByText(/^Gone (?:tomorrow|in \d+ days) at /)).toBeVisible()

  const other = await otherDevice()
  await signedIn(other, email)
  await expect(address(other)).toHaveText('ada.lovelace@in.example.com')

  await sendMail({ to: 'ada.lovelace@in.example.com', subject: 'For both of us', text: 'Hello.' })
  for (const device of [page, other]) await expect(device.getByTestId('messages').getByText('For both of us')).toBeVisible()
})

test('a device with nothing stored opens the newest address of the account and creates none', { tag: '@long' }, async ({
  page,
  noise,
  newAccount,
  otherDevice,
}) => {
  // The pages of the account look for mail at the address that one of them has just deleted.
  noise.allow(/404 .*\/api\/mailbox\/messages/)
  const email = await newAccount('newest@example.com')
  await signedIn(page, email)
  await openNamed(page, 'grace.hopper')
  const other = await otherDevice()
  await signIn(other, email)
  await expect(other).toHaveURL('/')
  await other.evaluate(() => localStorage.removeItem('mayfly.mailbox'))
  await other.reload()
  await expect(address(other)).toHaveText('grace.hopper@in.example.com')
  await expect(addresses(other).getByText('2 of 10', { exact: true })).toBeVisible()

  // Deleting the one that is open moves on to the next.
  await openNamed(page, 'grace.second')
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  await expect(address(page)).toHaveText('grace.hopper@in.example.com')
  await expect(addresses(page).getByText('2 of 10', { exact: true })).toBeVisible()
})

test('an invalid, reserved or taken name is refused below its field', { tag: '@long' }, async ({
  page,
  noise,
  newAccount,
  otherDevice,
}) => {
  noise.allow(/409|403|400|422/)
  await newAccount('first@example.com')
  await signedIn(page, 'first@example.com')
  for (const [name, error] of [
    ['no spaces', 'This name has something that is not allowed.'],
    ['a-name-that-goes-on-for-33-signs.', 'Characters too many: 1.'],
  ] as const) {
    await createNamed(page, name)
    await expect(page.getByText(error)).toBeVisible()
  }
  // A busy machine draws its next frame only after the server's answer.
  await page.evaluate(() => {
    window.requestAnimationFrame = draw => window.setTimeout(draw, 1000)
  })
  await createNamed(page, 'postmaster')
  await expect(page.getByText('This name cannot be used. Choose another.')).toBeVisible()
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(drawn)))
  await expect(addresses(page).getByRole('button', { name: 'Create address' }), 'the focus stays').toBeFocused()
  await openNamed(page, 'only.one')

  const other = await otherDevice()
  await newAccount('second@example.com')
  await signedIn(other, 'second@example.com')
  await createNamed(other, 'Only.One')
  await expect(other.getByText('This name is taken. Choose another.')).toBeVisible()
})

test('an account has ten addresses, and signing out closes the open one', { tag: '@long' }, async ({ page, noise, newAccount }) => {
  // Signing out may overtake the lists of the account.
  noise.allow(/409/, /401 .*\/api\/account\//)
  await signedIn(page, await newAccount('ten@example.com'))
  // Signing in made the first.
  for (let made = 2; made <= 10; made++) {
    await openNamed(page, `ten.${made}`)
    await expect(addresses(page).getByText(`${made} of 10`, { exact: true })).toBeVisible()
    const strip = page.getByRole('region', { name: 'Security status' })
    await expect(strip).toContainText(made === 10 ? 'Delete an address to make room' : `${10 - made} new address`)
  }
  await addresses(page)
    .getByRole('button', { name: /^Your addresses/ })
    .click()
  const create = addresses(page).getByRole('button', { name: 'Create address' })
  await expect(create, 'the list has the room').toBeHidden()
  await addresses(page).getByRole('heading', { name: 'New address' }).click()
  await create.click()
  const words = 'You have the most addresses an account can hold. Delete one to make room.'
  const refusal = addresses(page).getByRole('alert').getByText(words)
  await expect(refusal).toBeVisible()
  await expect(create, 'the focus stays').toBeFocused()
  await recordAnnouncements(page)
  await page.keyboard.press('Enter')
  await expect.poll(() => announcements(page), 'read out again').toContain(words)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect(page.getByText('You have ten addresses')).toBeVisible()
  await expect(address(page)).toHaveText('ten.10@in.example.com')

  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL('/auth')
  await page.goto('/')
  // Ten attempts are more than a visitor has, so none is generated: and the account's is not shown.
  await expect(page.getByText('No address yet')).toBeVisible()
  await expect(address(page)).toBeHidden()
})

test('the list of addresses says how many mails of each nobody has opened, and switches to one', { tag: '@long' }, async ({
  page,
  sendMail,
  newAccount,
}) => {
  await signedIn(page, await newAccount('unread@example.com'))
  for (const name of ['first.one', 'second.one']) await openNamed(page, name)
  for (const subject of ['One', 'Two']) await sendMail({ to: 'first.one@in.example.com', subject, text: 'Hello.' })
  const open = () =>
    addresses(page)
      .getByRole('button', { name: /^Your addresses/ })
      .click()
  const row = addresses(page).getByRole('listitem').filter({ hasText: 'first.one' })
  await open()
  await expect(row).toContainText('2 unread')
  await row.getByRole('button', { name: 'Open first.one@in.example.com' }).click()
  await expect(address(page)).toHaveText('first.one@in.example.com')
  await expect(row, 'the list closes').toHaveCount(0)
  await page.locator('[data-message]').filter({ hasText: 'One' }).getByRole('button').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await open()
  await expect(row).toContainText('1 unread')
  await page.keyboard.press('Escape')
  await expect(row).toHaveCount(0)
  await expect(addresses(page).getByRole('button', { name: /^Your addresses/ })).toBeFocused()
})

test('mail at another address is told on the button and in the title, and its code is offered with its name', async ({
  page,
  sendMail,
  context,
  noise,
  newAccount,
}) => {
  // The page asks again by itself after ten seconds. Its clock does not jump while it has a stream, which would end and be opened again.
  test.setTimeout(180_000)
  await page.clock.install()
  const elsewhere = page.getByTestId('mail-elsewhere')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signedIn(page, await newAccount('elsewhere@example.com'))
  for (const name of ['third.one', 'fourth.one']) await openNamed(page, name)
  await expect(elsewhere).toHaveCount(0)
  await sendMail({ to: 'third.one@in.example.com', subject: 'Your code', text: 'Your verification code is 481516.' })
  await expect(elsewhere).toHaveText('1 unread')
  await expect(page).toHaveTitle(/^\(\+1\) /)
  const code = addresses(page).getByRole('button', { name: /481 516.*third\.one@in\.example\.com/ })
  await page.setViewportSize({ width: 375, height: 667 })
  // Firefox takes the width of its scroll bar away.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await code.click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('481516')
  // A request that is under way when the clock jumps takes too long.
  noise.allow(/503|429|ProblemError/)
  let failed = 0
  await page.route('**/api/mailbox/messages', route => route.fulfill({ status: 503 }).then(() => void failed++))
  await sendMail({ to: 'third.one@in.example.com', subject: 'Later', text: 'Hello.' })
  // The stream tells of the mail, and of the checks of its sender.
  await expect.poll(() => failed, { timeout: 30_000 }).toBeGreaterThan(2)
  await page.unroute('**/api/mailbox/messages')
  await expect(elsewhere, 'a list that failed is asked for again').toHaveText('2 unread', { timeout: 30_000 })
  await expect(code, 'copied, it stays, so that nothing moves').toBeVisible()
  await page.route('**/api/mailbox/events', route => route.fulfill({ status: 429, json: { code: 'streams_max' } }))
  await page.reload()
  await expect(elsewhere).toHaveText('2 unread')
  await sendMail({ to: 'third.one@in.example.com', subject: 'Last', text: 'Hello.' })
  await expect.poll(() => page.clock.fastForward(10_000).then(() => elsewhere.textContent()), 'without a stream').toBe('3 unread')
})

test('a double click on a bin deletes one address, not the one that moves up', async ({ page, newAccount }) => {
  await signedIn(page, await newAccount('double@example.com'))
  for (const name of ['double.second', 'double.third']) await openNamed(page, name)
  // Both presses come in the same moment, however slow the machine.
  await page.clock.setFixedTime(new Date())
  await page.goto('/account?lang=en')
  const rows = page.locator('#addresses li')
  await expect(rows).toHaveCount(3)
  await rows
    .first()
    .getByRole('button', { name: /^Delete/ })
    .dblclick()
  await expect(rows).toHaveCount(2)
  await expect(page.locator('[data-toast]')).toHaveCount(1)
  await expect(rows).toHaveCount(2)
})

test('the account page signs out another device, and lists and removes webhooks', async ({
  page,
  browserName,
  baseURL,
  noise,
  newAccount,
  otherDevice,
}) => {
  const name = browserName === 'firefox' ? 'Firefox' : 'Chrome'
  // The other device shows its account until the server tells it that its session was ended.
  noise.allow(/401/)
  const email = await newAccount('list-of-devices@example.com')
  await signedIn(page, email)
  const other = await otherDevice()
  await signedIn(other, email)
  const own = { headers: { origin: baseURL ?? '' } }
  const { key } = await (await page.request.post('/api/account/api-keys', { ...own, data: { name: 'CI' } })).json()
  const url = 'https://ci.example/hooks/mail'
  await page.request.post('/api/webhooks', { data: { url }, headers: { authorization: `Bearer ${key}` } })

  await page.goto('/account')
  const devices = page.getByRole('region', { name: 'Devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await expect(devices.filter({ hasText: 'This device' })).toContainText(`${name} on Linux`)
  await devices
    .filter({ hasNotText: 'This device' })
    .getByRole('button', { name: `Sign Out ${name}` })
    .click()
  await expect(devices).toHaveCount(1)
  const kept = (await address(other).textContent()) ?? ''
  await other.reload()
  await expect.poll(() => other.evaluate(() => localStorage.getItem('mayfly.account'))).toBeNull()
  await expect(other.getByText(kept), 'whoever has the device now reads no mail of the account').toHaveCount(0)
  const told = other.locator('[data-toast]').filter({ hasText: 'The session was ended on another device' })
  await told.getByRole('button', { name: 'Sign in' }).click()
  await expect(other).toHaveURL('/auth')
  await untilAlive(other)
  await other.goto('/account')
  await expect(other).toHaveURL('/auth')

  const webhooks = page.getByRole('region', { name: 'Webhooks' })
  await expect(webhooks.getByRole('listitem')).toContainText('Active')
  await webhooks.getByRole('button', { name: `Remove ${url}` }).click()
  await expect(webhooks.getByText('No webhook yet.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Delete account' }).click()
  await expect(page.getByRole('heading', { name: 'Delete account' })).toBeInViewport()
})

test('what the account page still waits for is given up on signing out, and asked again if that fails', async ({
  page,
  noise,
  newAccount,
}) => {
  noise.allow(/ERR_FAILED/)
  await signedIn(page, await newAccount('slow-lists@example.com'))
  const lists = ['api-keys', 'mailboxes', 'passkeys', 'sessions', 'webhooks'].map(list => `/api/account/${list}`)
  const held = new Set<string>()
  const isEachHeld = () => expect.poll(() => [...held].toSorted()).toEqual(lists)
  let letGo = Promise.withResolvers<void>()
  await page.route('**/api/account/*', async route => {
    held.add(new URL(route.request().url()).pathname)
    await letGo.promise
    await route.continue().catch(() => undefined)
  })
  await page.goto('/account')
  await isEachHeld()

  held.clear()
  await page.route('**/api/auth/sign-out-everywhere', route => route.abort())
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await isEachHeld()
  letGo.resolve()
  await expect(page.getByText('No webhook yet.')).toBeVisible()
  await page.unroute('**/api/auth/sign-out-everywhere')

  letGo = Promise.withResolvers()
  held.clear()
  await page.reload()
  await isEachHeld()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL('/auth')
  letGo.resolve()
  // The server refuses what arrives now, and the console would tell.
  await page.goto('/?lang=en')
  await expect(address(page)).toBeVisible()
})

test('a page of one account shows nothing of it once another one is signed in, in another tab or before Back', async ({
  page,
  baseURL,
  newAccount,
}) => {
  const [ada, eve] = ['ada@two-accounts.example', 'eve@two-accounts.example']
  for (const email of [ada, eve]) await newAccount(email)
  await signedIn(page, ada)
  const own = { headers: { origin: baseURL ?? '' } }
  await page.request.post('/api/mailboxes', { ...own, data: { localPart: 'ada.private' } })
  await page.goto('/account')
  const main = page.getByRole('main')
  const secrets = [main.getByText('Key of Ada').first(), main.getByText('ada.private@').first(), main.getByText(/^mfk_[\w-]{43}$/)]
  const fillIn = async () => {
    await main.getByLabel('Name of the key').fill('Key of Ada')
    await main.getByRole('button', { name: 'Create key' }).click()
    for (const secret of secrets) await expect(secret).toBeVisible()
    await main.getByRole('button', { name: 'Change password' }).click()
    await main.getByLabel('Current password').fill('half a password')
  }
  const isEves = async () => {
    await expect(main.getByText(eve, { exact: true })).toBeVisible()
    for (const secret of secrets) await expect(secret).toBeHidden()
    await expect(main.getByLabel('Current password')).toHaveCount(0)
    await expect(main.getByText('No API key yet.')).toBeVisible()
  }
  const other = await page.context().newPage()
  await other.goto('/contact')
  await fillIn()
  // The page of a confirmation link signs in like this.
  await signInTab(other, eve, baseURL)
  await isEves()

  await signInTab(other, ada, baseURL)
  await expect(main.getByText(ada, { exact: true })).toBeVisible()
  await fillIn()
  // A page in the browser's cache for Back hears of no other tab. Playwright turns that cache off.
  await page.evaluate(() => window.addEventListener('storage', event => event.stopImmediatePropagation(), { capture: true }))
  await signInTab(other, eve, baseURL)
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await isEves()
})

test('a page that Back brings shows no address of the account that another tab has signed out, and stores none again', async ({
  page,
  baseURL,
  newAccount,
}) => {
  const [ada, eve] = ['ada@back.example', 'eve@back.example']
  for (const email of [ada, eve]) await newAccount(email)
  await signedIn(page, ada)
  await openNamed(page, 'ada.leaves')
  // A page in the browser's cache for Back hears of no other tab. Playwright turns that cache off.
  await page.addInitScript(() => window.addEventListener('storage', event => event.stopImmediatePropagation(), { capture: true }))
  await page.goto('/account')
  const link = page.getByTestId('live-address')
  await expect(link).toBeVisible()
  const stored = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(await stored()).toContain('ada.leaves')
  const other = await page.context().newPage()
  await other.goto('/contact')
  await signInTab(other, eve, baseURL)
  expect(await stored()).not.toContain('ada.leaves')
  await expect(link, 'it has heard of nothing').toBeVisible()

  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByRole('main').getByText(eve, { exact: true })).toBeVisible()
  await expect(link).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  expect(await stored()).not.toContain('ada.leaves')
  await expect(other.getByTestId('live-address')).toHaveCount(0)
})

test('a toast of one account does not stay above the page of the next', async ({ page, baseURL, newAccount }) => {
  const [ada, eve] = ['ada@toasts.example', 'eve@toasts.example']
  for (const email of [ada, eve]) await newAccount(email)
  await signedIn(page, ada)
  await openNamed(page, 'ada.toasts')
  const region = page.getByRole('region', { name: 'Notifications' }).locator('[aria-live]')
  const known = await region.elementHandle()
  await page.getByRole('button', { name: 'Delete address', exact: true }).click()
  const toast = page.locator('[data-toast]')
  await expect(toast.last()).toBeVisible()
  // Its time stands still.
  await toast.last().hover()
  const other = await page.context().newPage()
  await other.goto('/contact')
  await signInTab(other, eve, baseURL)
  await expect(page.getByText('ada.toasts')).toHaveCount(0)
  await expect(toast).toHaveCount(0)
  expect(await known?.evaluate(element => element.isConnected), 'screen readers know the region').toBe(true)
})

test('what is being changed when the visitor signs out is changed first', async ({ page, baseURL, newAccount }) => {
  await signedIn(page, await newAccount('revoked@example.com'))
  const own = { headers: { origin: baseURL ?? '' } }
  const { key } = await (await page.request.post('/api/account/api-keys', { ...own, data: { name: 'CI' } })).json()
  await page.goto('/account')
  const letGo = Promise.withResolvers<void>()
  const isHeld = page.waitForRequest(request => request.method() === 'DELETE')
  await page.route('**/api/account/api-keys/*', async route => {
    await letGo.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Revoke CI' }).click()
  await isHeld
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  letGo.resolve()
  await expect(page).toHaveURL('/auth')
  const refused = await page.request.get('/api/mailboxes', { headers: { authorization: `Bearer ${key}` } })
  expect(refused.status()).toBe(401)
})

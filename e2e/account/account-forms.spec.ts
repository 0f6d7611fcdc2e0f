/** The forms of accounts and of the contact page, in a browser. */
import type { Page } from '@playwright/test'
import { PASSWORD, signIn, test } from '../harness/account-fixtures.ts'
import { expect, WITH_BOT_CHECK } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'

test.use({ serverEnv: WITH_BOT_CHECK })

const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Holds every request to `path` until the returned function is called, then lets it through. */
async function hold(page: Page, path: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(path, async route => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.goto('/auth?lang=en')
  await untilAlive(page)
  await page.getByRole('tab', { name: 'Sign up' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
}

async function fillContact(page: Page): Promise<void> {
  await page.goto('/contact?lang=en')
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Subject').fill('A question')
  await page.getByLabel('Message').fill('What happens to this message?')
}

test('sign-up verifies, then creates, disabled in both; signing in says so; the session shows on /contact and leaves /auth', async ({
  page,
  recorder,
  baseURL,
}) => {
  test.setTimeout(120_000)
  await page.addInitScript(() => {
    const gtag = (_: string, name: string, params: object) => {
      if (name.startsWith('log'))
        sessionStorage.setItem('sent', `${sessionStorage.getItem('sent') ?? ''}${name} ${JSON.stringify(params)}\n`)
    }
    Object.assign(window, { gtag })
  })
  const email = 'stages@example.com'
  await fillSignUp(page, email)
  const verified = await hold(page, '**/api/bot-check/challenge?action=signup')
  const created = await hold(page, '**/api/auth/sign-up')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('button', { name: 'Verifying security...' })).toBeDisabled()
  verified()
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeDisabled()
  created()
  await expect(toasts(page)).toContainText('Check your email')
  await expect(toasts(page)).toContainText("We've sent you a confirmation link to complete your registration.")

  // The account needs the confirmation: without it signing in fails, and sends a newer link.
  await recorder.next(email)
  await page.goto('/auth?lang=en')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  const signedIn = await hold(page, '**/api/auth/sign-in')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled()
  signedIn()
  const failed = toasts(page).locator('[data-toast=destructive]')
  await expect(failed).toContainText('Sign in failed')
  await expect(failed).toContainText('Please confirm your email first: we have sent you a link.')
  await page.goto(new URL(`/auth/confirm${new URL((await recorder.next(email)).link ?? '').hash}`, baseURL).href)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  // Who knows the password is signed in.
  await expect(page).toHaveURL(url => url.pathname === '/')

  await page.goto('/auth?lang=en')
  await expect(page).toHaveURL(url => url.pathname === '/')
  await page.goto('/contact?lang=en')
  await expect(page.getByText(email)).toBeVisible()
  const field = page.getByRole('textbox', { name: /^Email/ })
  await expect(field, 'who is signed in need not type it').toHaveValue(email)
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(field).toHaveValue('')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Pro' })).toHaveAttribute('href', '/auth#sign-up')
  expect(await page.evaluate(() => sessionStorage.getItem('sent'))).toBe('login {"method":"email"}\nlogout {}\n')
})

// What signing in before confirmation brings about on purpose.
test.beforeEach(({ noise }) => noise.allow(/403/))

test('a sign-up without a bot-check token stops silently', async ({ page, noise }) => {
  noise.allow(/500/)
  let tries = 0
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/auth/sign-up') tries++
  })
  await fillSignUp(page, 'nobody@example.com')
  await page.route('**/api/bot-check/challenge**', route => route.fulfill({ status: 500, body: '' }))
  const refused = page.waitForResponse(/bot-check\/challenge/)
  await page.getByRole('button', { name: 'Create account' }).click()
  await refused
  await expect(page.getByRole('button', { name: 'Create account' })).toBeEnabled()
  expect(tries).toBe(0)
  await expect(toasts(page).locator('[data-toast]')).toHaveCount(0)
})

test('a sign-up that fails for another reason shows the reason', async ({ page, noise }) => {
  noise.allow(/422/)
  await fillSignUp(page, 'me@in.example.com')
  await page.getByRole('button', { name: 'Create account' }).click()
  const toast = toasts(page).locator('[data-toast=destructive]')
  await expect(toast).toContainText('Sign up failed')
  await expect(toast).toContainText('This email cannot be used for an account. Use another.')
})

test('/contact links to the blog, the app and Pro, and shows an address for urgent messages', async ({ page }) => {
  await page.goto('/contact?lang=en')
  const main = page.getByRole('main')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Blog' })).toHaveAttribute('href', '/blog')
  await expect(main.getByRole('link', { name: 'Back to the app' })).toHaveAttribute('href', '/')
  await expect(header.getByRole('link', { name: 'Pro' })).toHaveAttribute('href', '/auth#sign-up')
  await expect(main.getByText('Is it urgent? Write to support@in.example.com')).toBeVisible()
  await expect(page.locator('form')).toHaveAttribute('novalidate', '')
})

for (const [path, labels, button] of [
  ['/contact', ['Name', 'Email', 'Subject', 'Message'], 'Send message'],
  ['/auth#sign-up', ['Email', 'Password'], 'Create account'],
] as const)
  test(`the gaps of ${path} are even, and stay so with errors`, async ({ page }) => {
    await page.goto(`${path.replace('#', '?lang=en#')}`)
    const submit = page.getByRole('button', { name: button })
    await expect(submit).toBeEnabled()
    const boxes = () =>
      page.locator('form').evaluate((form, names) => {
        const fields = names.map(name => Array.from(form.querySelectorAll('label')).find(label => label.textContent === name))
        return fields.flatMap(label => {
          const [above, below] = [label, label?.control].map(part => part?.getBoundingClientRect())
          return above && below ? [[above.top, below.bottom] as const] : []
        })
      }, labels)
    const gaps = async () => {
      const [first, ...rest] = await boxes()
      const tops = [...rest.map(([top]) => top), (await submit.boundingBox())?.y ?? Number.NaN]
      return tops.map((top, at) => Math.round(top - (at === 0 ? (first?.[1] ?? Number.NaN) : (rest[at - 1]?.[1] ?? Number.NaN))))
    }
    const before = await gaps()
    expect(before).toHaveLength(labels.length)
    expect(Math.max(...before) - Math.min(...before), before.join()).toBeLessThanOrEqual(1)
    await submit.click()
    await expect(page.locator('[aria-invalid]')).toHaveCount(labels.length)
    expect(await gaps()).toEqual(before)
  })

test('a field is validated when it loses the focus, then with every key', async ({ page }) => {
  await page.goto('/contact?lang=en')
  const subject = page.getByLabel('Subject')
  // Keys go wherever they can: a field of a served page takes none until the page is alive.
  await expect(subject).toBeEnabled()
  await subject.pressSequentially('four')
  await expect(subject).toHaveValue('four')
  await expect(subject).not.toHaveAttribute('aria-invalid')
  await subject.blur()
  await expect(subject).toHaveAccessibleDescription('Subject must be at least 5 characters')
  await subject.press('End')
  await subject.press('s')
  await expect(subject).not.toHaveAttribute('aria-invalid')
  await subject.press('Backspace')
  await expect(subject).toHaveAccessibleDescription('Subject must be at least 5 characters')
})

test('sending disables the fields, then empties them, and two seconds later the home page opens', async ({ page, noise }) => {
  noise.allow(/./)
  await page.clock.install()
  await fillContact(page)
  const sent = await hold(page, '**/api/contact')
  let body: unknown
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/contact') body = request.postDataJSON()
  })
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  for (const label of ['Name', 'Email', 'Subject', 'Message']) await expect(page.getByLabel(label)).toBeDisabled()
  await expect
    .poll(() => body)
    .toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      subject: 'A question',
      message: 'What happens to this message?',
    })
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3000)
  sent()
  await expect(toasts(page)).toContainText('Message sent successfully!')
  await expect(toasts(page)).toContainText("Thanks for contacting us. We'll get back to you soon.")
  for (const label of ['Name', 'Email', 'Subject', 'Message']) await expect(page.getByLabel(label)).toHaveValue('')
  await page.clock.runFor(1999)
  await expect(page).toHaveURL(url => url.pathname === '/contact')
  await page.clock.runFor(1)
  await expect(page).toHaveURL(url => url.pathname === '/')
})

test('a message that fails says so and stays in the form', async ({ page, noise }) => {
  noise.allow(/503/)
  await fillContact(page)
  await page.route('**/api/contact', route => route.fulfill({ status: 503, body: '' }))
  await page.getByRole('button', { name: 'Send message' }).click()
  const toast = toasts(page).locator('[data-toast=destructive]')
  await expect(toast).toContainText('Failed to send message')
  await expect(toast).toContainText('Please try again later or contact us directly.')
  await expect(page.getByLabel('Message')).toHaveValue('What happens to this message?')
  await expect(page.getByLabel('Message')).toBeEnabled()
})

/** The gaps of each field in sight: label and hint to control, control to the line below it, and that line to what follows. */
const gapsOf = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('main label[for]')).flatMap(label => {
      const head = label.parentElement
      const field = head?.parentElement
      const [control, line] = [head?.nextElementSibling, field?.lastElementChild]
      const next = field?.nextElementSibling
      if (!head || !field?.checkVisibility() || !control || !line || !next) return []
      const gaps = [
        control.getBoundingClientRect().top - head.getBoundingClientRect().bottom,
        line.getBoundingClientRect().top - control.getBoundingClientRect().bottom,
        next.getBoundingClientRect().top - line.getBoundingClientRect().bottom,
      ]
      return [gaps.map(gap => Math.round(gap * 2) / 2).join(' ')]
    }),
  )

for (const viewport of [
  { width: 375, height: 667 },
  { width: 1280, height: 800 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport, serverEnv: {} })

    test('all forms have the same gaps, and no button of the account is dead: what is missing is said', async ({ page, newAccount }) => {
      const gaps: Record<string, string[]> = {}
      for (const path of ['/auth', '/auth#sign-up', '/auth/forgot-password', '/contact', '/report']) {
        await page.goto(path)
        await untilAlive(page)
        gaps[path] = await gapsOf(page)
      }
      await newAccount(`even-${viewport.width}@example.com`)
      await signIn(page, `even-${viewport.width}@example.com`)
      await expect(page).toHaveURL('/')
      await page.goto('/account')
      const main = page.getByRole('main')
      await expect(main.getByText('No API key yet.')).toBeVisible()
      await expect(main.locator('input[type=password]')).toHaveCount(0)
      await expect(main.locator(':disabled, [aria-disabled=true]')).toHaveCount(0)
      gaps.account = await gapsOf(page)
      const press = (name: string) => main.getByRole('button', { name, exact: true }).click()
      await press('Create key')
      await expect(page.getByLabel('Name of the key')).toHaveAccessibleDescription(
        'Give the key a name. What it is used for, so that you know which one to revoke.',
      )
      for (const [button, field] of [
        ['Change password', 'Current password'],
        ['Delete account', 'Your password'],
      ] as const) {
        await press(button)
        await press(button)
        await expect(main.getByLabel(field), 'one question at a time').toHaveAccessibleDescription('Enter your password.')
        await expect(main.getByLabel(field)).toBeFocused()
        const shown = await main.locator('input[type=password]').count()
        await expect(main.getByRole('button', { name: 'Show password' })).toHaveCount(shown)
        gaps[button] = await gapsOf(page)
        await main.getByRole('button', { name: 'Show password' }).first().click()
        await expect(main.getByLabel(field)).toHaveAttribute('type', 'text')
      }
      expect(new Set(Object.values(gaps).flat()).size, JSON.stringify(gaps, undefined, 1)).toBe(1)
      // The list of sections leads to them on a phone as well.
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Webhooks' }).click()
      await expect(page.getByRole('heading', { name: 'Webhooks' })).toBeInViewport()
    })
  })
}

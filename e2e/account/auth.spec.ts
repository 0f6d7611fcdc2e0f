import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { Locator } from '@playwright/test'
import { ACCOUNT_KEY } from '#web/lib/browser/storage.ts'
import { confirmAccount, fillCredentials as fill, onThisServer, PASSWORD, signIn, signUp, test } from '../harness/account-fixtures.ts'
import { expect, quickInEnglish } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'

test('sign up, confirm by mail, which signs in, sign in on a second device, share the addresses, sign out everywhere', async ({
  page,
  recorder,
  baseURL,
  noise,
  otherDevice,
}) => {
  // The first device shows its account until the server tells it that the session was ended on the other.
  noise.allow(/401/)
  const email = 'ada@example.com'
  await confirmAccount(page, recorder, email, baseURL)
  expect(page.url(), 'the token is taken out of the address bar').not.toContain('#')

  // The password was asked for twice: where it was chosen, and to confirm with it.
  await expect(page.getByText('You are signed in.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto('/account')
  await page.getByLabel('Name, if you want to choose one').fill('ada.of.two.devices')
  await page.getByRole('button', { name: 'Create address' }).click()
  await expect(page.getByRole('button', { name: 'Copy ada.of.two.devices@in.example.com' })).toBeVisible()

  const other = await otherDevice()
  await signIn(other, email)
  await expect(other.getByText('Welcome back!')).toBeVisible()
  await expect(other.getByText('You have successfully signed in.')).toBeVisible()
  await expect(other).toHaveURL('/')
  await other.goto('/account')
  await expect(other.getByRole('button', { name: 'Copy ada.of.two.devices@in.example.com' })).toBeVisible()

  await other.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(other).toHaveURL('/auth')
  await page.goto('/account')
  await expect(page).toHaveURL('/auth')
})

test('fields show their errors, and so do a wrong password and a registered address', async ({ page, noise, newAccount }) => {
  noise.allow(/401|409/)
  await page.goto('/auth')
  await fill(page, 'not an address', 'short')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  const form = [
    page.getByLabel('Email'),
    page.locator('p', { hasText: 'Please enter a valid email address' }),
    page.locator('label', { hasText: 'Password' }),
    page.locator('p', { hasText: 'Password must be at least 6 characters' }),
    page.getByRole('button', { name: 'Sign in' }),
  ]
  const [input, error, nextLabel, lastError, button] = await Promise.all(
    form.map(part => part.evaluate(element => element.getBoundingClientRect())),
  )
  expect((error?.top ?? 0) - (input?.bottom ?? 0), 'an error belongs to its input').toBeCloseTo(6, 2)
  expect((nextLabel?.top ?? 0) - (error?.bottom ?? 0)).toBeCloseTo(14, 2)
  expect((button?.top ?? 0) - (lastError?.bottom ?? 0), 'as far from a button as from a field').toBeCloseTo(14, 2)
  await page.getByRole('tab', { name: 'Sign up' }).click()
  await expect(page.getByText('min. 6 characters')).toBeVisible()
  await expect(page.getByLabel('Email'), 'is kept for whoever tries to sign in first').toHaveValue('not an address')

  const email = await newAccount('known@example.com')
  await signIn(page, email, 'wrong password')
  await expect(page.getByText('Sign in failed')).toBeVisible()
  await expect(page.getByRole('tabpanel').getByText(/^Email or password is not right/), 'once, beside the toast').toHaveCount(1)
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/^Email or password is not right/)
  await signUp(page, email)
  await expect(page.getByText('Account exists')).toBeVisible()
  await expect(page.locator('[data-toast]').getByText('This email is already registered. Please sign in instead.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('This email is already registered. Please sign in instead.')
})

test('a tab that is pressed before the application has loaded is chosen, and a link can lead to it', async ({ page }) => {
  const application = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async route => {
    await application.promise
    await route.continue()
  })
  await page.goto('/auth?lang=en', { waitUntil: 'commit' })
  await page.getByRole('tab', { name: 'Sign up' }).click()
  application.resolve()
  await expect(page.getByRole('tab', { name: 'Sign up' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('min. 6 characters')).toBeVisible()
  await page.getByRole('tab', { name: 'Sign up' }).press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Sign in' })).toBeFocused()
  await expect(page.getByText('min. 6 characters')).toHaveCount(0)
  await page.goto('/auth?lang=en#sign-up')
  await expect(page.getByRole('tab', { name: 'Sign up' })).toHaveAttribute('aria-selected', 'true')
})

test('Pro opens on creating an account, with signing in one press away', async ({ page }) => {
  await page.goto('/blog?lang=en')
  await untilAlive(page)
  await page.getByRole('banner').getByRole('link', { name: 'Pro' }).click()
  await expect(page.getByRole('tab', { name: 'Sign up' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Pro' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('tab', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the app' }).click()
  await expect(page).toHaveURL('/')
})

test('a forgotten password is replaced with the link in the mail', async ({ page, recorder, baseURL, newAccount }) => {
  const email = await newAccount('forgetful@example.com')
  await page.goto('/auth/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await page.goto(onThisServer((await recorder.next(email)).link, baseURL))
  await page.getByLabel('New password').fill('a new password')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Password saved')).toBeVisible()
  await signIn(page, email, 'a new password')
  await expect(page.getByText('Welcome back!')).toBeVisible()
})

test('a browser that is signed in to another account stays so when a password is replaced', async ({
  page,
  recorder,
  baseURL,
  newAccount,
}) => {
  await newAccount('first-account@example.com')
  await newAccount('second-account@example.com')
  await page.goto('/auth/forgot-password')
  await page.getByLabel('Email').fill('first-account@example.com')
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const { link } = await recorder.next('first-account@example.com')
  await signIn(page, 'second-account@example.com')
  await expect(page).toHaveURL('/')
  await page.goto(onThisServer(link, baseURL))
  await page.getByLabel('New password').fill('a new password')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Password saved')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Account', exact: true })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText('second-account@example.com').first()).toBeVisible()
})

test('a session that ran out while no page was open is told when one opens', async ({ page, context, noise, newAccount }) => {
  // The page asks for the addresses of the account, whose cookie is gone.
  noise.allow(/401 .*\/api\/account\/mailboxes/)
  await signIn(page, await newAccount('away@example.com'))
  await expect(page).toHaveURL('/')
  // A file of the site that is no page: the page would ask for the session itself, and be the one that tells of its end.
  await page.goto('/robots.txt')
  await page.evaluate(key => {
    const stored = JSON.parse(localStorage.getItem(key) ?? '')
    localStorage.setItem(key, JSON.stringify({ ...stored, expiresAt: new Date(Date.now() - 1000).toISOString() }))
  }, ACCOUNT_KEY)
  await context.clearCookies()
  await page.goto('/')
  await expect(page.locator('[data-toast]').filter({ hasText: 'You are signed out' })).toBeVisible()
})

test('the password is changed with the one before, which signs out the other devices', async ({ page, noise, newAccount, otherDevice }) => {
  noise.allow(/401/)
  const email = await newAccount('changing@example.com')
  await signIn(page, email)
  await expect(page).toHaveURL('/')
  const other = await otherDevice()
  await signIn(other, email)
  await expect(other).toHaveURL('/')

  await page.goto('/account')
  const form = page.getByRole('form', { name: 'Password' })
  await page.getByRole('button', { name: 'Change password' }).click()
  const change = async (current: string, next: string) => {
    await form.getByLabel('Current password').fill(current)
    await form.getByLabel('New password').fill(next)
    await form.getByRole('button', { name: 'Change password' }).click()
  }
  await change(PASSWORD, 'short')
  await expect(form.getByLabel('New password')).toHaveAccessibleDescription('Password must be at least 6 characters min. 6 characters')
  await change('not this one', 'a new password')
  await expect(form.getByLabel('Current password')).toHaveAccessibleDescription('The password is not right. Check it and try again.')
  await change(PASSWORD, 'a new password')
  await expect(page.getByText('Your other devices are signed out. API keys and passkeys stay valid.')).toBeVisible()
  await expect(form, 'the question is answered').toHaveCount(0)
  // Firefox gives its focus to one window only, which is that of the other device.
  const isActive = (element: Element) => element === document.activeElement
  await expect.poll(() => page.getByRole('button', { name: 'Change password' }).evaluate(isActive)).toBe(true)

  await other.goto('/account')
  await expect(other).toHaveURL('/auth')
  await signIn(other, email, 'a new password')
  await expect(other.getByText('Welcome back!')).toBeVisible()
})

test('a list that comes late takes no press from a button', async ({ page, newAccount }) => {
  await signIn(page, await newAccount('late@example.com'))
  await expect(page).toHaveURL('/')
  const late = Promise.withResolvers<void>()
  const lists = { held: 0, came: 0 }
  await page.route(/\/api\/account\/[\w-]+$/, async route => {
    if (route.request().method() !== 'GET') return await route.continue()
    const response = await route.fetch()
    lists.held++
    await late.promise
    await route.fulfill({ response })
    lists.came++
  })
  await page.goto('/account')
  await page.getByLabel('Name of the key').fill('CI')
  await expect.poll(() => lists.held).toBeGreaterThan(3)
  const button = page.getByRole('button', { name: 'Create key' })
  await button.hover()
  await page.mouse.down()
  late.resolve()
  await expect.poll(() => lists.came).toBe(lists.held)
  // Whatever would be drawn now is drawn.
  await page.evaluate(() => new Promise(resolve => setTimeout(() => requestAnimationFrame(resolve), 100)))
  await page.mouse.up()
  await expect(page.getByText(/^mfk_[\w-]{43}$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Revoke CI' })).toBeVisible()
  await expect(page.getByText('No webhook yet.')).toBeVisible()
})

test('API keys are created, listed and revoked, and the account is deleted with its password', async ({ page, request, newAccount }) => {
  await signIn(page, await newAccount('keys@example.com'))
  await expect(page).toHaveURL('/')
  await page.goto('/account')
  await page.getByLabel('Name of the key').fill('CI')
  await page.getByRole('button', { name: 'Create key' }).click()
  // Its row makes the page longer, and must not push the key out of view.
  await expect(page.getByRole('button', { name: 'Revoke CI' })).toBeVisible()
  const panel = page.getByRole('status').filter({ hasText: 'It is shown only this once.' })
  await expect(panel).toBeInViewport({ ratio: 1 })
  await expectActive(panel)
  const key = (await page.getByText(/^mfk_[\w-]{43}$/).textContent()) ?? ''
  const make = () => request.post('/api/mailboxes', { data: {}, headers: { authorization: `Bearer ${key}` } })
  expect((await make()).status()).toBe(201)
  const example = page.getByTestId('api-example')
  await expect(example.getByRole('link', { name: 'API guide' })).toHaveAttribute('href', '/api/docs')
  const command = (await example.locator('pre').textContent()) ?? ''
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -sS`])
  expect(JSON.parse(stdout)).toMatchObject({ email: expect.stringContaining('@in.example.com') })
  await page.getByRole('button', { name: 'Revoke CI' }).click()
  await expect(page.getByText('No API key yet.')).toBeVisible()
  expect((await make()).status()).toBe(401)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByText('Your account is deleted.')).toBeVisible()
  await expect(page).toHaveURL('/auth')
})

for (const { language, words } of [
  {
    language: 'en',
    words: {
      name: 'Name of the key',
      create: 'Create key',
      proof: 'Enter your password again, or use a passkey.',
      password: 'Your password',
    },
  },
  {
    language: 'es',
    words: {
      name: 'Nombre de la clave',
      create: 'Crear clave',
      proof: 'Escribe otra vez tu contraseña o usa una llave de acceso.',
      password: 'Tu contraseña',
    },
  },
] as const) {
  test(
    `some time after the sign-in an API key needs the password again (${language})`,
    quickInEnglish(language),
    async ({ page, server, noise, newAccount }) => {
      noise.allow(/40[13]/)
      const email = await newAccount(`long-signed-in-${language}@example.com`, language)
      await signIn(page, email)
      await expect(page).toHaveURL('/')
      // The session becomes an hour old.
      using site = new DatabaseSync(join(server.dataDir, 'site.db'), { timeout: 5000 })
      const aged = site.prepare(
        'UPDATE sessions SET created_at = created_at - 3600000 WHERE user_id = (SELECT id FROM users WHERE email = ?)',
      )
      expect(aged.run(email).changes).toBe(1)
      await page.goto(`/account?lang=${language}`)
      await page.getByLabel(words.name).fill('CI')
      const button = page.getByRole('button', { name: words.create })
      await button.click()
      await expect(page.getByText(words.proof)).toBeInViewport()
      const proof = page.getByRole('form', { name: words.create })
      await proof.getByLabel(words.password).press('Escape')
      await expect(proof).toHaveCount(0)
      await expectActive(button)
      await button.click()
      await proof.getByLabel(words.password).fill('not this one')
      await proof.getByRole('button', { name: words.create }).click()
      await expect(proof.getByRole('alert').or(proof.locator('[aria-invalid=true]')).first()).toBeVisible()
      await expect(page.getByText(/^mfk_[\w-]{43}$/)).toHaveCount(0)
      await proof.getByLabel(words.password).fill(PASSWORD)
      await proof.getByRole('button', { name: words.create }).click()
      await expect(page.getByText(/^mfk_[\w-]{43}$/)).toBeVisible()
      await expect(page.getByText(words.proof)).toHaveCount(0)
    },
  )
}

for (const { language, name, error } of [
  { language: 'en', name: 'Name', error: 'Name has invisible control characters. Please type it again' },
  { language: 'es', name: 'Nombre', error: 'El nombre tiene caracteres de control invisibles. Escríbelo de nuevo' },
]) {
  test(
    `control characters are dropped as they are pasted, or their field says so (${language})`,
    quickInEnglish(language),
    async ({ page }) => {
      await page.goto(`/contact?lang=${language}`)
      const field = page.getByLabel(name)
      await field.fill('Ada\u0007 Lovelace\u0085')
      await expect(field).toHaveValue('Ada Lovelace')
      // What a program writes into the field is seen when the visitor leaves it.
      await field.evaluate((input: HTMLInputElement) => {
        input.value = 'Ada\u0007'
      })
      await field.blur()
      await expect(page.getByText(error)).toBeVisible()
      await field.fill('Ada')
      await expect(page.getByText(error)).toHaveCount(0)
    },
  )
}

test('after signing up no form stands there that must fail until the link is opened', async ({ page }) => {
  const email = 'link-first@example.com'
  await signUp(page, email)
  await expect(page.getByText(`The link is on its way to ${email}. Open it within 24 hours: it signs you in.`)).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveCount(0)
  await expect(page.getByRole('tab', { name: 'Sign up' }), 'the answer is below what was sent').toHaveAttribute('aria-selected', 'true')
  await expectActive(page.getByText(`The link is on its way to ${email}.`))
  await page.getByRole('button', { name: 'Use another address' }).click()
  await expect(page.getByRole('tab', { name: 'Sign up' })).toHaveAttribute('aria-selected', 'true')
  const field = page.getByLabel('Email')
  await expectActive(field)
  await expect(field).toHaveValue(email)
  await field.fill(`second-${email}`)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText(`The link is on its way to second-${email}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Opened it already? Sign in' }).click()
  await expect(page.getByRole('tab', { name: 'Sign in' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel('Email')).toHaveValue(`second-${email}`)
  await expectActive(page.getByLabel('Password'))
})

for (const path of ['/auth/forgot-password', '/auth/confirm', '/auth/new-password']) {
  test(`the button of ${path} is as far from what is above it as on /auth`, async ({ page }) => {
    await page.goto(`${path}?lang=en#${'a'.repeat(43)}`)
    await untilAlive(page)
    const gap = await page.locator('button[type=submit]').evaluate(button => {
      const above = button.previousElementSibling?.getBoundingClientRect().bottom ?? Number.NaN
      return button.getBoundingClientRect().top - above
    })
    expect(gap).toBeCloseTo(14, 2)
  })
}

/** Has the focus of its page, also where the window has none, as in WebKit here. */
async function expectActive(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate(it => it === document.activeElement)).toBe(true)
}

/** The way from nobody to a confirmed account. */
import { type APIRequestContext, type Page, request as requests } from '@playwright/test'
import type { Language } from '#contract/languages.ts'
import { routes } from '#contract/routes.ts'
import { PASSWORD } from '#test/harness/clients/visitor.ts'
import type { MailRecorder } from '#test/harness/servers/mail-recorder.ts'
import { test as base, expect } from './fixtures.ts'
import { untilAlive } from './pages.ts'

export { PASSWORD }

/** The link of a mail, on the origin that the test's server listens on. */
export function onThisServer(link: string | undefined, baseURL: string | undefined): string {
  return new URL(new URL(link ?? '').href.replace(/^https?:\/\/[^/]+/, ''), baseURL).href
}

export async function fillCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
}

export async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/auth')
  await untilAlive(page)
  await page.getByRole('tab', { name: 'Sign up' }).click()
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
  await fillCredentials(page, email, PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/auth')
  await fillCredentials(page, email, password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs up and follows the link in the mail, which signs in. */
export async function confirmAccount(page: Page, recorder: MailRecorder, email: string, baseURL: string | undefined): Promise<void> {
  await signUp(page, email)
  await expect(page.getByText("We've sent you a confirmation link to complete your registration.")).toBeVisible()
  await page.goto(onThisServer((await recorder.next(email)).link, baseURL))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByText('Your email is confirmed.')).toBeVisible()
}

/** A confirmed account without its pages, for tests that are about something else. Nobody is signed in. */
export async function createAccount(
  request: APIRequestContext,
  recorder: MailRecorder,
  email: string,
  origin = '',
  language: Language = 'en',
) {
  const options = { headers: { origin } }
  const signedUp = await request.post(origin + routes.authSignUp, { ...options, data: { email, password: PASSWORD, language } })
  expect(signedUp.ok(), await signedUp.text()).toBe(true)
  const token = await recorder.nextToken(email)
  // Confirming signs in. In the page's own context WebKit was still signed in after signing out.
  const elsewhere = await requests.newContext()
  const confirmed = await elsewhere.post(origin + routes.authConfirm, { ...options, data: { token, password: PASSWORD } })
  expect(confirmed.ok(), await confirmed.text()).toBe(true)
  await elsewhere.post(origin + routes.authSignOut, options)
  await elsewhere.dispose()
}

type AccountFixtures = {
  /** Makes an account of this address, see `createAccount`, and returns the address. */
  newAccount: (email: string, language?: Language) => Promise<string>
  /** A page in a browser with nothing stored, on another network. */
  otherDevice: () => Promise<Page>
}

export const test = base.extend<AccountFixtures>({
  newAccount: ({ page, recorder, baseURL }, use) =>
    use(async (email, language) => {
      await createAccount(page.request, recorder, email, baseURL, language)
      return email
    }),
  otherDevice: async ({ browser, baseURL }, use) => {
    await using devices = new AsyncDisposableStack()
    await use(async () => {
      const context = await browser.newContext({ baseURL: baseURL ?? '', extraHTTPHeaders: { 'x-forwarded-for': '10.9.8.7' } })
      devices.defer(() => context.close())
      return await context.newPage()
    })
  },
})

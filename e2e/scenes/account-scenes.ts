/** Accounts: the ways in, what Pro shows on the home page, and the account's own page. */
import type { Page } from '@playwright/test'
import { expect } from '../harness/fixtures.ts'
import {
  expectToast,
  leaveAsItIs,
  makeAccount,
  onOwnPage,
  PRO_EMAIL,
  type Scene,
  type Stage,
  signIn,
  unique,
  visit,
  visitAsPro,
} from './scene.ts'

const REFUSED = [/Failed to load resource: the server responded with a status of 40[1349]/]

const addresses = ({ page, words }: Stage) => page.getByRole('region', { name: words.account.addresses })

async function makeAddress({ page, words }: Stage, within: Pick<Page, 'getByLabel' | 'getByRole'>, name: string): Promise<void> {
  await within.getByLabel(words.account.localPart).fill(name)
  await within.getByRole('button', { name: words.account.create }).click()
  await expect(page.getByText(`${name}@in.example.com`).first()).toBeVisible()
}

export const accountScenes: readonly Scene[] = [
  {
    name: 'pro-home',
    begin: visitAsPro,
    leave: leaveAsItIs,
    async arrange(stage) {
      const { page, words } = stage
      const panel = addresses(stage)
      const open = () => panel.getByRole('button', { name: words.account.addresses }).click()
      // One as people choose them, and the longest an account can choose: 32 signs.
      for (const name of ['maria.perez', 'as-long.as-names_may-be.at']) {
        await open()
        await makeAddress(stage, panel, unique(name))
      }
      await open()
      await panel.getByLabel(words.account.localPart).fill('¿?')
      await panel.getByRole('button', { name: words.account.create }).click()
      await expect(panel.getByText(words.account.localPartInvalid({ chars: 2 }))).toBeVisible()
      await expect(page.getByRole('link', { name: words.layout.account })).toBeVisible()
    },
  },
  {
    name: 'account',
    begin: visitAsPro,
    leave: leaveAsItIs,
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/account')
      await makeAddress(stage, page, unique('grace.hopper'))
      for (const name of ['CI', 'Nightly sign-up tests of the shop, on the big machine']) {
        await page.getByLabel(words.account.keyName).fill(name)
        await page.getByRole('button', { name: words.account.createKey }).click()
        await expect(page.getByText(name, { exact: true })).toBeVisible()
      }
    },
  },
  {
    name: 'account-password-wrong',
    begin: visitAsPro,
    leave: leaveAsItIs,
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/account')
      await page.getByRole('button', { name: words.account.delete }).click()
      await page.getByLabel(words.account.password).fill('not this one')
      await page.getByRole('button', { name: words.account.delete }).click()
      await expectToast(stage, words.account.deleteFailed)
      await expect(page.getByLabel(words.account.password)).toHaveAccessibleDescription(words.account.passwordWrong)
    },
    noise: REFUSED,
  },
  onOwnPage({
    name: 'sign-up',
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/auth')
      await page.getByRole('tab', { name: words.auth.signUp }).click()
      await page.getByLabel(words.auth.email).fill('not an address')
      await page.getByLabel(words.auth.password).fill('short')
      await page.getByRole('button', { name: words.auth.createAccount }).click()
      await expect(page.getByText(words.auth.passwordShort)).toBeVisible()
    },
  }),
  onOwnPage({
    name: 'sign-up-sent',
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/auth')
      await page.getByRole('tab', { name: words.auth.signUp }).click()
      await page.getByLabel(words.auth.email).fill(`${unique('new')}@example.com`)
      await page.getByLabel(words.auth.password).fill('a good password')
      await page.getByRole('button', { name: words.auth.createAccount }).click()
      await expectToast(stage, words.auth.checkEmailText)
    },
  }),
  onOwnPage({
    name: 'sign-in-failed',
    async arrange(stage) {
      await visit(stage, '/auth')
      await signIn(stage, 'nobody@example.com')
      await expectToast(stage, stage.words.auth.signInFailed)
    },
    noise: REFUSED,
  }),
  {
    name: 'signed-in-contact',
    begin: visitAsPro,
    leave: leaveAsItIs,
    async arrange(stage) {
      await visit(stage, '/contact')
      await expect(stage.page.getByText(PRO_EMAIL)).toBeVisible()
    },
  },
  onOwnPage({
    name: 'forgotten-sent',
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/auth/forgot-password')
      await page.getByLabel(words.auth.email).fill('ada@example.com')
      await page.getByRole('button', { name: words.auth.forgotten.button }).click()
      await expect(page.getByRole('heading', { name: words.auth.forgotten.done })).toBeVisible()
    },
  }),
  onOwnPage({
    name: 'new-password',
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/auth/new-password')
      await page.getByLabel(words.auth.renew.password).fill('short')
      await page.getByRole('button', { name: words.auth.renew.button }).click()
      await expect(page.getByText(words.auth.passwordShort)).toBeVisible()
    },
  }),
  onOwnPage({
    name: 'confirm-failed',
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, `/auth/confirm#${'A'.repeat(43)}`)
      await page.getByLabel(words.auth.password).fill('a good password')
      await page.getByRole('button', { name: words.auth.confirm.button }).click()
      await expect(page.getByRole('heading', { name: words.auth.confirm.failed })).toBeVisible()
    },
    noise: REFUSED,
  }),
  onOwnPage({
    name: 'account-exists',
    async arrange(stage) {
      const { page, words } = stage
      await visit(stage, '/auth')
      const email = await makeAccount(stage)
      await page.getByRole('tab', { name: words.auth.signUp }).click()
      await page.getByLabel(words.auth.email).fill(email)
      await page.getByLabel(words.auth.password).fill('a good password')
      await page.getByRole('button', { name: words.auth.createAccount }).click()
      await expectToast(stage, words.auth.accountExistsText)
    },
    noise: REFUSED,
  }),
]

/** The main tasks with only Tab, Enter and Escape. */
import type { Locator, Page } from '@playwright/test'
import { expect, test, WITH_MOTION } from '../harness/fixtures.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'

test.use(WITH_MOTION)

/** More than the number of stops on any page. */
const STOPS_MAX = 60

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, role: 'button' | 'link', name: string | RegExp, within: Page | Locator = page): Promise<void> {
  const wanted = within.getByRole(role, { name }).first()
  await expect(wanted).toBeEnabled()
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    if (await wanted.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} is not reached by ${STOPS_MAX} presses of Tab`)
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const focused = (page: Page) => page.locator(':focus')

test('create, copy, open a mail, copy its code, close, delete it, generate, delete the address: with Tab and Enter alone', async ({
  page,
  context,
  sendMail,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await page.keyboard.press('Tab')
  await expect(focused(page)).toHaveText('Skip to content')
  await tabTo(page, 'button', 'Copy address')
  await page.keyboard.press('Enter')
  expect(await clipboard(page)).toBe(address)

  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail(mailTo(address, 'The one that stays'))
  await sendMail(mailTo(address, 'The one to read'))
  await expect(page.locator('[data-message]')).toHaveCount(2)
  await tabTo(page, 'button', /Open “The one to read”/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'The one to read' })).toBeVisible()
  await tabTo(page, 'button', /^481 516 Copy code$/, dialog)
  await page.keyboard.press('Enter')
  expect(await clipboard(page)).toBe('481516')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(focused(page)).toHaveAccessibleName(/Open “The one to read”/)

  await tabTo(page, 'button', 'Delete message: The one to read')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-message]')).toHaveCount(1)
  await expect(focused(page), 'the focus goes to the mail that takes its place').toHaveAccessibleName(/Open “The one that stays”/)
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', 'More actions')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(focused(page)).toHaveText('Delete message')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-message]')).toHaveCount(0)
  await expect(focused(page), 'the focus goes to the inbox that is empty now').toHaveText('Inbox')

  await page.getByRole('link', { name: 'Mayfly' }).first().focus()
  await tabTo(page, 'button', 'Generate new')
  await page.keyboard.press('Enter')
  await expect(page.getByText('New temporary email generated!')).toBeVisible()
  await expect(page.getByTestId('address')).not.toHaveAttribute('aria-label', address)
  await expect(focused(page), 'the focus goes to the new address').toHaveText(await addressOn(page))
  await tabTo(page, 'button', 'Delete address')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-mailbox=none]')).toBeVisible({ timeout: 15_000 })
  await expect(focused(page), 'the focus goes to what can be done next').toHaveText('Generate new')
})

test('an open dialog keeps the focus inside and returns it', async ({ page }) => {
  await page.goto('/?lang=en')
  await addressOn(page)
  for (const opener of ['Open on phone', 'Keyboard shortcuts']) {
    await tabTo(page, 'button', opener)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    // Firefox's Tab goes on to its own controls, where Escape would be theirs.
    for (let stop = 0; stop < 8 || !(await page.evaluate(() => document.hasFocus())); stop++) {
      await page.keyboard.press('Tab')
      const isOutside = await page.evaluate(() => {
        const focus = document.activeElement
        return focus !== document.body && focus?.closest('dialog') === null
      })
      expect(isOutside).toBe(false)
    }
    await page.keyboard.press('Escape')
    await expect(focused(page)).toHaveAccessibleName(opener)
  }
})

test('the focus stays when the last mail is reached, and returns from a toast that was used or closed', async ({ page, sendMail }) => {
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  for (const subject of ['older', 'newer']) await sendMail({ to, subject, text: 'No code in here.' })
  await expect(page.locator('[data-message]')).toHaveCount(2)
  await tabTo(page, 'button', /Open “newer”/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'newer' })).toBeVisible()
  await tabTo(page, 'button', 'Next message')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'older' })).toBeVisible()
  const next = page.getByRole('button', { name: 'Next message' })
  await expect(next).toBeDisabled()
  await expect(next).toBeFocused()
  await page.keyboard.press('Escape')

  await tabTo(page, 'button', 'Delete message: newer')
  await page.keyboard.press('Enter')
  const row = page.getByRole('button', { name: /Open “older”/ })
  await expect(row).toBeFocused()
  // Toasts stand at the head of the page, and so does their turn.
  await page.getByRole('link', { name: 'Mayfly' }).first().focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(focused(page)).toHaveAccessibleName('Undo')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-message]')).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Mayfly' }).first()).toBeFocused()
  await page.keyboard.press('c')
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  await expect(dismiss).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await expect(dismiss).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Mayfly' }).first()).toBeFocused()
})

test('Tab keeps its place in a section whose code arrives meanwhile', async ({ page }) => {
  const code = Promise.withResolvers<void>()
  await page.route('**/assets/home-sections-*.js', async route => {
    await code.promise
    await route.continue()
  })
  // The page has not loaded before its code: a section may be near at once.
  await page.goto('/?lang=en', { waitUntil: 'commit' })
  const questions = page.locator('summary')
  await questions.first().focus()
  await page.keyboard.press('Tab')
  await expect(questions.nth(1)).toBeFocused()
  const arrived = page.waitForResponse(/home-sections-.*js/)
  code.resolve()
  await (await arrived).finished()
  // Its nodes are replaced only once the focus has left.
  const isReplaced = () => questions.first().evaluate(element => Object.keys(element).some(name => name.startsWith('__reactProps$')))
  await page.keyboard.press('Tab')
  await expect(questions.nth(2)).toBeFocused()
  await page.waitForTimeout(300)
  await expect(questions.nth(2)).toBeFocused()
  expect(await isReplaced()).toBe(false)
  await page.locator('header a').first().focus()
  await expect.poll(isReplaced).toBe(true)
})

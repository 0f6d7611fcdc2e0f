/** What a control needs may be fetched with its first press: that press counts, and what was pressed keeps the focus until then. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { visitAsPro } from '../scenes/scene.ts'
import { loadWords } from '../scenes/words.ts'

/** From now on each file of the site takes this long: nothing is there before its press. */
const SLOW_MS = 400

async function slowDown(page: Page): Promise<void> {
  await page.route('**/assets/*', async route => {
    await new Promise(resolve => setTimeout(resolve, SLOW_MS))
    await route.continue()
  })
}

const PRESSES = {
  touch: (control: Locator) => control.tap(),
  mouse: (control: Locator) => control.click(),
  // The keys come where the focus is: neither scrolls, waits nor hovers before.
  keyboard: async (control: Locator) => {
    await control.focus()
    await control.press('Enter')
  },
} as const

type Row = readonly [control: string, find: (page: Page) => Locator, opened: (page: Page) => Locator]

const HOME: readonly Row[] = [
  ['the language', page => page.getByRole('button', { name: /^Language/ }), page => page.getByRole('menuitemradio', { name: 'Español' })],
  ['Open on phone', page => page.getByRole('button', { name: 'Open on phone' }), page => page.getByRole('dialog')],
  // A touch screen has no use for them.
  ['the shortcuts', page => page.getByRole('button', { name: 'Keyboard shortcuts' }), page => page.getByRole('dialog')],
  ['Delete address', page => page.getByRole('button', { name: 'Delete address' }), page => page.getByRole('button', { name: 'Undo' })],
  ['Generate new', page => page.getByRole('button', { name: 'Generate new' }), page => page.getByRole('button', { name: 'Undo' })],
  ['the domain', page => page.getByRole('button', { name: 'Domain' }), page => page.getByRole('menu')],
]

for (const [how, press] of Object.entries(PRESSES)) {
  test.describe(`the first press by ${how}`, () => {
    test.use({ hasTouch: how === 'touch' })

    test.describe('on the home page', () => {
      test.use({ serverEnv: { MAIL_DOMAINS: 'mayfly.test,river.test' } })
      for (const [control, find, opened] of HOME.filter(([control]) => how !== 'touch' || control !== 'the shortcuts')) {
        test(`on ${control}`, async ({ page }) => {
          await page.goto('/?lang=en')
          await addressOn(page)
          await expect(find(page)).toBeVisible()
          await slowDown(page)
          await press(find(page))
          await expect(opened(page)).toBeVisible()
        })
      }
    })

    test('on a mail, then on each control of its dialog', async ({ page, sendMail }) => {
      await page.goto('/?lang=en')
      await sendMail({ to: await addressOn(page), subject: 'Table booked', html: '<p>Your table is <b>booked</b>.</p>' })
      const row = page.getByRole('button', { name: /^Unread. Open “Table booked”/ })
      await expect(row).toBeVisible()
      await slowDown(page)
      await press(row)
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('heading', { name: 'Table booked' })).toBeVisible()
      await press(dialog.getByRole('button', { name: 'Details' }))
      await expect(dialog.getByRole('note')).toBeVisible()
      await page.keyboard.press('Escape')
      await press(dialog.getByRole('tab', { name: 'Original' }))
      await expect(dialog.getByRole('tab', { name: 'Original', selected: true })).toBeVisible()
      await press(dialog.getByRole('button', { name: 'More actions' }))
      await press(dialog.getByRole('menuitem', { name: 'Check this mail' }))
      await expect(dialog.getByRole('tab', { name: 'Check', selected: true })).toBeVisible()
    })

    test('on the addresses of an account', async ({ page, sendMail, recorder }) => {
      const words = await loadWords('en')
      await visitAsPro({ page, language: 'en', words, sendMail, recorder })
      // Opened anew, the page has nothing of the form that was there before.
      await page.goto('/?lang=en')
      const region = page.getByRole('region', { name: words.account.addresses })
      await expect(region.getByRole('button').first()).toBeVisible()
      await slowDown(page)
      await press(region.getByRole('button').first())
      await expect(region.getByRole('button', { name: words.account.create })).toBeVisible()
    })
  })
}

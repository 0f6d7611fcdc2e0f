/** A press counts, whatever the page draws between press and release: the pointer is held down by hand here. */
import type { Locator } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

async function holdDown(control: Locator): Promise<void> {
  await control.hover()
  await control.page().mouse.down()
}

test('although the icon that it hit is replaced', async ({ page }) => {
  await page.goto('/?lang=en')
  await addressOn(page)
  const copy = page.getByRole('button', { name: 'Copy address' })
  await copy.click()
  const copied = page.getByRole('button', { name: 'Copied' })
  await holdDown(copied.locator('svg'))
  await expect(copy).toBeVisible()
  await page.mouse.up()
  await expect(copied).toBeVisible()
})

test('although a toast comes over the button', async ({ page }) => {
  await page.goto('/?lang=en')
  await addressOn(page)
  // What draws toasts is fetched with the first sign of a press.
  await page.keyboard.press('c')
  const toast = page.locator('[data-toast]')
  await expect(toast).toBeVisible()
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  const another = page.getByRole('button', { name: 'Another one' })
  await holdDown(another)
  await page.keyboard.press('c')
  const isCovered = async () => {
    const [button, over] = await Promise.all([another.boundingBox(), toast.boundingBox()])
    if (!button || !over) return false
    const [x, y] = [button.x + button.width / 2, button.y + button.height / 2]
    return over.x < x && x < over.x + over.width && over.y < y && y < over.y + over.height
  }
  await expect.poll(isCovered).toBe(true)
  await page.mouse.up()
  await expect(page.getByRole('tab')).toHaveCount(2)
})

test('although a new mail would push the row away', async ({ page, context, sendMail }) => {
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await sendMail({ ...mailTo(to), subject: 'The first' })
  const first = page.locator('[data-message]').filter({ hasText: 'The first' })
  await expect(first).toBeVisible()
  const elsewhere = await context.newPage()
  await elsewhere.goto('/?lang=en')
  await expect(elsewhere.locator('[data-message]')).toHaveCount(1)
  await page.bringToFront()
  await holdDown(first.getByRole('button').first())
  await sendMail({ ...mailTo(to), subject: 'The second' })
  // The same server tells both pages.
  await expect(elsewhere.locator('[data-message]')).toHaveCount(2)
  await page.mouse.up()
  await expect(page.getByRole('dialog')).toHaveAccessibleName(/The first/)
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-message]')).toHaveCount(2)
})

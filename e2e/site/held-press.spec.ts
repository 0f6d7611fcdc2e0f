/** A press counts, whatever the page draws between press and release: the pointer is held down by hand here. */
import type { Locator } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

async function boxOf(control: Locator) {
  const box = await control.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return box
}

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

test('although a toast comes over the row', async ({ page, sendMail }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  // What draws toasts is fetched with the first sign of a press.
  await page.keyboard.press('c')
  const toast = page.locator('[data-toast]')
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  for (let n = 0; n < 9; n++) await sendMail({ ...mailTo(to), subject: `Mail ${n}` })
  await expect(page.locator('[data-message]')).toHaveCount(9)
  await page.locator('#inbox').evaluate(inbox => inbox.scrollIntoView({ behavior: 'instant' }))
  await page.keyboard.press('c')
  const { y, height } = await boxOf(toast)
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  await page.mouse.move(120, y + height / 2)
  await page.mouse.down()
  await page.keyboard.press('c')
  await expect.poll(async () => Math.abs((await boxOf(toast)).y - y)).toBeLessThan(height / 2)
  await page.mouse.up()
  await expect(page.getByRole('dialog')).toBeVisible()
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

for (const viewport of [
  { width: 375, height: 700 },
  { width: 1280, height: 800 },
]) {
  test(`a second press at the same place destroys nothing that came under it (${viewport.width} px)`, async ({ page, sendMail }) => {
    await page.setViewportSize(viewport)
    // Every press comes in the same moment, however slow the machine.
    await page.clock.setFixedTime(new Date())
    await page.goto('/?lang=en')
    const first = await addressOn(page)
    const another = page.getByRole('button', { name: 'Add a second' })
    const { x, y, width, height } = await boxOf(another)
    const deletion = page.getByRole('button', { name: 'Delete address' })
    const before = await boxOf(deletion)
    await page.mouse.click(x + width / 2, y + height / 2)
    await expect(page.getByRole('tab')).toHaveCount(2)
    if (viewport.width > 1000) expect((await boxOf(deletion)).y, 'the buttons keep their place').toBeCloseTo(before.y, 0)
    for (const share of [0.5, 0.4, 0.6]) await page.mouse.click(x + width * share, y + height * share)
    await expect(page.locator('[data-toast]').filter({ hasText: 'Deleting this address' })).toHaveCount(0)
    await expect(page.getByRole('tab')).toHaveCount(2)

    const shown = await addressOn(page)
    expect(shown).not.toBe(first)
    for (const subject of ['One', 'Two', 'Three']) await sendMail({ ...mailTo(shown), subject })
    const rows = page.locator('[data-message]')
    await expect(rows).toHaveCount(3)
    if (viewport.width < 1000) return
    const bin = rows.first().getByRole('button', { name: 'Delete message' })
    await rows.first().hover()
    await bin.dblclick()
    await expect(rows).toHaveCount(2)
    await expect(page.locator('[data-toast]').filter({ hasText: 'Deleting this message' })).toHaveCount(1)
    await expect(rows).toHaveCount(2)
  })
}

test('a press on what lay there all the time destroys, although another one went before beside it', async ({ page, sendMail }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  // No time passes in which it could have been seen.
  await page.clock.setFixedTime(new Date())
  await page.goto('/?lang=en')
  await sendMail({ ...mailTo(await addressOn(page)), subject: 'The only one' })
  const row = page.locator('[data-message]')
  await row.hover()
  const bin = await boxOf(row.getByRole('button', { name: 'Delete message' }))
  await page.mouse.click(bin.x - 10, bin.y + bin.height / 2)
  await expect(page.getByRole('dialog')).toHaveAccessibleName(/The only one/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.mouse.click(bin.x + 8, bin.y + bin.height / 2)
  await expect(row).toHaveCount(0)

  const deletion = await boxOf(page.getByRole('button', { name: 'Delete address' }))
  await page.mouse.click(deletion.x + deletion.width / 2, deletion.y + deletion.height + 6)
  await page.mouse.click(deletion.x + deletion.width / 2, deletion.y + deletion.height - 6)
  await expect(page.locator('[data-mailbox=deleting]')).toBeVisible()
})

test('a double click does not pass a question by', async ({ page }) => {
  await page.clock.setFixedTime(new Date())
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await page.goto('/privacy?lang=en')
  await page.getByRole('button', { name: 'Clear all of this' }).dblclick()
  await page.reload()
  await expect(page.getByText(address).first()).toBeVisible()
})

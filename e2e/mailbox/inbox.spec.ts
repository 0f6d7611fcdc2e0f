/** The inbox and the address by keyboard, with reduced motion, and while they load. */
import { expect, test, WITH_MOTION } from '../harness/fixtures.ts'
import { watchLayoutShifts } from '../harness/layout-shifts.ts'
import { waiveUndo } from '../harness/test-mail.ts'
import { liveAddress, openHome } from '../message/reader/reading.ts'

test.use(WITH_MOTION)

test('everything works by keyboard: down, up, open, close, copy, help', async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const to = await openHome(page)
  for (const word of ['older', 'newer']) await sendMail({ to, subject: `The ${word} one`, text: `text of the ${word} one` })
  await expect(page.locator('[data-message]')).toHaveCount(2)
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.getByRole('button', { name: /older/ }).first()).toBeFocused()
  const lines = page.locator('[data-message]').evaluateAll(rows => rows.map(row => getComputedStyle(row, '::after').display))
  expect(await lines, 'no line of a row lies on the ring').toEqual(['block', 'none'])
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(dialog.getByTestId('text')).toContainText('text of the newer one')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: /newer/ }).first()).toBeFocused()
  await page.keyboard.press('c')
  await expect(page.getByText('Email copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(to)
  await page.keyboard.press('?')
  await expect(dialog.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible()
  // While a dialog is open, single keys have no effect behind it.
  await page.keyboard.press('j')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a mail to tags of the address, as Bcc, says for which', async ({ page, sendMail }) => {
  const to = await openHome(page, 'es')
  const [orders, news] = [to.replace('@', '+orders@'), to.replace('@', '+news@')]
  await sendMail({ to: 'customer@shop.test', envelope: { from: 'app@shop.test', to: [orders, news] }, subject: 'Tagged', text: 'x' })
  await sendMail({ to, subject: 'Plain', text: 'x' })
  const [name] = to.split('@')
  await expect(page.getByTestId('for-tag')).toHaveText([`para ${name}+orders, ${name}+news`])
  await page
    .getByRole('button', { name: /Tagged/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Detalles' }).click()
  await expect(dialog.getByRole('note')).toContainText('Entregado a')
  await expect(dialog.getByRole('note')).toContainText(`${orders}, ${news}`)
})

test('with reduced motion an expiring address fades and does not move', { tag: '@long' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openHome(page)
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  const fading = page.locator('[data-fades]')
  await expect(fading).toBeVisible()
  const motion = await fading.evaluate(element => ({
    own: getComputedStyle(element).animationName,
    lasts: getComputedStyle(element).animationDuration,
    letters: [...new Set(Array.from(element.querySelectorAll('span'), letter => getComputedStyle(letter).animationName))],
  }))
  expect(motion).toEqual({ own: 'fade-out', lasts: '2s', letters: ['none'] })
  await expect(page.locator('[data-mailbox=none]')).toBeVisible()
})

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
]) {
  test(`nothing moves while the page and its inbox load, ${viewport.width} px wide`, async ({ page, noise }) => {
    await page.setViewportSize(viewport)
    const shifted = await watchLayoutShifts(page, noise, { hasAddress: true })
    // The skeleton is seen before the list.
    const painted = Promise.withResolvers<void>()
    await page.route('**/api/mailbox/messages', async route => {
      await painted.promise
      await route.continue()
    })
    await page.goto('/?lang=en')
    await expect(page.getByText('Loading the inbox')).toBeAttached()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    painted.resolve()
    await liveAddress(page)
    await page.evaluate(() => new Promise(frame => requestAnimationFrame(() => requestAnimationFrame(frame))))
    expect(await shifted()).toBeLessThan(0.01)
  })
}

test('no mark of a row that passes beneath the head of a scrolled inbox is seen beside it', async ({ page, sendMail }) => {
  await page.setViewportSize({ width: 375, height: 500 })
  const to = await openHome(page)
  for (let n = 0; n < 8; n++) await sendMail({ to, subject: `Mail ${n}`, text: 'Hello' })
  await expect(page.locator('[data-message]')).toHaveCount(8)
  const dot = page.locator('[data-message] .unread-dot').nth(3)
  await expect(dot).toBeAttached()
  const isCovered = await dot.evaluate(mark => {
    scrollBy({ top: mark.getBoundingClientRect().top - 20, behavior: 'instant' })
    const { left, top, width, height } = mark.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('#inbox > header') !== null
  })
  expect(isCovered).toBe(true)
})

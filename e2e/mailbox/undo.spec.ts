/** Nothing is lost by one press: undo, links that ask first, and toasts that can be reached. */
import { NEW_ADDRESSES } from '#contract/limits.ts'
import { expect, test, WITH_MOTION, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'

test.use(WITH_MOTION)

test('a new address, a deletion and a deleted mail can be undone', async ({ page, sendMail }) => {
  await page.goto('/?lang=es')
  const address = await addressOn(page)
  await sendMail(mailTo(address))
  const row = page.locator('[data-message]')
  await expect(row).toHaveCount(1)
  const undo = page.getByRole('button', { name: 'Deshacer' })

  await row.hover()
  await row.getByRole('button', { name: /Borrar mensaje/ }).click()
  await expect(row).toHaveCount(0)
  await undo.click()
  await expect(row).toHaveCount(1)

  await page.getByRole('button', { name: 'Generar nueva' }).click()
  await expect.poll(() => addressOn(page)).not.toBe(address)
  await undo.click()
  await expect.poll(() => addressOn(page)).toBe(address)
  await expect(row).toHaveCount(1)

  await page.getByRole('button', { name: 'Borrar dirección' }).click()
  await expect(page.locator('[data-mailbox=deleting]')).toBeVisible()
  await page.keyboard.press('u')
  await expect.poll(() => addressOn(page)).toBe(address)

  // What was undone is as alive on the server as before.
  await page.reload()
  expect(await addressOn(page)).toBe(address)
  await expect(row).toHaveCount(1)
  await sendMail({ to: address, subject: 'Still here', text: 'x' })
  await expect(row).toHaveCount(2)
})

test('a pointer on the toast holds its time, and an address that is being deleted looks it', async ({ page, sendMail }) => {
  await page.clock.install()
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await sendMail(mailTo(address))
  await page.locator('[data-message]').getByRole('button').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  // On the page, since a press may scroll it.
  const inboxTop = () => page.locator('#inbox-title').evaluate(title => Math.round(title.getBoundingClientRect().top + scrollY))
  const sunLeft = () => page.locator('[data-light]').evaluate(sky => getComputedStyle(sky).getPropertyValue('--left'))
  const top = await inboxTop()
  await page.getByRole('button', { name: 'Delete address' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.hover()
  const shown = await page.locator('[data-phase]').first().innerText()
  expect(shown, 'no time that does not run').not.toMatch(/\d/)
  expect(await sunLeft(), 'no sun and no burning line').toBe('0')
  expect(await inboxTop(), 'nothing jumps').toBe(top)
  await page.clock.runFor(20_000)
  expect(await page.locator('[data-phase]').first().innerText(), 'the clock stands still').toBe(shown)
  await expect(page.locator('[data-mailbox=deleting]')).toBeVisible()
  // A line does not reach into the blocks that an address wraps at: each has its own.
  const struck = page.locator('[data-mailbox=deleting] .card-body span.inline-block').first()
  await expect(struck).toHaveCSS('text-decoration-line', 'line-through')
  const open = page.locator('[data-message]').getByRole('button').first()
  await expect(open).toHaveAccessibleDescription('This address is being deleted, so its mail does not open. Undo keeps both.')
  await open.click({ force: true })
  expect(await page.evaluate(() => location.hash)).toBe('')
  await undo.click()
  await expect.poll(() => addressOn(page)).toBe(address)
  expect(Number(await sunLeft()), 'it is up again').toBeGreaterThan(0.5)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(open).toHaveAccessibleDescription('')
  await expect(page.getByText('Undo keeps both.')).toHaveCount(0)
})

test('Undo is two presses of Tab away at most, names its key, and gives the focus back', async ({ page }) => {
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await page.getByRole('button', { name: 'Delete address' }).focus()
  await page.keyboard.press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toHaveAttribute('aria-keyshortcuts', 'u')
  await expect(undo.locator('span')).toHaveText('u')
  const generate = page.getByRole('button', { name: 'Generate new' })
  await expect(generate).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(undo).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(generate, 'behind the toast is where the focus was').toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(undo, 'it leads into the toast once').not.toBeFocused()
  await undo.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOn(page)).toBe(address)
})

test('leaving the page carries out a deletion that could still be undone', async ({ page, sendMail }) => {
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await page.getByRole('button', { name: 'Delete address' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  // Within the site: for a page elsewhere the browser gives this one half a second in the background, which a busy machine may not have.
  await page.goto('/healthz')
  await expect.poll(() => sendMail(mailTo(address)).catch(String)).toMatch(/550/)
})

test.describe('with the service worker', () => {
  test.use(WITH_SERVICE_WORKER)

  test('an address that is deleted without a network is deleted at the server once there is one', async ({
    page,
    context,
    sendMail,
    noise,
  }) => {
    noise.allow(
      /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ProblemError|Failed to fetch|NetworkError when attempting|error loading dynamically imported module/,
    )
    await page.goto('/?lang=en')
    const address = await addressOn(page)
    // It keeps the code of the deletion, which is fetched with the first press.
    await page.evaluate(() => navigator.serviceWorker.ready)
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Delete address' }).click()
    await expect(page.locator('[data-mailbox=none]')).toBeVisible()
    await sendMail(mailTo(address))
    await context.setOffline(false)
    await expect.poll(() => sendMail(mailTo(address, 'Later')).catch(String)).toMatch(/550/)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mayfly.deletions')), 'nothing is owed').toBeNull()
  })
})

test('holding g creates one new address', async ({ page }) => {
  await page.goto('/?lang=en')
  const before = await addressOn(page)
  // Playwright repeats a key that is pressed down again without being let go.
  for (let i = 0; i < 20; i++) await page.keyboard.down('g')
  await page.keyboard.up('g')
  await expect.poll(() => addressOn(page)).not.toBe(before)
  await expect(page.getByText(`${NEW_ADDRESSES.max - 2} new addresses left`)).toBeVisible()
})

test('a toast is above the open dialog and can be closed there', { tag: '@long' }, async ({ page, sendMail, noise }) => {
  noise.allow(/favicon/)
  await page.goto('/?lang=en')
  await sendMail(mailTo(await addressOn(page)))
  await page.locator('[data-message]').getByRole('button', { name: /Open/ }).click()
  await page.route('**/attachments/*/link', route => route.fulfill({ json: { url: '/robots.txt' } }))
  await page.getByRole('dialog').getByRole('button', { name: 'Download résumé.bin' }).click()
  const toast = page.locator('[data-toast]').filter({ hasText: 'Download started' })
  await expect(toast).toBeVisible()
  expect(
    await toast.evaluate(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }),
    'nothing lies over it',
  ).toBe(true)
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast).toHaveCount(0)
  await expect(page.getByRole('dialog').getByTestId('time-left')).toContainText(/Time left 00:0\d:\d\d/)
})

test('a toast covers no mail of a long inbox that is scrolled', { tag: '@long' }, async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  for (let n = 0; n < 12; n++) await sendMail({ to, subject: `Mail ${n}`, text: `Your code is 48151${n % 10}.` })
  const rows = page.locator('[data-message]')
  await expect(rows).toHaveCount(12)
  await rows.nth(9).scrollIntoViewIfNeeded()
  await rows.nth(9).hover()
  const deleteMail = () => rows.nth(9).getByRole('button', { name: 'Delete message' }).click()
  const copyNewest = () => page.keyboard.press('x')
  for (const [bringToast, title] of [
    [deleteMail, 'Deleting this message'],
    [copyNewest, 'Copied'],
  ] as const) {
    await bringToast()
    const toast = page.locator('[data-toast]').filter({ hasText: title })
    await expect(toast).toBeVisible()
    await page.evaluate(() => {
      // All but the line of the time left, which ends with the toast.
      const moving = document
        .getAnimations()
        .filter(animation => !(animation instanceof CSSAnimation && animation.animationName === 'burn'))
      return Promise.all(moving.map(animation => animation.finished.catch(() => undefined)))
    })
    const covered = await toast.evaluate(element => {
      const { bottom } = element.getBoundingClientRect()
      const head = document.querySelector('#inbox header')?.getBoundingClientRect()
      return { toastBottom: bottom, headTop: head?.top ?? 0, headBottom: head?.bottom ?? 0 }
    })
    expect(covered.headTop).toBeLessThanOrEqual(0.5)
    expect(covered.toastBottom).toBeLessThanOrEqual(covered.headBottom + 0.5)
  }
})

test('the next address does not open the mail of the previous one', async ({ page, sendMail, noise }) => {
  noise.allow(/404/)
  await page.goto('/?lang=en')
  const address = await addressOn(page)
  await sendMail(mailTo(address))
  await page.locator('[data-message]').getByRole('button', { name: /Open/ }).click()
  await expect(page).toHaveURL(/#message-/)
  await page.evaluate(() => localStorage.removeItem('mayfly.mailbox'))
  await page.reload()
  await expect.poll(() => addressOn(page)).not.toBe(address)
  await expect(page).not.toHaveURL(/#message-/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a truncated fragment breaks nothing', async ({ page }) => {
  await page.goto('/?lang=en#message-%E0%A4%A')
  expect(await addressOn(page)).toMatch(/@/)
})

test('opening a hand-off link asks first, keeps both addresses, and clears the address bar', async ({ page, browser, baseURL }) => {
  const phone = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const other = await phone.newPage()
  await other.goto('/?lang=en')
  const linked = await addressOn(other)
  const token = await other.evaluate(() => JSON.parse(localStorage.getItem('mayfly.mailbox') ?? '{}').token)
  await phone.close()

  await page.goto('/?lang=en')
  const here = await addressOn(page)
  await page.evaluate(value => {
    location.hash = `m=${value}`
  }, token)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(here)
  await expect(dialog).toContainText(linked)
  expect(page.url()).not.toContain(token)
  await dialog.getByRole('button', { name: 'Open the inbox from the link' }).click()
  await expect.poll(() => addressOn(page)).toBe(linked)
  const tabs = page.getByRole('tablist', { name: 'Your addresses' })
  await expect(tabs.getByRole('tab', { name: linked, selected: true })).toBeVisible()
  const names = await tabs.getByRole('tab').allTextContents()
  await tabs.getByRole('tab', { name: here, selected: false }).click()
  await expect.poll(() => addressOn(page)).toBe(here)
  await expect(tabs.getByRole('tab'), 'each keeps its place').toHaveText(names)
  await tabs.getByRole('tab', { name: here }).press('ArrowRight')
  await expect.poll(() => addressOn(page)).toBe(linked)
  await expect(tabs.getByRole('tab', { name: linked })).toBeFocused()
})

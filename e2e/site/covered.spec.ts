/**
 * While a toast is up, every control that is in sight can be pressed, and the toast covers nothing that says the same. On a phone it is
 * over the links in the head of the site, which lead elsewhere.
 */
import type { Locator, Page } from '@playwright/test'
import { signIn, test } from '../harness/account-fixtures.ts'
import { expect } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

// The five seconds of a toast are fifty here, so that it is still there when a busy machine comes to measure it.
test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    const { setTimeout } = window
    const longer = (work: () => void, ms = 0) => setTimeout(work, ms > 4000 ? 10 * ms : ms)
    Object.assign(window, { setTimeout: longer })
  }),
)

/** Names of the controls in the window of which a toast covers more than `coveredMax` of nine points, or that no pointer reaches. */
const unreachable = (page: Page, coveredMax: number) =>
  page.evaluate(max => {
    const controls = document.querySelectorAll<HTMLElement>('a[href], button, input, textarea, select, summary')
    return Array.from(controls).flatMap(control => {
      if (
        control.closest(innerWidth < 1024 ? '[data-toasts], header[data-site]' : '[data-toasts]') ||
        !control.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
        return []
      const box = control.getBoundingClientRect()
      // It is for screen readers alone, or beyond the window.
      if (box.width < 4 || box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) return []
      const points = [0.5, 0.2, 0.8].flatMap(across =>
        [0.5, 0.2, 0.8].map(down => [box.left + box.width * across, box.top + box.height * down] as const),
      )
      const isHit = ([x, y]: readonly [number, number]) => {
        const hit = document.elementFromPoint(x, y)
        return hit !== null && (control.contains(hit) || hit.contains(control) || hit.closest('label')?.control === control)
      }
      const isUnderToast = ([x, y]: readonly [number, number]) => document.elementFromPoint(x, y)?.closest('[data-toasts]')
      const isReached = points.some(isHit) && points.filter(isUnderToast).length <= max
      return isReached ? [] : [control.getAttribute('aria-label') ?? control.textContent]
    })
  }, coveredMax)

async function newestToast(page: Page): Promise<Locator> {
  const toast = page.locator('[data-toast]').last()
  await expect(toast).toBeVisible()
  await page.evaluate(() => {
    const moving = document.getAnimations().filter(animation => !(animation instanceof CSSAnimation && animation.animationName === 'burn'))
    return Promise.all(moving.map(animation => animation.finished.catch(() => undefined)))
  })
  return toast
}

async function expectNothingCovered(page: Page, toast: Locator, coveredMax = 0): Promise<void> {
  // It takes its place in the frame after the page has scrolled.
  await expect.poll(() => unreachable(page, coveredMax)).toEqual([])
  const air = await toast.evaluate(element => {
    const whole = element.getBoundingClientRect()
    const range = document.createRange()
    range.selectNodeContents(element.querySelector('p') ?? element)
    const lines = Array.from(range.getClientRects()).filter(({ height }) => height > 0)
    const last = Math.max(...lines.map(({ bottom }) => bottom))
    return { above: Math.min(...lines.map(({ top }) => top)) - whole.top, below: whole.bottom - last }
  })
  expect(Math.abs(air.above - air.below), `as much air above as below: ${JSON.stringify(air)}`).toBeLessThanOrEqual(4)
  // The line of the time left is 2 px high, and below the words.
  expect(air.below).toBeGreaterThanOrEqual(5)
}

async function overlaps(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!a || !b) return false
  return a.y < b.y + b.height && b.y < a.y + a.height && a.x < b.x + b.width && b.x < a.x + a.width
}

for (const viewport of [
  { width: 375, height: 667 },
  { width: 1280, height: 720 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('toasts of the address and its mail', async ({ page, sendMail }) => {
      const { mailbox } = await loadWords('en')
      await page.goto('/?lang=en')
      const address = await addressOn(page)
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
      const expectFree = async (coveredMax?: number) => expectNothingCovered(page, await newestToast(page), coveredMax)
      await press(mailbox.copy)
      await expectFree()
      await sendMail(mailTo(address))
      await expect(page.locator('[data-message]')).toHaveCount(1)
      await press(mailbox.another)
      await expect(page.getByRole('tab')).toHaveCount(2)
      await expectFree()
      await press(mailbox.generate)
      await expect.poll(() => addressOn(page)).not.toBe(address)
      await expectFree()
      await press(mailbox.delete)
      await expectFree()
      await press('Undo')
      const shown = await addressOn(page)
      for (let n = 0; n < 8; n++) await sendMail({ ...mailTo(shown), subject: `Mail ${n}` })
      await expect(page.locator('[data-message]')).toHaveCount(8)
      await page.locator('#inbox').evaluate(inbox => inbox.scrollIntoView({ behavior: 'instant' }))
      await page.keyboard.press('c')
      // On a phone the rows leave no band free: of one of them the larger part is covered.
      await expectFree(viewport.width < 1000 ? 6 : 0)
    })

    test('without a network no toast lies over the sentence that says so', async ({ page, context, noise }) => {
      noise.allow(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/)
      const { mailbox, layout } = await loadWords('en')
      await page.goto('/?lang=en')
      await addressOn(page)
      await page.getByRole('button', { name: mailbox.copy, exact: true }).click()
      await (await newestToast(page)).getByRole('button').click()
      await context.setOffline(true)
      await page.keyboard.press('c')
      expect(await overlaps(await newestToast(page), page.getByText(layout.offline))).toBe(false)
      await context.setOffline(false)
    })

    test('the toast of the limit, beside the time on the button', async ({ page, noise }) => {
      noise.allow(/429/)
      const { mailbox } = await loadWords('en')
      await page.goto('/?lang=en')
      await addressOn(page)
      await page.route('**/api/mailboxes', route =>
        route.fulfill({
          status: 429,
          json: { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', retryAfterSeconds: 290 },
        }),
      )
      const generate = page.getByRole('button', { name: mailbox.generate, exact: true })
      const colour = () => generate.evaluate(button => getComputedStyle(button).color)
      const ready = await colour()
      await generate.click()
      const toast = await newestToast(page)
      await expect(toast).toHaveAttribute('data-toast', 'destructive')
      await expectNothingCovered(page, toast)
      expect(await overlaps(toast, page.getByText(mailbox.security.reached))).toBe(false)
      await expect(generate.locator('.figures')).toBeVisible()
      expect(await colour(), 'it looks as if it waits').not.toBe(ready)
    })

    test('toasts of forms', async ({ page, noise }) => {
      noise.allow(/401/, /500/)
      const { auth, contact } = await loadWords('en')
      await page.goto('/auth?lang=en')
      const submit = page.getByRole('button', { name: auth.signIn, exact: true })
      await expect(submit).toBeEnabled()
      await page.getByLabel(auth.email).fill('nobody@example.com')
      await page.getByLabel(auth.password, { exact: true }).fill('wrong-password')
      await submit.click()
      const toast = await newestToast(page)
      await expect(toast).toContainText(auth.signInFailed)
      await expectNothingCovered(page, toast)

      await page.route('**/api/contact', route => route.fulfill({ status: 500, body: '' }))
      await page.goto('/contact?lang=en')
      const send = page.getByRole('button', { name: contact.send, exact: true })
      await expect(send).toBeEnabled()
      for (const [label, text] of [
        [contact.name, 'Ada Lovelace'],
        [contact.email, 'ada@example.com'],
        [contact.subject, 'A question'],
        [contact.message, 'What is it that flies in May?'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(text)
      await send.click()
      const failed = await newestToast(page)
      await expect(failed).toContainText(contact.failed)
      await expectNothingCovered(page, failed)
    })
  })
}

for (const width of [1024, 1280]) {
  test.describe(`at ${width} px, in Spanish, signed in, with a live address`, () => {
    test.use({ viewport: { width, height: 720 } })

    test('long toasts cover no control either', async ({ page, noise, newAccount }) => {
      noise.allow(/40[0134]/)
      const { inbox, account } = await loadWords('es')
      await signIn(page, await newAccount(`long-toasts-${width}@example.com`, 'es'))
      await expect(page).toHaveURL('/')
      await page.goto('/?lang=es')
      await addressOn(page)
      await page.getByRole('button', { name: inbox.notifyBlocked }).click()
      const toast = await newestToast(page)
      await expect(toast).toContainText(inbox.notifyUnblock)
      await expectNothingCovered(page, toast)
      expect(await overlaps(toast, page.getByRole('heading', { level: 1 }))).toBe(false)

      await page.goto('/account?lang=es')
      await expect(page.getByTestId('live-address')).toBeVisible()
      await page.getByRole('button', { name: account.changePasswordButton, exact: true }).click()
      await page.getByLabel(account.currentPassword).fill('wrong-password')
      await page.getByLabel(account.newPassword).fill('another-password')
      await page.getByRole('button', { name: account.changePasswordButton, exact: true }).click()
      await expectNothingCovered(page, await newestToast(page))
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      await expectNothingCovered(page, await newestToast(page))
    })

    test('a long name of the site pushes no toast out of sight', async ({ page, noise }) => {
      noise.allow(/401/)
      const { auth } = await loadWords('es')
      await page.goto('/auth?lang=es')
      await untilAlive(page)
      const name = page.locator('header[data-site] > a')
      await name.evaluate(link => link.append(' of the Royal Society for the Protection of Short-Lived Insects'))
      await page.getByLabel(auth.email).fill('nobody@example.com')
      await page.getByLabel(auth.password, { exact: true }).fill('wrong-password')
      await page.keyboard.press('Enter')
      const toast = await newestToast(page)
      const box = await toast.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width)
      await expectNothingCovered(page, toast)
    })
  })
}

for (const viewport of [
  { width: 1280, height: 720 },
  { width: 375, height: 667 },
  { width: 360, height: 640 },
]) {
  test.describe(`on every page at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('a toast is at the same place, on a wide screen in a scrolled inbox too', async ({ page, sendMail, noise, newAccount }) => {
      noise.allow(/401/)
      const { mailbox, auth, account } = await loadWords('en')
      const places: (string | undefined)[] = []
      const note = async () => {
        const box = await (await newestToast(page)).boundingBox()
        places.push(box ? `${box.x} ${box.y} ${box.width}` : undefined)
        await page.getByRole('button', { name: 'Dismiss' }).last().click()
      }
      await page.goto('/?lang=en')
      const to = await addressOn(page)
      for (let n = 0; n < 12; n++) await sendMail({ to, subject: `Mail ${n}`, text: 'Hello' })
      await expect(page.locator('[data-message]')).toHaveCount(12)
      await page.getByRole('button', { name: mailbox.copy, exact: true }).click()
      await note()
      if (viewport.width > 1000) {
        await page.locator('#inbox').evaluate(inbox => inbox.scrollIntoView({ behavior: 'instant' }))
        await page.keyboard.press('c')
        await note()
      }
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      await page.getByRole('button', { name: mailbox.generate, exact: true }).click()
      await note()
      await page.goto('/auth?lang=en')
      await page.getByLabel(auth.email).fill('nobody@example.com')
      await page.getByLabel(auth.password, { exact: true }).fill('wrong-password')
      await page.keyboard.press('Enter')
      await note()
      const email = await newAccount(`same-place-${viewport.width}@example.com`)
      await signIn(page, email)
      await expect(page).toHaveURL('/')
      await note()
      if (viewport.width > 1000) {
        await page.goto('/account?lang=en')
        await page.getByRole('button', { name: account.create, exact: true }).click()
        await note()
      }
      expect(new Set(places).size, places.join(', ')).toBe(1)
    })
  })
}

for (const height of [667, 915])
  test.describe(`where a part of the window of ${height} px is out of sight, as behind a keyboard`, () => {
    test.use({ viewport: { width: 375, height }, isMobile: true, hasTouch: true })

    test('the toast of a form is in the part that is seen', async ({ page, noise }) => {
      noise.allow(/401/)
      const { auth } = await loadWords('en')
      await page.goto('/auth?lang=en')
      await expect(page.getByRole('button', { name: auth.signIn, exact: true })).toBeEnabled()
      await page.getByLabel(auth.email).fill('nobody@example.com')
      await page.getByLabel(auth.password, { exact: true }).fill('wrong-password')
      const browser = await page.context().newCDPSession(page)
      await browser.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1.2 })
      await expect.poll(() => page.evaluate(() => innerHeight - (visualViewport?.height ?? 0))).toBeGreaterThan(100)
      await page.keyboard.press('Enter')
      const toast = await newestToast(page)
      await expect(toast).toContainText(auth.signInFailed)
      const below = () =>
        toast.evaluate(element => {
          const sight = visualViewport ?? { offsetTop: 0, height: Number.NaN }
          return element.getBoundingClientRect().bottom - sight.offsetTop - sight.height
        })
      await expect.poll(below).toBeLessThanOrEqual(0)
    })
  })

/** New mail whose row is outside the screen: a pill at the lower edge offers its code, or the way to it. */
import type { Page } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'

// The inbox begins below the screen.
test.use({ viewport: { width: 1280, height: 360 } })

const rows = (page: Page) => page.locator('[data-message]')
const inBar = (page: Page, name: string | RegExp) => page.locator('.arrival').getByRole('button', { name })

test('a code that arrives out of view can be copied from the pill, which is then gone', async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail({ to, subject: 'Your sign-in code', text: 'Your verification code is 481516.' })
  const pill = inBar(page, '481 516 Copy code')
  await expect(pill).toBeInViewport({ ratio: 1 })
  await pill.click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('481516')
  await expect(inBar(page, '481 516 Copied')).toBeVisible()
  await expect(inBar(page, /^481 516 /)).toHaveCount(0)
})

test('a code that arrives right after another was copied is offered, and not called copied', async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail({ to, subject: 'The first', text: 'Your verification code is 111222.' })
  const first = inBar(page, '111 222 Copy code')
  await expect(first).toBeInViewport({ ratio: 1 })
  // The two seconds in which the pill says that it was copied pass when the test says so.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)
  await first.click()
  await expect(inBar(page, '111 222 Copied')).toBeVisible()
  await sendMail({ to, subject: 'The second', text: 'Your verification code is 333444.' })
  const second = inBar(page, '333 444 Copy code')
  await expect(second).toBeInViewport({ ratio: 1 })
  await page.clock.runFor(3000)
  await expect(second).toBeInViewport({ ratio: 1 })
  await second.click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('333444')
})

for (const [width, height] of [
  [320, 568],
  [375, 480],
  [375, 620],
  [640, 360],
  [768, 700],
  [667, 375],
  [844, 390],
  [853, 480],
  [1280, 480],
  [1280, 568],
] as const) {
  test(`a code whose button is out of view is offered, and no control is half covered, at ${width} × ${height}`, {
    tag: width === 375 && height === 620 ? [] : '@long',
  }, async ({ page, sendMail }) => {
    await page.setViewportSize({ width, height })
    // The longest label of the bell; whether the browser itself blocks notifications depends on how it is built.
    await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
    await page.goto('/?lang=es')
    const to = await addressOn(page)
    await expect(page.getByTestId('connection-state')).toHaveText('Conectado')
    await sendMail({ to, subject: 'Your sign-in code', text: 'Your verification code is 481516.' })
    await expect(rows(page)).toHaveCount(1)
    const offer = inBar(page, '481 516 Copiar código')
    await expect(offer).toBeInViewport({ ratio: 1 })
    const covered = await offer.evaluate(element => {
      const box = element.getBoundingClientRect()
      const bar = element.parentElement?.getBoundingClientRect()
      const isBar = bar !== undefined && bar.left === 0 && bar.right === innerWidth && bar.bottom === innerHeight && innerWidth < 1024
      const others = document.querySelectorAll<HTMLElement>('[data-mailbox] button, #inbox > header button')
      return [...others].flatMap(other => {
        const { left, right, top, bottom } = other.getBoundingClientRect()
        // A bar across the screen is its edge: what is below it is reached as what is below any screen.
        if (isBar || right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom) return []
        return [other.innerText || other.ariaLabel]
      })
    })
    expect(covered).toEqual([])
    for (const name of ['Borrar dirección', 'Los avisos están bloqueados']) {
      const control = page.getByRole('button', { name })
      await control.focus()
      const isSeen = () =>
        control.evaluate(element => {
          const { x, y, width: wide, height: high } = element.getBoundingClientRect()
          return [0, high - 1].every(at => element.contains(document.elementFromPoint(x + wide / 2, y + at)))
        })
      await expect.poll(isSeen, `${name}, with the focus, is in sight`).toBe(true)
    }
  })
}

test('mail without a code is counted, a press scrolls to it, and what was seen is not announced again', async ({ page, sendMail }) => {
  await page.goto('/?lang=es')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Conectado')
  await sendMail({ to, subject: 'The first', text: 'See you tomorrow.' })
  await expect(page.getByRole('button', { name: '1 mensaje nuevo' })).toBeInViewport({ ratio: 1 })
  await sendMail({ to, subject: 'The second', text: 'See you tomorrow.' })
  const pill = page.getByRole('button', { name: '2 mensajes nuevos' })
  await pill.click()
  await expect(rows(page).first()).toBeInViewport({ ratio: 1 })
  await expect(pill).toHaveCount(0)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect(rows(page).first()).not.toBeInViewport()
  await expect(page.getByRole('button', { name: /mensajes? nuevos?$/ })).toHaveCount(0)
})

test('a code that something late pushes off the screen is offered', async ({ page, sendMail }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.clock.install()
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail({ to, subject: 'Your sign-in code', text: 'Your verification code is 481516.' })
  await expect(rows(page).getByRole('button', { name: '481 516 Copy code' })).toBeInViewport({ ratio: 1 })
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await page.clock.runFor(5000)
  await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('div'), { style: 'height: 900px' })))
  await expect(inBar(page, '481 516 Copy code')).toBeInViewport({ ratio: 1 })
})

test('a mail whose row is on the screen needs no pill', async ({ page, sendMail }) => {
  await page.setViewportSize({ width: 1366, height: 625 })
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  await sendMail({ to, subject: 'A note', text: 'See you tomorrow.' })
  // At the top of the page, on a laptop's screen without the bars of its browser.
  await expect(rows(page).first()).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(page.getByRole('button', { name: '1 new message' })).toHaveCount(0)
})

test('many mails in one piece of the stream are shown', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  const COUNT = 120
  const message = (n: number) => ({
    id: `of-many-${n}`,
    subject: `Of many ${n}`,
    from: { name: 'Ann', address: 'ann@sender.test' },
    envelopeTo: [],
    receivedAt: new Date().toISOString(),
    preview: `${n}`,
    size: 1000,
    cursor: `${n + 1}`,
    attachments: [],
    attachmentCount: 0,
    codes: [],
    parseStatus: 'ok',
    verdict: 'unknown',
    verdictReason: 'unverified',
  })
  const lines = (event: object) => `data: ${JSON.stringify(event)}\n\n`
  const messages = Array.from({ length: COUNT }, (_, n) => lines({ type: 'message', message: message(n) }))
  // The first mail brings the pill. The third stream stays silent, so that no list replaces what the others said.
  const streams = [`${messages[0]}${lines({ type: 'reconnect', afterMs: 1500 })}`, messages.slice(1).join('')]
  await page.route('**/api/mailbox/events', async route => {
    const body = streams.shift()
    if (body !== undefined) await route.fulfill({ contentType: 'text/event-stream', body })
  })
  await page.goto('/?lang=en')
  await addressOn(page)
  // React gives up a page that has to be drawn again fifty times in a row.
  await expect(rows(page)).toHaveCount(COUNT)
})

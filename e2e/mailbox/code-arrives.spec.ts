/**
 * The errand the site is for: a code from a mail into a form somewhere else. How long it takes, and what those hear and see who do not look
 * at it as drawn.
 */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../harness/checks.ts'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'

const codeMail = (to: string) => ({ to, subject: 'Your sign-in code', text: 'Your verification code is 481516. It works for ten minutes.' })

async function withCode(page: Page, sendMail: (mail: object) => Promise<void>): Promise<void> {
  await page.goto('/?lang=en')
  await sendMail(codeMail(await addressOn(page)))
  await expect(page.getByRole('button', { name: '481 516 Copy code' })).toBeVisible()
}

for (const viewport of [
  { width: 375, height: 667 },
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
]) {
  test(`one press copies the code, which is on the screen a moment after the mail was taken, at ${viewport.width} px`, async ({
    page,
    context,
    sendMail,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize(viewport)
    await page.goto('/?lang=en')
    const to = await addressOn(page)
    await expect(page.getByTestId('connection-state')).toHaveText('Live')
    const button = page.getByRole('button', { name: '481 516 Copy code' })
    const copyAddress = page.getByRole('button', { name: 'Copy address' })
    const before = await copyAddress.boundingBox()
    const sentAt = performance.now()
    const shown = button.waitFor().then(() => performance.now() - sentAt)
    await sendMail(codeMail(to))
    const seconds = (await shown) / 1000
    // For people: what it takes is measured by `npm run lab -- bench --only screen`.
    test.info().annotations.push({ type: 'mail to code on the screen', description: `${seconds.toFixed(2)} s` })
    // Without scrolling, and by one press.
    await expect(button).toBeInViewport({ ratio: 1 })
    await button.click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('481516')
    // It stands beside the address too, and has moved nothing there.
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Newest code 481 516' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('481516')
    expect(await copyAddress.boundingBox()).toEqual(before)
  })
}

for (const [zoom, viewport] of [
  ['200 %', { width: 640, height: 360 }],
  ['400 %', { width: 320, height: 256 }],
] as const) {
  test(`at ${zoom} of a laptop's screen axe finds nothing, and address and code can be copied`, { tag: '@long' }, async ({
    page,
    sendMail,
  }) => {
    await page.setViewportSize(viewport)
    await withCode(page, sendMail)
    await expectAccessible(page)
    for (const name of ['Copy address', '481 516 Copy code']) {
      const button = page.getByRole('button', { name, exact: true }).first()
      await button.scrollIntoViewIfNeeded()
      await expect(button).toBeInViewport({ ratio: 1 })
      const isOnTop = await button.evaluate(element => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })
      expect(isOnTop, name).toBe(true)
    }
  })
}

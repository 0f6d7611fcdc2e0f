/** A second address beside the first, without an account, made on purpose. */

import type { Page } from '@playwright/test'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { signIn, test } from '../harness/account-fixtures.ts'
import { expectAccessible, expectRoomForFingers } from '../harness/checks.ts'
import { expect, quickInEnglish } from '../harness/fixtures.ts'
import { addressOn, mailTo, waiveUndo } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 375, height: 740 } })

// The page asks for nothing by itself: what it tells of the other address, the stream of the shown one has told.
test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    const { setTimeout, setInterval } = window
    Object.assign(window, {
      setTimeout: (run: TimerHandler, ms = 0) => (ms < 10_000 ? setTimeout(run, ms) : 0),
      setInterval: (run: TimerHandler, ms = 0) => (ms < 10_000 ? setInterval(run, ms) : 0),
    })
  }),
)

async function openTwo(page: Page, language: Language = 'en') {
  const { mailbox, mailboxDialogs } = await loadWords(language)
  await page.goto(`/?lang=${language}`)
  const first = await addressOn(page)
  const another = page.getByRole('button', { name: mailbox.another })
  await another.click()
  const tabs = page.getByRole('tablist', { name: mailboxDialogs.tabs })
  await expect(tabs.getByRole('tab')).toHaveCount(2)
  await expect(tabs.getByRole('tab', { name: first, selected: false })).toBeVisible()
  const second = await addressOn(page)
  return { first, second, tabs, another }
}

test('a second one that is made on a scrolled phone comes into sight', async ({ page, sendMail }) => {
  const { mailbox } = await loadWords('en')
  await page.setViewportSize({ width: 375, height: 560 })
  await page.goto('/?lang=en')
  const first = await addressOn(page)
  for (let mails = 0; mails < 4; mails++) await sendMail(mailTo(first))
  await expect(page.locator('[data-message]')).toHaveCount(4)
  const another = page.getByRole('button', { name: mailbox.another })
  await another.evaluate(button => scrollBy({ top: button.getBoundingClientRect().top - 10, behavior: 'instant' }))
  await expect(page.getByTestId('address')).not.toBeInViewport()
  await another.click()
  await expect(page.getByRole('tab')).toHaveCount(2)
  await expect(page.getByTestId('address')).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('tablist')).toBeInViewport({ ratio: 1 })
})

for (const height of [700, 800, 900])
  test(`with two of them no wing is cut by the upper edge of the card (1280 × ${height})`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height })
    await openTwo(page)
    const wings = await page.locator('.sky-mayfly').boundingBox()
    const card = await page.locator('[data-mailbox]').boundingBox()
    expect(wings?.y ?? 0).toBeGreaterThanOrEqual(card?.y ?? Number.POSITIVE_INFINITY)
  })

for (const language of LANGUAGES) {
  test(
    `mail at the one that is not shown is seen on its tab and in the title (${language})`,
    quickInEnglish(language),
    async ({ page, sendMail, browserName }) => {
      const { inbox } = await loadWords(language)
      const { first, tabs, another } = await openTwo(page, language)
      await expect(another, 'two are the most').toHaveCount(0)
      await expect(tabs.getByRole('tab').last(), 'the new one is on the right').toHaveAttribute('aria-selected', 'true')
      await sendMail(mailTo(first))
      await expect(tabs.getByRole('tab', { name: first })).toContainText(inbox.newMails({ count: 1 }))
      await expect(page).toHaveTitle(/^\(\+1\) /)
      await expect(page.locator('[data-message]')).toHaveCount(0)
      await expectAccessible(page)
      // Fingers are Chromium's.
      if (browserName === 'chromium') await expectRoomForFingers(page)
      await tabs.getByRole('tab', { name: first }).click()
      await expect.poll(() => addressOn(page)).toBe(first)
      await expect(page.locator('[data-message]')).toHaveCount(1)
      await expect(page).not.toHaveTitle(/\(\+1\)/)
    },
  )
}

for (const language of LANGUAGES) {
  test(
    `a code at the one that is not shown is offered with its address, and nothing moves (${language})`,
    quickInEnglish(language),
    async ({ page, context, browserName, sendMail }) => {
      if (browserName === 'chromium') await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const { inbox } = await loadWords(language)
      const { first, second } = await openTwo(page, language)
      const code = page.locator('[data-code]')
      const headings = () => page.locator('#inbox h2').boundingBox()
      for (const [index, viewport] of [
        { width: 375, height: 740 },
        { width: 1280, height: 720 },
      ].entries()) {
        await page.setViewportSize(viewport)
        await expect(page.locator('[data-toast]')).toHaveCount(0)
        const before = await headings()
        await sendMail({ to: first, subject: 'Sign in', text: `Your verification code is 48151${index}.` })
        await expect(code).toHaveAccessibleName(`481 51${index} ${first} ${inbox.copyThisCode}`)
        await expect(code).toBeInViewport({ ratio: 1 })
        const isWhole = (button: Element) => {
          const { left, top, bottom } = button.getBoundingClientRect()
          return [top + 2, bottom - 2].every(y => button.contains(document.elementFromPoint(left + 20, y)))
        }
        expect(await code.evaluate(isWhole), 'nothing lies over it').toBe(true)
        expect(await headings()).toEqual(before)
        await expectAccessible(page)
        if (browserName === 'chromium') await expectRoomForFingers(page)
        await code.click()
        if (browserName === 'chromium') expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`48151${index}`)
        await expect(code, 'copied, it goes').toHaveCount(0)
        expect(await addressOn(page), 'the press is no press of the tab').toBe(second)
      }
    },
  )
}

test('a code that was copied by keyboard leaves the focus on the address, and is not offered again after a switch', async ({
  page,
  context,
  browserName,
  sendMail,
}) => {
  if (browserName === 'chromium') await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { first, second, tabs } = await openTwo(page)
  await sendMail({ to: first, subject: 'Sign in', text: 'Your verification code is 481516.' })
  const code = page.getByRole('button', { name: `481 516 ${first} Copy code` })
  await expect(code).toBeVisible({ timeout: 30_000 })
  await code.press('Enter')
  await expect(page.locator('[data-code]')).toHaveCount(0)
  await expect(page.locator('[data-mailbox] :focus').getByTestId('address')).toBeVisible()
  for (const email of [first, second]) {
    await tabs.getByRole('tab', { name: email }).click()
    await expect.poll(() => addressOn(page)).toBe(email)
  }
  // Its mail is not opened, and has been asked for again.
  await expect(page).toHaveTitle(/^\(\+1\) /)
  await expect(page.locator('[data-code]')).toHaveCount(0)
})

test('a code that came to both addresses is offered once', async ({ page, sendMail }) => {
  const { first, second } = await openTwo(page)
  const codeMail = { subject: 'Sign in', text: 'Your verification code is 481516.' }
  await sendMail({ ...codeMail, to: first })
  const elsewhere = page.getByRole('button', { name: `481 516 ${first} Copy code` })
  await expect(elsewhere).toBeVisible({ timeout: 30_000 })
  await sendMail({ ...codeMail, to: second })
  await expect(page.locator('[data-message] [data-code]')).toHaveCount(1)
  await expect(elsewhere).toHaveCount(0)
})

test('after signing in, mail at the own second address is told as before', async ({ page, sendMail, newAccount }) => {
  const { first, second, tabs } = await openTwo(page)
  await signIn(page, await newAccount('two-and-an-account@example.com'))
  await expect(page.getByRole('region', { name: 'Your addresses' })).toBeVisible()
  expect(await addressOn(page)).toBe(second)
  await expect(tabs.getByRole('tab', { name: first, selected: false })).toBeVisible()
  await sendMail({ to: first, subject: 'Sign in', text: 'Your verification code is 481516.' })
  await expect(page.getByRole('button', { name: `481 516 ${first} Copy code` })).toBeVisible({ timeout: 30_000 })
  await expect(page).toHaveTitle(/^\(\+1\) /)
})

test('a code that waits is told to screen readers, and hides no word about the limit', async ({ page, sendMail, noise }) => {
  noise.allow(/429/)
  const { first } = await openTwo(page)
  const strip = page.getByRole('region', { name: 'Security status' })
  const live = strip.locator('[aria-live=polite]')
  await expect(live).toHaveText('')
  await sendMail({ to: first, subject: 'Sign in', text: 'Your verification code is 481516.' })
  await expect(live).toContainText(`481 516 ${first}`)
  await page.route('**/api/mailboxes', route =>
    route.fulfill({
      status: 429,
      json: { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', retryAfterSeconds: 290 },
    }),
  )
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect(strip.getByText('Rate limit reached')).toBeVisible()
  await expect(live).toHaveText('')
})

test('while another address is awaited, no tab looks or is pressable', async ({ page }) => {
  const { first, second, tabs } = await openTwo(page)
  const asked = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  await page.route('**/api/mailboxes', async route => {
    asked.resolve()
    await letGo.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Generate new' }).click()
  await asked.promise
  const tab = tabs.getByRole('tab', { name: first })
  await expect(tab).toHaveAttribute('aria-disabled', 'true')
  await tab.click({ force: true })
  letGo.resolve()
  await expect.poll(() => addressOn(page)).not.toBe(second)
  expect(await addressOn(page)).not.toBe(first)
  await expect(tab).toHaveAttribute('aria-disabled', 'false')
})

test('while another tab of the browser has its turn, no tab looks pressable', async ({ page, context }) => {
  const { first, second, tabs } = await openTwo(page)
  const elsewhere = await context.newPage()
  await elsewhere.goto('/privacy')
  await elsewhere.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await new Promise<void>(taken => {
      void navigator.locks.request('mayfly.generate', () => {
        taken()
        return promise
      })
    })
    addEventListener('let-go', () => resolve())
  })
  await page.getByRole('button', { name: 'Generate new' }).click()
  const tab = tabs.getByRole('tab', { name: first })
  await expect(tab).toHaveAttribute('aria-disabled', 'true')
  await tab.click({ force: true })
  expect(await addressOn(page)).toBe(second)
  await elsewhere.evaluate(() => dispatchEvent(new Event('let-go')))
  await expect.poll(() => addressOn(page)).not.toBe(second)
  await expect(tab).toHaveAttribute('aria-disabled', 'false')
})

test('both are there after a reload and in a second tab of the browser, which also tells of mail', async ({ page, context, sendMail }) => {
  const { first, second } = await openTwo(page)
  const elsewhere = await context.newPage()
  for (const each of [page, elsewhere]) {
    await each.goto('/?lang=en')
    expect(await addressOn(each)).toBe(second)
    await expect(each.getByRole('tab', { name: first, selected: false })).toBeVisible()
  }
  for (const next of [first, second, first]) {
    await elsewhere.getByRole('tab', { name: next }).click()
    await expect.poll(() => addressOn(page)).toBe(next)
    await expect(page.getByRole('tab'), 'each once, where another tab of the browser switched').toHaveCount(2)
  }
  await sendMail(mailTo(second))
  for (const each of [page, elsewhere]) await expect(each.getByRole('tab', { name: second })).toContainText('1 new')
})

test('only the address that is shown has a stream, whatever the browser has cleaned up meanwhile', async ({ page, server }) => {
  const { tabs } = await openTwo(page)
  for (let switches = 0; switches < 3; switches++) {
    await expect(page.getByTestId('connection-state')).toHaveText('Live')
    // So much that it collects its garbage.
    await page.evaluate(async () => {
      for (let round = 0; round < 60; round++) {
        Array.from({ length: 20_000 }, (_, n) => ({ n, text: `x${n}` }))
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    })
    const other = await tabs.getByRole('tab', { selected: false }).getAttribute('title')
    await tabs.getByRole('tab', { selected: false }).click()
    await expect.poll(() => addressOn(page)).toBe(other)
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${server.httpPort}/metrics`)).text()
  await expect.poll(metrics).toMatch(/^mayfly_event_streams 1$/m)
})

test('made by keyboard, it has the focus', async ({ page }) => {
  await page.goto('/?lang=en')
  const first = await addressOn(page)
  const another = page.getByRole('button', { name: 'Add a second' })
  await another.press('Enter')
  await expect(page.getByRole('tab')).toHaveCount(2)
  await expect(page.locator('[data-mailbox] :focus').getByTestId('address')).toBeVisible()
  expect(await addressOn(page)).not.toBe(first)
})

test('"Generate new" replaces the one that is shown, which Undo brings back', async ({ page, noise }) => {
  // The stream that is opened anew for the addresses that are left may be that of the one that has just ended.
  noise.allow(/status of 404 \(Not Found\) \(\S+\/api\/mailbox\/events\)$/)
  const { first, second, tabs } = await openTwo(page)
  await page.getByRole('button', { name: 'Generate new' }).click()
  await expect.poll(() => addressOn(page)).not.toBe(second)
  await expect(tabs.getByRole('tab', { name: first, selected: false })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => addressOn(page)).toBe(second)
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  await expect.poll(() => addressOn(page)).toBe(first)
  await expect(tabs).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add a second' })).toBeVisible()
})

test('its tab goes, with a word, when the other one was deleted elsewhere', async ({ page, noise }) => {
  noise.allow(/404/)
  const { tabs, another } = await openTwo(page)
  const status = await page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('mayfly.mailbox.other') ?? '{}')
    return (await fetch('/api/mailbox', { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })).status
  })
  expect(status).toBe(204)
  await expect(page.getByText('The previous address has ended')).toBeVisible({ timeout: 30_000 })
  await expect(tabs).toHaveCount(0)
  await expect(another).toBeVisible()
})

test('at the limit no second one is offered, and a refusal leaves the first alone', async ({ page, noise }) => {
  noise.allow(/429/)
  await page.goto('/?lang=en')
  const first = await addressOn(page)
  await page.route('**/api/mailboxes', route =>
    route.fulfill({
      status: 429,
      json: { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', retryAfterSeconds: 290 },
    }),
  )
  const another = page.getByRole('button', { name: 'Add a second' })
  await another.click()
  await expect(page.getByRole('region', { name: 'Security status' })).toContainText('Rate limit reached')
  await expect(another).toHaveCount(0)
  expect(await addressOn(page)).toBe(first)
  await expect(page.getByRole('tab')).toHaveCount(0)
})

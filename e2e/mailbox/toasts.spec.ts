/** Toasts on a phone: one short line next to the thumb, over nothing that the visitor needs. */
import type { Locator, Page } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, permissions: ['clipboard-read', 'clipboard-write'] })

/** A line of 16 px with the buttons' 44 px. */
const ONE_LINE_PX = 48
/** What a thumb reaches without a change of grip: the lower half of the screen. */
const THUMB_FROM = 0.5

/** The edge of a button is empty. */
const EDGE_PX = 1.5

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return { top: box.y, bottom: box.y + box.height }
}

async function coveredBy(toast: Locator, needed: Record<string, Locator>): Promise<string[]> {
  const { top, bottom } = await boxOf(toast)
  const boxes = await Promise.all(Object.entries(needed).map(async ([name, locator]) => ({ name, ...(await boxOf(locator)) })))
  return boxes.filter(box => box.top < bottom - EDGE_PX && box.bottom > top + EDGE_PX).map(({ name }) => name)
}

async function newestToast(page: Page, title: string): Promise<Locator> {
  const toast = page.locator('[data-toast]').filter({ hasText: title }).last()
  await expect(toast).toBeVisible()
  await page.evaluate(() => Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => undefined))))
  return toast
}

async function expectBriefAndOutOfTheWay(page: Page, toast: Locator, needed: Record<string, Locator>): Promise<void> {
  const { top, bottom } = await boxOf(toast)
  expect(bottom - top).toBeLessThanOrEqual(ONE_LINE_PX)
  const height = page.viewportSize()?.height ?? 0
  expect(top, 'in reach of a thumb').toBeGreaterThan(height * THUMB_FROM)
  expect(bottom).toBeLessThanOrEqual(height)
  expect(await coveredBy(toast, needed), 'what lies under the toast').toEqual([])
}

for (const language of LANGUAGES) {
  test(`toasts take one line and cover neither address nor mail, and have the whole text for screen readers (${language})`, async ({
    page,
    sendMail,
    noise,
  }) => {
    noise.allow(/500/, /ProblemError/)
    const words = await loadWords(language)
    const { mailbox, inbox, notices } = words
    await page.goto(`/?lang=${language}`)
    await sendMail(mailTo(await addressOn(page)))
    const rows = page.locator('[data-message]')
    await expect(rows).toHaveCount(1)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const undo = button(words.layout.undo)
    const page1 = { headline: page.getByRole('heading', { level: 1 }), address: page.getByTestId('address'), row: rows.first() }
    const live = { ...page1, copy: button(mailbox.copy), remove: button(mailbox.remove) }

    await page.getByTestId('address').tap()
    await expectBriefAndOutOfTheWay(page, await newestToast(page, mailbox.copied), live)

    await button(mailbox.generate).tap()
    const generated = await newestToast(page, mailbox.notices.generated)
    await expect(generated).toContainText(mailbox.notices.activeFor({ seconds: 600 }))
    await expect(generated.getByText(mailbox.notices.generatedBrief)).toBeVisible()
    const { headline, address, copy, remove } = live
    await expectBriefAndOutOfTheWay(page, generated, { headline, address, copy, remove })
    await undo.tap()
    await expect(rows).toHaveCount(1)

    await rows.first().getByRole('button', { name: inbox.remove }).tap()
    await expectBriefAndOutOfTheWay(page, await newestToast(page, inbox.removed), { headline, address, copy, remove })
    await undo.tap()

    await button(mailbox.remove).tap()
    const { row } = page1
    await expectBriefAndOutOfTheWay(page, await newestToast(page, mailbox.notices.deleting), {
      headline,
      row,
      generate: button(mailbox.generate),
    })
    await page.route('**/api/mailboxes', route => route.fulfill({ status: 500, body: '' }))
    await button(mailbox.generate).tap()
    const failed = await newestToast(page, notices.generateFailed)
    await expect(failed).toContainText(notices.errorTitle)
    await expect(failed.getByText(notices.generateFailedBrief)).toBeVisible()
    await expectBriefAndOutOfTheWay(page, failed, { headline, generate: button(mailbox.generate) })
  })
}

test('in a scrolled inbox a toast is at the lower edge, away from the newest mail and the head of the inbox', async ({
  page,
  sendMail,
}) => {
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  for (let n = 0; n < 6; n++) await sendMail({ to, subject: `Mail ${n}`, text: `Your code is 48151${n}.` })
  const rows = page.locator('[data-message]')
  await expect(rows).toHaveCount(6)
  const head = page.locator('#inbox header')
  await page.locator('#inbox').evaluate(inbox => inbox.scrollIntoView({ behavior: 'instant' }))
  await rows.nth(1).getByRole('button', { name: 'Delete message' }).tap()
  const toast = await newestToast(page, 'Message deleted')
  await expectBriefAndOutOfTheWay(page, toast, { head, newest: rows.first() })
  await page.getByRole('button', { name: 'Undo' }).tap()
  await expect(rows).toHaveCount(6)
})

test('why something failed is shown on a phone, over the head of the page', async ({ page, noise }) => {
  noise.allow(/401/)
  await page.goto('/auth?lang=en')
  const submit = page.getByRole('button', { name: 'Sign in', exact: true })
  await expect(submit).toBeEnabled()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong-password')
  await submit.tap()
  const toast = await newestToast(page, 'Sign in failed')
  await expect(toast.getByText('Email or password is not right.').last()).toBeVisible()
  expect(await coveredBy(toast, { headline: page.getByRole('heading', { level: 1 }), submit })).toEqual([])
})

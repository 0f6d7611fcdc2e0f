/** Toasts: title and text in full, over nothing that the visitor needs. */
import type { Locator, Page } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { addressOn, mailTo } from '../harness/test-mail.ts'
import { drawnLines } from '../message/reader/drawn-lines.ts'
import { loadWords, type Words } from '../scenes/words.ts'

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, permissions: ['clipboard-read', 'clipboard-write'] })

/** Three lines of 14 px with the space above and below them. */
const THREE_LINES_PX = 72

/** The edge of a button is empty, and so is what is above the letters of a headline. */
const EDGE_PX = 1.5
const LEADING_PX = 5

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return { top: box.y, bottom: box.y + box.height }
}

/** A phone's rows have no button that deletes. */
async function deleteWhereItIsRead(row: Locator, { more, delete: deleteMail }: Words['message']): Promise<void> {
  await row.getByRole('button').first().tap()
  await row.page().getByRole('button', { name: more }).tap()
  await row.page().getByRole('menuitem', { name: deleteMail }).tap()
}

async function coveredBy(toast: Locator, needed: Record<string, Locator>): Promise<string[]> {
  const { top, bottom } = await boxOf(toast)
  const boxes = await Promise.all(Object.entries(needed).map(async ([name, locator]) => ({ name, ...(await boxOf(locator)) })))
  return boxes
    .filter(box => box.top < bottom - (box.name === 'headline' ? LEADING_PX : EDGE_PX) && box.bottom > top + EDGE_PX)
    .map(({ name }) => name)
}

/** Texts of the toast that reach over its border, or are there for screen readers only. */
const cutTexts = (toast: Locator) =>
  toast.evaluate(element => {
    const whole = element.getBoundingClientRect()
    return Array.from(element.querySelectorAll('p, p > *')).flatMap(text => {
      const box = text.getBoundingClientRect()
      const isCut = box.top < whole.top || box.bottom > whole.bottom || box.left < whole.left || box.right > whole.right || box.width < 2
      return isCut ? [text.textContent] : []
    })
  })

async function newestToast(page: Page, title: string): Promise<Locator> {
  const toast = page.locator('[data-toast]').filter({ hasText: title }).last()
  await expect(toast).toBeVisible()
  await page.evaluate(() => Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => undefined))))
  return toast
}

async function expectWholeAndOutOfTheWay(page: Page, toast: Locator, needed: Record<string, Locator>): Promise<void> {
  const { top, bottom } = await boxOf(toast)
  expect(bottom - top).toBeLessThanOrEqual(THREE_LINES_PX)
  const height = page.viewportSize()?.height ?? 0
  expect(bottom).toBeLessThanOrEqual(height)
  expect(await cutTexts(toast), 'text that is cut').toEqual([])
  expect(await coveredBy(toast, needed), 'what lies under the toast').toEqual([])
}

for (const language of LANGUAGES) {
  test(
    `toasts show all they say and cover neither address nor mail (${language})`,
    quickInEnglish(language),
    async ({ page, sendMail, noise }) => {
      noise.allow(/500/, /ProblemError/)
      const words = await loadWords(language)
      const { mailbox, inbox, message, notices } = words
      await page.goto(`/?lang=${language}`)
      await sendMail(mailTo(await addressOn(page)))
      const rows = page.locator('[data-message]')
      await expect(rows).toHaveCount(1)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const undo = button(words.layout.undo)
      const page1 = { headline: page.getByRole('heading', { level: 1 }), address: page.getByTestId('address'), row: rows.first() }
      const heading = page.locator('#inbox-title')
      const live = { ...page1, heading, copy: button(mailbox.copy), deletion: button(mailbox.delete) }

      await page.getByTestId('address').tap()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await addressOn(page))
      await expectWholeAndOutOfTheWay(page, await newestToast(page, mailbox.addressClicked), live)

      await button(mailbox.generate).tap()
      const generated = await newestToast(page, mailbox.notices.generated)
      await expect(generated).toContainText(mailbox.notices.activeFor({ seconds: 600 }))
      const { headline, address, copy, deletion } = live
      await expectWholeAndOutOfTheWay(page, generated, { headline, address, copy, deletion, heading })
      await undo.tap()
      await expect(rows).toHaveCount(1)

      await deleteWhereItIsRead(rows.first(), message)
      await expectWholeAndOutOfTheWay(page, await newestToast(page, inbox.deleted), { headline, address, copy, deletion })
      await undo.tap()

      await button(mailbox.delete).tap()
      const { row } = page1
      const deleting = await newestToast(page, mailbox.notices.deleting)
      await expectWholeAndOutOfTheWay(page, deleting, { headline, row, heading, generate: button(mailbox.generate) })
      const lines = await deleting.locator('bdi').evaluate(drawnLines)
      expect(lines.at(-1), 'the domain is on one line').toMatch(/@[a-z.]+\.com$/)
      await page.route('**/api/mailboxes', route => route.fulfill({ status: 500, body: '' }))
      await button(mailbox.generate).tap()
      const failed = await newestToast(page, notices.generateFailed)
      await expect(failed).toContainText(notices.errorTitle)
      await expectWholeAndOutOfTheWay(page, failed, { headline, generate: button(mailbox.generate) })
    },
  )
}

for (const language of LANGUAGES) {
  for (const width of [375, 1280]) {
    test(`every toast fits with title and text into three lines (${language}, ${width} px)`, {
      tag: width === 375 && language === 'en' ? [] : '@long',
    }, async ({ page }) => {
      await page.setViewportSize({ width, height: 720 })
      const words = await loadWords(language)
      const { mailbox, notices, auth, contact, message } = words
      await page.goto(`/?lang=${language}`)
      await addressOn(page)
      // The toast with a button beside it has the least room.
      await page.getByRole('button', { name: mailbox.generate, exact: true }).click()
      const toast = await newestToast(page, mailbox.notices.generated)
      expect((await boxOf(toast)).bottom - (await boxOf(toast)).top).toBeLessThanOrEqual(THREE_LINES_PX)
      expect(await cutTexts(toast)).toEqual([])
      const plain: [title: string, text: string][] = [
        [notices.errorTitle, notices.generateFailed],
        ...Object.values(notices.botCheck).map((text): [string, string] => [notices.botCheckTitle, text]),
        [notices.rateLimitTitle, notices.rateLimit({ seconds: 300 })],
        [notices.emailDeleted, notices.destroyed],
        [mailbox.notices.copiedTitle, mailbox.notices.copied],
        [message.downloadFailed, message.downloadFailedText],
        [message.downloadStarted, message.downloading({ filename: 'invoice-2026-11-22.pdf' })],
        [auth.accountExists, auth.accountExistsText],
        [auth.checkEmail, auth.checkEmailText],
        [contact.failed, contact.failedText],
      ]
      const heights = await toast.evaluate((element, said) => {
        element.querySelector('p ~ button')?.remove()
        const [title, text] = element.querySelectorAll('p > *')
        return said.map(([first, second]) => {
          title?.replaceChildren(first)
          text?.replaceChildren(second)
          return `${element.getBoundingClientRect().height} ${element.scrollWidth > element.clientWidth} ${first}`
        })
      }, plain)
      expect(heights.filter(line => Number.parseFloat(line) > THREE_LINES_PX || line.includes(' true '))).toEqual([])
    })
  }
}

test('on a tall phone a toast is at the lower edge of each page: not over name, menu, headline, address and newest mail', async ({
  page,
  sendMail,
  noise,
}) => {
  noise.allow(/401/)
  await page.setViewportSize({ width: 360, height: 740 })
  const { mailbox, auth } = await loadWords('en')
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  for (let n = 0; n < 3; n++) await sendMail({ to, subject: `Mail ${n}`, text: 'Hello.' })
  const rows = page.locator('[data-message]')
  await expect(rows).toHaveCount(3)
  const header = page.locator('header[data-site]')
  const headline = page.getByRole('heading', { level: 1 })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const kept = { header, headline, address: page.getByTestId('address'), copy: button(mailbox.copy), newest: rows.first() }
  const below: number[] = []
  const note = async (title: string, needed: Record<string, Locator>) => {
    const toast = await newestToast(page, title)
    await expectWholeAndOutOfTheWay(page, toast, needed)
    below.push((page.viewportSize()?.height ?? 0) - (await boxOf(toast)).bottom)
  }
  const dismiss = () => page.locator('[data-toast]').getByRole('button').last().tap()
  await button(mailbox.copy).tap()
  await note(mailbox.notices.copied, kept)
  await dismiss()
  // A tap on a text gives the whole page the focus.
  await headline.tap()
  await page.keyboard.press('c')
  await note(mailbox.addressClicked, kept)
  await button(mailbox.generate).tap()
  await note(mailbox.notices.generated, { header, headline, copy: kept.copy })
  await button(mailbox.delete).tap()
  await note(mailbox.notices.deleting, { header, headline, generate: button(mailbox.generate) })
  // With 740 px it would cover the link to a new password, which an error of two lines moves down.
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/auth?lang=en')
  const submit = button(auth.signIn)
  await expect(submit).toBeEnabled()
  await page.getByLabel(auth.email).fill('nobody@example.com')
  await page.getByLabel(auth.password, { exact: true }).fill('wrong-password')
  await submit.tap()
  const forgot = page.getByRole('link', { name: auth.forgot })
  await note(auth.signInFailed, { header, headline, submit, forgot })
  await expect(page.locator('form').getByText('Email or password is not right.'), 'it is said at the field too').toBeVisible()
  expect(new Set(below).size, below.join()).toBe(1)
  // Just enough for a toast, but for the bar at the lower edge of some phones.
  const toast = await boxOf(page.locator('[data-toast]').last())
  await dismiss()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } })
  const { bottom } = await boxOf(forgot)
  await page.setViewportSize({ width: 360, height: Math.ceil(bottom + toast.bottom - toast.top) + 16 })
  await submit.tap()
  await note(auth.signInFailed, { submit, forgot })
})

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
  await deleteWhereItIsRead(rows.nth(1), (await loadWords('en')).message)
  const toast = await newestToast(page, 'Deleting this message')
  await expectWholeAndOutOfTheWay(page, toast, { head, newest: rows.first() })
  await page.getByRole('button', { name: 'Undo' }).tap()
  await expect(rows).toHaveCount(6)
})

test('why something failed is shown on a phone, and covers neither headline nor form', async ({ page, noise }) => {
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

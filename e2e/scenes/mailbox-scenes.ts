/** The address, its countdown, its mail, and what opens above them. */
import { NEW_ADDRESSES, WARNING_SECONDS } from '#contract/limits.ts'
import { expect } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { CODE_SUBJECT, inboxMails, NEWSLETTER_SUBJECT } from './mails.ts'
import { closeAbove, expectToast, leaveAsItIs, type Scene, type Stage, visit, visitHome } from './scene.ts'

/** Interrupted streams, because the page's clock is ahead of the server's. */
const AHEAD = [/ERR_|ProblemError|Failed to load/]

async function fillInbox(stage: Stage): Promise<void> {
  const to = await visitHome(stage)
  const mails = inboxMails(to)
  for (const [index, mail] of mails.entries()) {
    await stage.sendMail(mail)
    await expect(stage.page.locator('[data-message]')).toHaveCount(index + 1)
  }
}

async function open({ page }: Stage, subject: string): Promise<void> {
  await page.locator('[data-message]').filter({ hasText: subject }).getByRole('button').first().click()
  await expect(page.getByRole('dialog').getByRole('article')).toBeVisible()
}

/** An address with only `seconds` left by the page's clock. The server's clock is slower, so it is not asked for the time. */
async function nearTheEnd(stage: Stage, seconds: number): Promise<void> {
  await stage.page.clock.install()
  await visitHome(stage)
  await stage.page.route('**/api/mailbox', route => route.abort())
  await stage.page.clock.pauseAt((await stage.page.evaluate(() => Date.now())) + 3000)
  const [hours = 0, minutes = 0, left = 0] = (await stage.page.getByTestId('countdown').innerText()).split(':').map(Number)
  await stage.page.clock.runFor((hours * 3600 + minutes * 60 + left - seconds) * 1000)
}

const generate = ({ page, words }: Stage) => page.getByRole('button', { name: words.mailbox.generate, exact: true }).click()

export const mailboxScenes: readonly Scene[] = [
  {
    name: 'generating',
    async arrange(stage) {
      // The response never arrives, as on a slow network.
      await stage.page.route('**/api/mailboxes', () => undefined)
      await visit(stage, '/')
      await expect(stage.page.getByRole('button', { name: stage.words.mailbox.generating })).toBeDisabled()
    },
    // On a loaded machine the page gives up before the checks have finished.
    noise: [/ProblemError: network/],
  },
  {
    name: 'inbox',
    begin: fillInbox,
    async arrange(stage) {
      // One of them was read.
      await open(stage, 'La invención de Morel')
      await stage.page.keyboard.press('Escape')
      await expect(stage.page.getByRole('dialog')).toHaveCount(0)
    },
    leave: leaveAsItIs,
  },
  {
    name: 'mail',
    begin: fillInbox,
    async arrange(stage) {
      await open(stage, CODE_SUBJECT)
      await expect(stage.page.getByRole('dialog').getByText('Terms of service.pdf')).toBeVisible()
      await expect(stage.page.locator('dialog iframe')).toBeVisible()
    },
    leave: closeAbove,
  },
  {
    name: 'mail-layout',
    begin: fillInbox,
    async arrange(stage) {
      await open(stage, NEWSLETTER_SUBJECT)
      await stage.page.getByRole('tab', { name: stage.words.message.views.layout }).click()
      await expect(stage.page.getByTestId('blocked')).toBeVisible()
    },
  },
  {
    name: 'copied',
    begin: visitHome,
    async arrange(stage) {
      const { page, words } = stage
      await page.getByRole('button', { name: words.mailbox.copy }).click()
      await expectToast(stage, words.mailbox.notices.copied)
    },
    leave: async ({ page }) => {
      await page.locator('[data-toast]').getByRole('button').last().click()
      await expect(page.locator('[data-toast]')).toHaveCount(0)
    },
  },
  {
    name: 'limit',
    async arrange(stage) {
      const { page, words } = stage
      await visitHome(stage)
      const strip = page.getByRole('region', { name: words.mailbox.security.label })
      for (let count = NEW_ADDRESSES.max - 1; count > 0; count--) {
        await expect(strip).toContainText(words.mailbox.security.remaining({ count }))
        await generate(stage)
      }
      await expect(strip).toContainText(words.mailbox.security.reached)
      await addressOn(page)
      await page.keyboard.press('g')
      await expectToast(stage, words.notices.rateLimitTitle)
    },
  },
  {
    name: 'warning',
    async arrange(stage) {
      await nearTheEnd(stage, WARNING_SECONDS - 2)
      await expect(stage.page.getByText(stage.words.mailbox.warning, { exact: true })).toBeVisible()
      await stage.page.clock.resume()
      await expect(stage.page.getByRole('button', { name: stage.words.mailboxDialogs.keep.line })).toBeVisible()
    },
    noise: AHEAD,
  },
  {
    name: 'expired',
    async arrange(stage) {
      await nearTheEnd(stage, 0)
      await expect(stage.page.locator('[data-mailbox=destroying]')).toBeVisible()
      await stage.page.clock.runFor(2500)
      await expect(stage.page.locator('[data-mailbox=expired]')).toBeVisible()
      await stage.page.clock.resume()
    },
    noise: AHEAD,
  },
  {
    name: 'deleted',
    begin: visitHome,
    async arrange(stage) {
      const { page, words } = stage
      await page.getByRole('button', { name: words.mailbox.delete }).click()
      await expect(page.locator('[data-mailbox=none]')).toBeVisible()
      await expectToast(stage, words.notices.emailDeleted)
    },
  },
  {
    name: 'hand-off',
    begin: visitHome,
    async arrange(stage) {
      await stage.page.getByRole('button', { name: stage.words.mailbox.handOff }).click()
      await expect(stage.page.getByRole('dialog').getByRole('img')).toBeVisible()
    },
    leave: closeAbove,
  },
  {
    name: 'shortcuts',
    begin: visitHome,
    async arrange(stage) {
      await stage.page.keyboard.press('?')
      await expect(stage.page.getByRole('dialog')).toBeVisible()
    },
    leave: closeAbove,
  },
]

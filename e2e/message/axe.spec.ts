/** Accessibility of the reader: axe on an opened mail with each of its tabs, in both themes, one language each; and touch on a phone. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LANGUAGES } from '#contract/languages.ts'
import { expectAccessible } from '../harness/checks.ts'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { loadWords } from '../scenes/words.ts'
import { hearParsing, openHome, openMail } from './reader/reading.ts'

const html = readFileSync(join(resolve(import.meta.dirname, '../..'), 'test/fixtures/html/newsletter.html'), 'utf8')

test.beforeEach(({ noise }) => hearParsing(noise))

for (const [turn, language] of LANGUAGES.entries()) {
  test(
    `axe finds nothing in an opened mail, in any of its views, light and dark (${language})`,
    quickInEnglish(language),
    async ({ page, sendMail }) => {
      const { message } = await loadWords(language)
      const to = await openHome(page, language)
      await sendMail({
        from: '"security@bank.example" <x7@evil.example>',
        to,
        subject: 'All of it 481516',
        text: 'Your verification code is 481516. Confirm at https://accounts.example/confirm?token=1\n\n> a quote\n> of three\n> lines',
        html: `${html}<p>Your verification code is 481516, <a href="https://evil.example/">https://bank.example</a></p><p>Ada wrote:</p><blockquote>A quote that is longer than forty characters, and folded.</blockquote>`,
        attachments: [{ filename: 'a.pdf', content: 'x' }],
      })
      await page.locator('[data-message]').getByRole('button').first().click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('tab')).toHaveCount(2)
      const more = dialog.getByRole('button', { name: message.more })
      for (let index = 0; index < 5; index++) {
        if (index < 2) await dialog.getByRole('tab').nth(index).click()
        else {
          await more.click()
          await dialog
            .getByRole('menuitem')
            .nth(index - 2)
            .click()
        }
        await expect(dialog.getByRole('tabpanel')).toBeVisible()
        if (index % LANGUAGES.length !== turn) continue
        await expectAccessible(page)
      }
    },
  )
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a mail is closed by dragging its header down, and a short drag leaves it open', async ({ page, sendMail }) => {
    const to = await openHome(page)
    await sendMail({ to, subject: 'Pull me', text: 'Down.' })
    const dialog = await openMail(page, 'Pull me')
    const touch = await page.context().newCDPSession(page)
    const pull = async (px: number) => {
      const at = (y: number) => ({ touchPoints: [{ x: 120, y }] })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(24) })
      for (let y = 24; y <= 24 + px; y += 12) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(y) })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await pull(48)
    await expect(dialog).toBeVisible()
    await pull(180)
    await expect(dialog).toBeHidden()
  })
})

/** The addresses of an account on a phone: a sheet whose form is always on the screen. */
import { LANGUAGES } from '#contract/languages.ts'
import { expect, test } from '../harness/fixtures.ts'
import { visitAsPro } from '../scenes/scene.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 375, height: 667 }, hasTouch: true })

for (const language of LANGUAGES) {
  test(`the button that creates an address is wholly on the screen (${language})`, async ({ page, sendMail, recorder }) => {
    const words = await loadWords(language)
    await visitAsPro({ page, language, words, sendMail, recorder })
    const region = page.getByRole('region', { name: words.account.addresses })
    const create = region.getByRole('button', { name: words.account.create })
    for (const count of [2, 3, 4]) {
      await region.getByRole('button').first().tap()
      await expect(create).toBeInViewport({ ratio: 1 })
      await create.tap()
      await expect(region.getByRole('button').first()).toContainText(String(count))
    }
    await region.getByRole('button').first().tap()
    await expect(create).toBeInViewport({ ratio: 1 })
    const toast = await region.locator('[data-toast]').last().boundingBox()
    const heading = await region.getByRole('heading', { name: words.account.newAddress }).boundingBox()
    const name = await region.getByRole('textbox').boundingBox()
    expect(toast?.height, 'what was said of the new address is in the sheet, over nothing').toBeGreaterThan(0)
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(Math.min(heading?.y ?? 0, name?.y ?? 0))
  })
  test(`the sheet has its name over its list, and a button that closes it (${language})`, async ({ page, sendMail, recorder }) => {
    const words = await loadWords(language)
    await visitAsPro({ page, language, words, sendMail, recorder })
    const region = page.getByRole('region', { name: words.account.addresses })
    const opener = region.getByRole('button').first()
    await opener.tap()
    const heading = region.getByRole('heading', { name: words.account.addresses })
    await expect(heading).toBeInViewport({ ratio: 1 })
    const close = region.getByRole('button', { name: words.layout.close, exact: true })
    await close.tap()
    await expect(heading).toHaveCount(0)
    await expect(opener).toBeFocused()
  })
}

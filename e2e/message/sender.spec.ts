/** What a reader is told of a sender who could not be verified. */
import { expect, test } from '../harness/fixtures.ts'
import { openHome, openMail } from './reader/reading.ts'

test.use({ viewport: { width: 375, height: 667 }, hasTouch: true })

for (const [language, name, advice] of [
  ['en', 'The sender could not be verified', 'If not, do not open its links or enter a password.'],
  ['es', 'No se pudo verificar el remitente', 'Si no, no abras sus enlaces ni escribas contraseñas.'],
] as const) {
  test(`an unverified sender explains itself at a tap or a key, over the message (${language})`, async ({ page, sendMail }) => {
    const to = await openHome(page, language)
    await sendMail({ to, subject: 'With a link', text: 'Read https://shop.example/welcome' })
    await page.locator('[data-message]').getByRole('button').first().tap()
    const dialog = page.getByRole('dialog')
    const verdict = dialog.getByRole('button', { name })
    const explanation = dialog.getByRole('note').filter({ hasText: advice })
    await expect(verdict).toHaveAttribute('data-verdict', 'unverified')
    expect((await verdict.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    const top = async () => (await dialog.getByText('shop.example/welcome').first().boundingBox())?.y
    const before = await top()
    await verdict.tap()
    await expect(explanation).toBeInViewport({ ratio: 1 })
    await expect(verdict).toHaveAttribute('aria-expanded', 'true')
    expect(await top()).toBe(before)
    await page.keyboard.press('Escape')
    await expect(explanation).toBeHidden()
    await expect(dialog).toBeVisible()
    await expect(verdict).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(explanation).toBeVisible()
  })
}

test('an unverified sender is amber only where the message has links', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'With a link', text: 'Read https://shop.example/welcome' })
  await sendMail({ to, subject: 'Only words', text: 'Hello' })
  const colours: string[] = []
  for (const subject of ['With a link', 'Only words']) {
    await openMail(page, subject)
    const verdict = page.getByRole('dialog').locator('[data-verdict=unverified]')
    await expect(verdict).toBeVisible()
    colours.push(await verdict.evaluate(element => getComputedStyle(element).color))
    await page.keyboard.press('Escape')
  }
  const muted = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'))
    probe.className = 'text-muted'
    return getComputedStyle(probe).color
  })
  expect(colours[1]).toBe(muted)
  expect(colours[0]).not.toBe(muted)
})

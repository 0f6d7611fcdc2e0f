/** What a reader is told of a sender who could not be verified. */
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { openHome, openMail } from './reader/reading.ts'

test.use({ viewport: { width: 375, height: 667 }, hasTouch: true })

for (const { language, name, details, advice } of [
  {
    language: 'en',
    name: 'unverified',
    details: ['Sent via', 'bounce@relay.example'],
    advice: 'If not, do not open its links or enter a password.',
  },
  {
    language: 'es',
    name: 'sin verificar',
    details: ['Enviado a través de', 'bounce@relay.example'],
    advice: 'Si no, no abras sus enlaces ni escribas contraseñas.',
  },
] as const) {
  test(
    `the sender is one line, and the rest waits behind its chevron, over the message (${language})`,
    quickInEnglish(language),
    async ({ page, sendMail }) => {
      const to = await openHome(page, language)
      const envelope = { from: 'bounce@relay.example', to }
      await sendMail({
        from: 'Hubert <noreply@hub.example>',
        envelope,
        to,
        subject: 'With a link',
        text: 'Read https://shop.example/welcome',
      })
      await page.locator('[data-message]').getByRole('button').first().tap()
      const dialog = page.getByRole('dialog')
      const verdict = dialog.getByRole('button', { name })
      const rest = dialog.getByRole('note').filter({ hasText: advice })
      await expect(verdict).toHaveAttribute('data-verdict', 'unknown')
      expect((await verdict.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      const middle = async (text: string) => {
        const box = await dialog.getByText(text, { exact: true }).boundingBox()
        return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2)
      }
      const middles = await Promise.all(['Hubert', 'noreply@hub.example', name].map(middle))
      expect(Math.max(...middles) - Math.min(...middles), 'they are on one line').toBeLessThan(4)
      for (const part of details) await expect(dialog.getByText(part)).toHaveCount(0)
      const top = async () => (await dialog.getByText('shop.example/welcome').first().boundingBox())?.y
      const before = await top()
      await verdict.tap()
      await expect(rest).toBeInViewport({ ratio: 1 })
      for (const part of [...details, to]) await expect(rest.getByText(part)).toBeVisible()
      await expect(verdict).toHaveAttribute('aria-expanded', 'true')
      expect(await top()).toBe(before)
      await page.keyboard.press('Escape')
      await expect(rest).toBeHidden()
      await expect(dialog).toBeVisible()
      await expect(verdict).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(rest).toBeVisible()
    },
  )
}

test('an unverified sender is no alarm, with links or without', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ to, subject: 'With a link', text: 'Read https://shop.example/welcome' })
  await sendMail({ to, subject: 'Only words', text: 'Hello' })
  const colours: string[] = []
  for (const subject of ['With a link', 'Only words']) {
    await openMail(page, subject)
    const verdict = page.getByRole('dialog').locator('[data-verdict=unknown]')
    await expect(verdict).toBeVisible()
    colours.push(await verdict.evaluate(element => getComputedStyle(element).color))
    await page.keyboard.press('Escape')
  }
  const muted = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'))
    probe.className = 'text-muted'
    return getComputedStyle(probe).color
  })
  expect(colours).toEqual([muted, muted])
})

test('the row of a sender who imitates another says so, with the true domain, and offers no code', async ({ page, sendMail }) => {
  const to = await openHome(page, 'es')
  const from = 'PayPal <service@pay-help-desk.secure-sign-in.example>'
  await sendMail({ to, from, subject: 'Your account', text: 'Your code is 481516.' })
  await sendMail({ to, subject: 'From a friend', text: 'Hello' })
  const rows = page.locator('[data-message]')
  await expect(rows).toHaveCount(2)
  const warned = rows.filter({ hasText: 'Your account' })
  await expect(warned.getByTestId('check-sender')).toHaveText('Comprueba el remitente: pay-help-desk.secure-sign-in.example')
  const isWhole = await warned.getByTestId('check-sender').evaluate(line => line.scrollWidth <= line.clientWidth)
  expect(isWhole, 'nothing of the domain is cut').toBe(true)
  await expect(warned.getByRole('button', { name: /Copiar código/ })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'From a friend' }).getByTestId('check-sender')).toHaveCount(0)
})

test('the rest covers no warning about a link, and a press below it counts', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = '<p><a href="https://shop.example.evil.example/x">www.paypal.com</a></p>'
  await sendMail({ from: 'PayPal <service@shop.example>', to, subject: 'Limited', html })
  const dialog = await openMail(page, 'Limited')
  const warning = dialog.getByTestId('flagged')
  await expect(warning).toBeVisible()
  await dialog.getByRole('button', { name: 'Details' }).click()
  const rest = dialog.getByRole('note')
  await expect(rest).toBeVisible()
  const { y, height } = (await rest.boundingBox()) ?? { y: 0, height: Number.NaN }
  expect(y + height).toBeLessThanOrEqual((await warning.boundingBox())?.y ?? 0)
  const original = dialog.getByRole('tab', { name: 'Original' })
  await original.click()
  await expect(original).toHaveAttribute('aria-selected', 'true')
  await expect(rest).toHaveCount(0)
})

test.describe('where senders are not checked', () => {
  test.use({ serverEnv: { DNS_SERVERS: 'off' } })

  test('the chevron stays beside the name', async ({ page, sendMail }) => {
    const to = await openHome(page)
    await sendMail({ from: 'PayPal <service@pay-help-desk.secure-sign-in.example>', to, subject: 'Limited', text: 'Hello' })
    const dialog = await openMail(page, 'Limited')
    const name = await dialog.getByText('PayPal', { exact: true }).boundingBox()
    const chevron = await dialog.getByRole('button', { name: 'Details' }).boundingBox()
    expect(chevron?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0))
  })
})

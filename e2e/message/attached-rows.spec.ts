/** The parts above the words of a mail: attachments in rows of one height, the line of the sender, and the warning of a form. */
import { expect, test } from '../harness/fixtures.ts'
import { openHome, openMail } from './reader/reading.ts'

for (const width of [375, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('attachments are rows of one height, and a program says that it can run', async ({ page, sendMail }) => {
      const to = await openHome(page)
      const names = ['invoice-2026-1130.pdf', 'logo.png', 'setup.EXE', 'notes.txt']
      await sendMail({ to, subject: 'Rows', text: 'Hello', attachments: names.map(filename => ({ filename, content: 'x' })) })
      const dialog = await openMail(page, 'Rows')
      await expect(page.locator('section[aria-label="Notifications"]'), 'one landmark of the name').toHaveCount(1)
      const rows = dialog.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Download / }) })
      await expect(rows).toHaveCount(names.length)
      const boxes = await rows.evaluateAll(items =>
        items.map(item => {
          const { left, width, height } = item.getBoundingClientRect()
          return [left, width, height].map(Math.round).join(' ')
        }),
      )
      expect(new Set(boxes).size, boxes.join(', ')).toBe(1)
      const icons = rows.locator('> span > svg')
      const columns = await icons.evaluateAll(all => all.map(icon => Math.round(icon.getBoundingClientRect().right)))
      expect(new Set(columns).size, `downloads form a column: ${columns}`).toBe(1)
      expect(Number(boxes[0]?.split(' ')[2])).toBeLessThanOrEqual(60)
      await expect(rows.filter({ hasText: 'it can run on your computer' })).toHaveText(/setup\.EXE/)
      const all = await dialog.getByRole('button', { name: 'Download all' }).boundingBox()
      expect(all?.height).toBeLessThanOrEqual(48)
    })

    test('the line of a long sender has air above it, no dot at its edge, and the chevron after the address', async ({
      page,
      sendMail,
    }) => {
      const to = await openHome(page)
      const name = 'A company with a very long name that never ends and goes on, Ltd., of the city and of the county, since ever'
      const from = `"${name}" <no-reply-notifications-0001@mail.subdomain.reallylongcompany.example>`
      await sendMail({ from, to, subject: 'Long', text: 'Short.' })
      const dialog = await openMail(page, 'Long')
      const title = await dialog.getByRole('heading', { name: 'Long' }).boundingBox()
      const sender = await dialog.getByText('A company with').first().boundingBox()
      const address = await dialog.locator('bdi').filter({ hasText: 'reallylongcompany' }).first().boundingBox()
      const chevron = await dialog.getByRole('button', { name: 'Details' }).boundingBox()
      if (!title || !sender || !address || !chevron) throw new Error('a part of the head is not there')
      expect(sender.y - (title.y + title.height)).toBeGreaterThanOrEqual(3)
      const isBeside = chevron.y < address.y + address.height && chevron.x - (address.x + address.width) < 24
      expect(isBeside || chevron.y - (address.y + address.height) < 12, 'next to the address, or on the line below').toBe(true)
      // The name has the room of a dot before it, too.
      expect(Math.abs(address.x - sender.x - 16), 'it begins a line, so its dot is cut off').toBeLessThan(3)
    })
  })
}

test('a form in a mail is grey and said to be off, and what warns is neither passed by nor covered', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = '<form><p>Your account is limited.</p><input type="password" placeholder="Password"><button>Verify</button></form>'
  await sendMail({ to, subject: 'Newsletter', html })
  const first = await openMail(page, 'Newsletter')
  await first.getByRole('tab', { name: 'Original' }).click()
  await expect(first.getByTestId('form-off')).toBeVisible()
  const field = first.frameLocator('iframe').locator('[data-field]')
  expect(await field.evaluate(element => getComputedStyle(element).filter)).toBe('grayscale(1)')
  await page.keyboard.press('Escape')

  const menu =
    '<input type="checkbox" id="m"><label for="m">Menu</label><p>News</p><button><a href="https://shop.example/">Shop</a></button>'
  await sendMail({ to, subject: 'Menu', html: menu })
  const other = await openMail(page, 'Menu')
  const button = other.frameLocator('iframe').locator('[data-button]')
  expect(await button.evaluate(element => getComputedStyle(element).filter)).toBe('none')
  await expect(other.getByTestId('form-off')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await sendMail({ from: '"PayPal Service" <service@paypa1-secure.example>', replyTo: 'x@evil.example', to, subject: 'Urgent', html })
  const second = await openMail(page, 'Urgent')
  await expect(second.getByRole('tab', { name: 'Simple' })).toHaveAttribute('aria-selected', 'true')
  await second.getByRole('button', { name: 'Details' }).click()
  await expect(second.getByRole('note')).toContainText('x@evil.example · another domain than the sender’s')
  const warning = second.getByTestId('sender-warning')
  expect(
    await warning.evaluate(element => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    }),
  ).toBe(true)

  // A link that shows another address than it leads to is known only once the mail is read.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await sendMail({ to, subject: 'Links', html: '<p><a href="https://192.0.2.4/x">https://www.bank.example/signin</a></p>' })
  const third = await openMail(page, 'Links')
  await expect(third.getByTestId('flagged')).toBeVisible()
  await expect(third.getByRole('tab', { name: 'Simple' })).toHaveAttribute('aria-selected', 'true')
})

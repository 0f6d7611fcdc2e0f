/** A host or an address that is too long for its line wraps so that no line of it is the name of somebody else. */
import type { Page } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { drawnLines, expectNoOtherHost } from './reader/drawn-lines.ts'
import { expectFrameText, inFrame, openHome, openMail, showTab } from './reader/reading.ts'

const HOSTS = [
  // Its last words after a hyphen are a host; so are its first ones before a dot.
  'paypal.secure-sign-in.account-services.customers-online.example',
  'www.paypal.com.account-services-of-customers-around-the-world.example',
  // No line has room for this label.
  `${'very-long-'.repeat(5)}paypal.com`,
]
const DOMAIN = 'www.paypal.com.help-desk-of-customers.secure-sign-in.example'
const FROM = `service.paypal.com@${DOMAIN}`
const SHOWN_HOST = 'https://www.paypal.com/login'

const WIDTHS = [320, 375, 768, 1280]
/** Stand for fonts that are narrower and wider than any that this machine has. */
const SPACINGS = ['-0.08em', '0em', '0.3em']

/** `look` is called at each width with each spacing of the letters, which it is given. */
async function atEachSize(page: Page, look: (size: string, spacing: string) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    for (const spacing of SPACINGS) {
      await page.evaluate(spacing => document.documentElement.style.setProperty('letter-spacing', spacing), spacing)
      await look(`${width} px, ${spacing}`, spacing)
    }
  }
}

test('the system has the fonts that the project says', async ({ page }, { project }) => {
  const [narrow, wide] = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (canvas) canvas.font = '100px sans-serif'
    return ['iiii', 'mmmm'].map(letters => canvas?.measureText(letters).width)
  })
  expect(narrow === wide).toBe(project.name === 'other-fonts')
})

test('the row names the whole domain of a doubtful sender, and the end of an address', async ({ page, sendMail }) => {
  const to = await openHome(page)
  await sendMail({ from: `PayPal <${FROM}>`, to, subject: 'Limited', text: 'Hello' })
  await sendMail({ from: FROM, to, subject: 'Nameless', text: 'Hello' })
  const doubtful = page.locator('[data-message]').filter({ hasText: 'Limited' }).getByTestId('check-sender')
  const sender = page.locator('[data-message]').filter({ hasText: 'Nameless' }).getByRole('button', { name: /Open/ })
  await expect(sender).toBeVisible()
  await atEachSize(page, async size => {
    expectNoOtherHost(await doubtful.evaluate(drawnLines), [DOMAIN], `row at ${size}`)
    expect(await doubtful.evaluate(line => line.scrollWidth <= line.clientWidth || getComputedStyle(line).display === 'inline')).toBe(true)
    const isEndInView = await sender.evaluate(button => {
      const end = document.createRange()
      end.selectNodeContents(button)
      const text = end.getBoundingClientRect()
      const place = button.getBoundingClientRect()
      return text.right <= place.right + 1
    })
    expect(isEndInView, `the end of the sender's address at ${size}`).toBe(true)
  })
})

test('so do the sender and the addresses of an open mail', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const replyTo = 'answers.paypal.com@pay-help-desk.secure-sign-in.account-services.example'
  await sendMail({ from: `PayPal <${FROM}>`, to, replyTo, subject: 'Limited', text: 'Hello' })
  const dialog = await openMail(page, 'Limited')
  const head = dialog.locator('bdi').filter({ hasText: FROM }).first()
  await atEachSize(page, async size => expectNoOtherHost(await head.evaluate(drawnLines), [FROM], `head at ${size}`))
  await dialog.getByRole('button', { name: 'Details' }).click()
  const details = dialog.getByRole('note').locator('dd').filter({ hasText: replyTo })
  await expect(details).toBeVisible()
  await atEachSize(page, async size => expectNoOtherHost(await details.evaluate(drawnLines), [replyTo], `details at ${size}`))
})

test('the button of a link names a host of usual length on one line', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const html = '<p>You asked for it:</p><p><a href="https://www.dropbox.com/l/AAD1234567890abcdefghijklmnop">Reset password</a></p>'
  await sendMail({ from: 'Dropbox <no-reply@dropbox.com>', to, subject: 'Reset your password', html })
  const dialog = await openMail(page, 'Reset your password')
  const host = dialog.locator('a[href^="https://www.dropbox.com"] > span').last()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    expect(await host.evaluate(drawnLines), `${width} px`).toEqual(['www.dropbox.com'])
  }
})

test('and the host behind a link, in each view and in the sentence above it', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const links = HOSTS.map(host => `<a href="https://${host}/x">${SHOWN_HOST}</a>`)
  const html = `<p>Enter it at ${links.join(' to keep your account, or ')}.</p><table width="90"><tr><td>${links[0]}</td></tr></table>`
  await sendMail({ from: 'PayPal <service@shop.example>', to, subject: 'Limited', html })
  const dialog = await openMail(page, 'Limited')
  const sentences = dialog.getByTestId('flagged').getByRole('listitem')
  await atEachSize(page, async size => {
    for (const [at, host] of HOSTS.entries()) expectNoOtherHost(await sentences.nth(at).evaluate(drawnLines), [host], `sentence at ${size}`)
  })
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, '→')
    await atEachSize(page, async (size, spacing) => {
      const marks = await inFrame(
        page,
        (mail, { source, spacing }) => {
          const lines = new Function(`return (${source})`)() as (element: Element) => string[]
          const marks = [...mail.querySelectorAll<HTMLElement>('a + span')].filter(mark => mark.textContent.startsWith('→'))
          return marks.map(mark => {
            mark.style.setProperty('letter-spacing', spacing, 'important')
            return lines(mark)
          })
        },
        { source: String(drawnLines), spacing },
      )
      expect(marks).toHaveLength(4)
      for (const [at, lines] of marks.entries()) expectNoOtherHost(lines, [HOSTS[at % 3] ?? ''], `${view} at ${size}`)
    })
  }
})

test('and a link of plain text, whose path breaks before its slashes', async ({ page, sendMail }) => {
  const to = await openHome(page)
  const path = '/login-of-customers/paypal.com/account'
  await sendMail({ to, subject: 'Plain', text: HOSTS.map(host => `Enter it at https://${host}${path} to go on.`).join('\n') })
  const dialog = await openMail(page, 'Plain')
  const links = dialog.getByTestId('text').getByRole('link')
  await expect(links).toHaveCount(3)
  await atEachSize(page, async size => {
    for (const [at, host] of HOSTS.entries()) expectNoOtherHost(await links.nth(at).evaluate(drawnLines), [host], `text at ${size}`)
  })
})

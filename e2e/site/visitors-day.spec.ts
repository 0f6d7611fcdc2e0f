/** What a new user reads beside the mailbox, in both languages: the operator's name, what the page needs, accounts, and the address. */
import { LANGUAGES } from '#contract/languages.ts'
import { LIFETIME_SECONDS, lifetimeIn, PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import { pagePaths } from '#web/page-paths.ts'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true })

test.describe('with a name, limits and a footer of its own', () => {
  const SITE_NAME = 'Casa Efímera & Co'
  const SOURCE_URL = 'https://source.example/?a=1&b'
  test.use({ serverEnv: { SITE_NAME, LIFETIME_SECONDS: '7200', MAILBOX_MESSAGES_MAX: '200', PARTNER_URL: 'off', SOURCE_URL } })
  for (const language of LANGUAGES) {
    test(`no page says another name, limit or link, when it is served and afterwards (${language})`, async ({ page }) => {
      for (const path of pagePaths) {
        const response = await page.goto(`${path}?lang=${language}`)
        expect(await response?.text(), path).not.toMatch(/(?<![\w./-])Mayfly|\b(?:[Tt]en|[Dd]iez|10) minut|100 mens|100 mess|%\w+%/)
        if (path === '/') expect(await response?.text()).toMatch(/ 200 (?:messages or|mensajes o) 100 MB\./)
        expect(await response?.text(), path).not.toContain('privacyguides.org/" target')
        expect(await response?.text(), path).toContain(`<a href="${SOURCE_URL.replace('&', '&amp;')}"`)
        await expect(page, path).toHaveTitle(new RegExp(SITE_NAME))
        await expect(page.getByRole('contentinfo').locator('a[target=_blank]'), path).toHaveAttribute('href', SOURCE_URL)
        await expect(page.getByRole('banner')).toContainText(SITE_NAME)
        expect(await page.evaluate(() => document.body.innerText), path).not.toMatch(
          /Mayfly|\b(?:[Tt]en|[Dd]iez|10) minut|100 mens|100 mess|%\w+%/,
        )
      }
    })
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the page says in both languages what it needs', async ({ page }) => {
    await page.goto('/')
    const note = page.locator('noscript')
    await expect(note).toBeVisible()
    // As the browser draws it: it parses what is inside only because scripts are off.
    expect(await note.innerText()).toMatch(/^\s*Mayfly needs JavaScript: .+ · Mayfly necesita JavaScript: .+\.\s*$/)
  })
})

test("/auth compares the lifetimes of a visitor's and a Pro address", async ({ page }) => {
  const { auth } = await loadWords('es')
  await page.goto('/auth?lang=es')
  const row = page.getByRole('table').getByRole('row', { name: auth.compare.lives.label })
  await expect(row.getByRole('cell')).toHaveText([LIFETIME_SECONDS, PRO_LIFETIME_SECONDS].map(seconds => lifetimeIn('es', seconds)))
})

test('the address is the largest of its card, its name and its domain each on a line, at every width', async ({ page }) => {
  await page.goto('/?lang=es')
  await addressOn(page)
  for (const [width, height] of [
    [320, 640],
    [360, 640],
    [375, 667],
    [412, 915],
    [667, 375],
    [768, 1024],
    [1280, 720],
    [2560, 1440],
  ] as const) {
    await page.setViewportSize({ width, height })
    const found = await page.evaluate(() => {
      const sizeOf = (element: Element | null) => (element ? Number.parseFloat(getComputedStyle(element).fontSize) : 0)
      const card = document.querySelector('[data-mailbox]')
      const box = card?.querySelector<HTMLElement>('.address-size')
      const lines = [...(box?.querySelectorAll<HTMLElement>('[data-testid=address] > span > span') ?? [])]
      if (!card || !box || lines.length !== 2) return ['no address']
      const broken: string[] = []
      const clock = card.querySelector('[data-testid=countdown]')
      const others = [...card.querySelectorAll('*')].filter(
        element =>
          element.checkVisibility() &&
          !box.contains(element) &&
          element.textContent !== '' &&
          element !== clock &&
          !clock?.contains(element),
      )
      // The shortest name that is generated and the longest, at a short domain.
      for (const name of ['mural.lens.x7k2zq', 'mural.lens.x7k2zqx7k2zqx7k2']) {
        const [line, domain] = lines
        box.style.setProperty('--chars', String(name.length))
        line?.replaceChildren(name)
        if (new Set(lines.map(part => part.getBoundingClientRect().top)).size < 2) broken.push(`${name}: one line`)
        if (lines.some(part => part.getBoundingClientRect().height > sizeOf(part) * 1.5)) broken.push(`${name}: wraps`)
        if (box.scrollWidth > box.clientWidth || !domain) broken.push(`${name}: too wide`)
        if (sizeOf(box) <= sizeOf(clock)) broken.push(`${name}: ${sizeOf(box)} px, the clock has ${sizeOf(clock)}`)
      }
      const largest = Math.max(...others.filter(element => !element.querySelector('.clock, .address-size')).map(sizeOf))
      if (innerWidth >= 360 && sizeOf(clock) < largest) broken.push(`the clock has ${sizeOf(clock)} px, something else ${largest}`)
      return broken
    })
    expect(found, `${width} px`).toEqual([])
    await expect(page.getByRole('button', { name: 'Copiar dirección', exact: true })).toBeInViewport({ ratio: 1 })
  }
})

test('on a phone the link is shared first, in a sheet at the bottom', async ({ page }) => {
  const { mailbox, mailboxDialogs } = await loadWords('es')
  await page.addInitScript(() => {
    Object.assign(navigator, { share: async (shared: object) => void Object.assign(window, { shared }) })
  })
  await page.goto('/?lang=es')
  await addressOn(page)
  await page.getByRole('button', { name: mailbox.share }).tap()
  const dialog = page.getByRole('dialog', { name: mailboxDialogs.qr.otherTitle })
  const share = dialog.getByRole('button', { name: mailboxDialogs.qr.share })
  await share.click({ trial: true })
  const [top, picture] = await Promise.all([share.boundingBox(), dialog.getByRole('img').boundingBox()])
  expect(top?.y).toBeLessThan(picture?.y ?? 0)
  const sheet = await dialog.boundingBox()
  expect(sheet?.y).toBeGreaterThan(0)
  expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(667)
  await share.tap()
  expect(await page.evaluate(() => Reflect.get(window, 'shared').url)).toMatch(/\/#m=[\w-]{64}$/)
})

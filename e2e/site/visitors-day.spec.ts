/** What a new user reads beside the mailbox, in both languages: the operator's name, what the page needs, accounts, and the address. */
import { LANGUAGES } from '#contract/languages.ts'
import { pagePaths } from '#web/page-paths.ts'
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { loadWords } from '../scenes/words.ts'

test.use({ viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true })

test.describe('with a name of its own', () => {
  const SITE_NAME = 'Casa Efímera & Co'
  test.use({ serverEnv: { SITE_NAME } })
  for (const language of LANGUAGES) {
    test(`no page says another name, when it is served and afterwards (${language})`, async ({ page }) => {
      for (const path of pagePaths) {
        const response = await page.goto(`${path}?lang=${language}`)
        expect(await response?.text(), path).not.toMatch(/(?<![\w./-])Mayfly/)
        await expect(page, path).toHaveTitle(new RegExp(SITE_NAME))
        await expect(page.getByRole('banner')).toContainText(SITE_NAME)
        expect(await page.evaluate(() => document.body.innerText), path).not.toContain('Mayfly')
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

for (const language of LANGUAGES) {
  test(`/auth compares ten minutes with 24 hours (${language})`, async ({ page }) => {
    const { auth } = await loadWords(language)
    await page.goto(`/auth?lang=${language}`)
    const row = page.getByRole('table').getByRole('row', { name: auth.compare.lives.label })
    await expect(row.getByRole('cell')).toHaveText([auth.compare.lives.anonymous, auth.compare.lives.pro])
    expect([auth.compare.lives.anonymous, auth.compare.lives.pro].join()).toMatch(/^10 min.*24 h/)
  })

  test(`the address is on one line at every width, whatever its length (${language})`, async ({ page }) => {
    await page.goto(`/?lang=${language}`)
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
      const broken = await page.evaluate(() => {
        const line = document.querySelector<HTMLElement>('[data-testid=address] .one-line')
        if (!line) return ['no address']
        const trial = line.cloneNode() as HTMLElement
        line.after(trial)
        const found: string[] = []
        // From the shortest name that is generated to the longest, at a short domain.
        for (let chars = 29; chars <= 38; chars++) {
          trial.style.setProperty('--chars', String(chars))
          const words = ['mural.', 'lens.', 'w'.repeat(chars - 23), '@mayfly.test']
          trial.replaceChildren(
            ...words.map(text => {
              const part = document.createElement('span')
              part.className = 'inline-block max-w-full'
              part.textContent = text
              return part
            }),
          )
          const tops = new Set(Array.from(trial.children, part => part.getBoundingClientRect().top))
          if (tops.size > 1 || trial.scrollWidth > trial.clientWidth) found.push(`${chars} characters`)
        }
        trial.remove()
        return found
      })
      expect(broken, `${width} px`).toEqual([])
      await expect(page.getByRole('button', { name: /^Cop(?:y address|iar dirección)$/ })).toBeInViewport({ ratio: 1 })
    }
  })

  test(`on a phone the link is shared first, in a sheet at the bottom (${language})`, async ({ page }) => {
    const { mailbox, mailboxDialogs } = await loadWords(language)
    await page.addInitScript(() => {
      Object.assign(navigator, { share: async (shared: object) => void Object.assign(window, { shared }) })
    })
    await page.goto(`/?lang=${language}`)
    await addressOn(page)
    await page.getByRole('button', { name: mailbox.handOff }).tap()
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
}

/** A browser whose font is twice as large (WCAG 1.4.4): all lengths in rem double, and a phone has room for few words on a line. */
import type { Page } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { launchOptions } from '../harness/chromium.ts'
import { expectFirstScreen } from '../harness/first-screen.ts'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { NOT_FOUND_NOISE, untilAlive } from '../harness/pages.ts'
import { addressOn } from '../harness/test-mail.ts'

test.use({ launchOptions: { ...launchOptions, args: [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'] } })

const PAGES = ['/auth', '/contact', '/report', '/blog', '/blog/identify-ai-phishing', '/privacy', '/extension', '/api/docs', '/nowhere']

/** How much wider the page is than the screen, and the words that reach over its edge. */
const beyondScreen = (page: Page) =>
  page.evaluate(() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const cut: string[] = []
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(node)
      if (Array.from(range.getClientRects()).every(({ right }) => right <= innerWidth + 1)) continue
      // What scrolls by itself, what is there for screen readers only, and what ends in an ellipsis, as the last step of a breadcrumb.
      const isMeant = (element: Element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        return element.clientWidth === 1 || textOverflow === 'ellipsis' || /auto|scroll/.test(overflowX)
      }
      let out = node.parentElement
      while (out && !isMeant(out)) out = out.parentElement
      if (!out) cut.push(node.textContent ?? '')
    }
    return { px: document.documentElement.scrollWidth - innerWidth, cut }
  })

for (const language of LANGUAGES) {
  for (const width of [320, 375]) {
    test.describe(`${width} px, ${language}`, quickInEnglish(language), () => {
      test.use({ viewport: { width, height: 740 } })

      test('the home page with a code shows it whole and is no wider than the screen', async ({ page, sendMail }) => {
        await page.goto(`/?lang=${language}`)
        const to = await addressOn(page)
        if (width === 375) await expect(page.getByTestId('address')).toBeInViewport({ ratio: 1 })
        await sendMail({ to, subject: 'Code', text: 'Your verification code is 481516.' })
        const pill = page.locator('.arrival button')
        const chip = page.locator('[data-message] > div button').first()
        for (const [name, button] of Object.entries({ pill, chip })) {
          await expect(button, name).toBeVisible()
          const code = button.getByText('481 516')
          await button.scrollIntoViewIfNeeded()
          const box = await button.boundingBox()
          expect((box?.x ?? 0) + (box?.width ?? width), name).toBeLessThanOrEqual(width)
          expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), name).toBe(0)
          expect(await button.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), name).toBe(0)
        }
        expect(await beyondScreen(page)).toEqual({ px: 0, cut: [] })
      })

      test('the label of a link is whole, in its row and in the mail, whose words are as large as the page', async ({ page, sendMail }) => {
        await page.goto(`/?lang=${language}`)
        const html = '<p>Hello.</p><p><a href="https://shop.sender.test/confirm?t=481516">Confirm email address</a></p>'
        await sendMail({ to: await addressOn(page), subject: 'Welcome', html })
        const words = page.locator('[data-message] a, dialog li > a').getByText('Confirm email address')
        const cut = () =>
          words
            .last()
            .evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
              scrollWidth - clientWidth,
              scrollHeight - clientHeight,
            ])
        await expect(words).toBeVisible()
        expect(await cut(), 'in its row').toEqual([0, 0])
        await page.locator('[data-message] > button').click()
        await expect(words).toHaveCount(2)
        const label = words.last()
        // Three lines for three words at most: no word is broken.
        expect(
          await label.evaluate(element => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight)),
        ).toBeLessThan(3.1)
        const body = page.frameLocator('dialog iframe').locator('body')
        await expect(body).toContainText('Hello.')
        expect(await body.evaluate(element => getComputedStyle(element).fontSize)).toBe('32px')
      })

      test('no other page is wider than the screen', async ({ page, noise }) => {
        noise.allow(...NOT_FOUND_NOISE)
        const found: unknown[] = []
        for (const path of PAGES) {
          await page.goto(`${path}?lang=${language}`)
          if (path !== '/api/docs') await untilAlive(page)
          const { px, cut } = await beyondScreen(page)
          if (px > 0 || cut.length > 0) found.push({ path, px, cut })
        }
        expect(found).toEqual([])
      })
    })
  }
}

test('a window that is low for such a font shows its first screen', async ({ page }) => {
  for (const viewport of [
    { width: 1280, height: 620 },
    { width: 390, height: 620 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto('/?lang=en')
    await expectFirstScreen(page)
  }
})

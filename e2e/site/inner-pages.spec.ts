/** What all pages but the home page have in common. */
import type { Locator } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'

const PAGES = ['/privacy', '/terms', '/extension', '/operator', '/report', '/contact', '/auth', '/blog']
/** With a way back above the heading. */
const TOP_PX = 128

test('every inner page begins at the same place, and ends with the shore above the footer', async ({ page }) => {
  for (const [width, aboveMore] of [
    [375, 0],
    [1280, 24],
  ] as const) {
    // On a lower desktop screen the head is lower as well.
    await page.setViewportSize({ width, height: 900 })
    const sizes = new Set<string>()
    for (const path of PAGES) {
      await page.goto(`${path}?lang=en`)
      const heading = page.getByRole('heading', { level: 1 })
      const box = await heading.boundingBox()
      expect({ path, x: box?.x, y: box?.y }).toEqual({ path, x: width === 375 ? 20 : 104, y: TOP_PX + aboveMore })
      sizes.add(await heading.evaluate(element => getComputedStyle(element).fontSize))
      // The operator's page comes in two steps.
      const yOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
      const gap = async () => Math.round((await yOf(page.getByRole('contentinfo'))) - (await yOf(page.locator('.shore'))))
      await expect.poll(gap, path).toBe(64)
    }
    expect([...sizes]).toHaveLength(1)
  }
  await page.goto('/?lang=en')
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await expect(page.locator('.shore')).toHaveCount(0)
})

test('no letter is drawn over the full stop of an address or a host', async ({ page }) => {
  await page.goto('/contact?lang=en')
  const covered = await page.evaluate(async () => {
    const covering: string[] = []
    const pen = document.createElement('canvas').getContext('2d')
    for (const font of ['400 100px "Instrument Sans"', '600 100px "Instrument Sans"', '400 100px "Newsreader"']) {
      await document.fonts.load(font)
      if (!pen || !document.fonts.check(font)) return [`no ${font}`]
      pen.font = font
      const widthOf = (text: string) => pen.measureText(text).width
      for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/@') {
        for (const pair of [`${letter}.`, `.${letter}`]) {
          if (widthOf(pair) < widthOf(letter) + widthOf('.') - 0.5) covering.push(`${font}: ${pair}`)
        }
      }
    }
    return covering
  })
  expect(covered).toEqual([])
})

for (const width of [375, 1280]) {
  test(`/extension shows the pop-up at work, by day and by night (${width} px)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    for (const [language, colorScheme] of [
      ['en', 'light'],
      ['es', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`/extension?lang=${language}`)
      const picture = page.getByRole('img', { name: language === 'en' ? /^The pop-up/ : /^La ventana/ })
      await picture.scrollIntoViewIfNeeded()
      await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(300)
      expect(await picture.evaluate(image => (image as HTMLImageElement).currentSrc)).toContain(
        `/extension-${language}-${colorScheme}.webp`,
      )
    }
  })
}

test('in forced colours the chosen tab is in the pair of a selection, also under the pointer', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await page.goto('/auth?lang=en')
  await untilAlive(page)
  const tab = page.getByRole('tab', { name: 'Sign in' })
  const colours = () =>
    tab.evaluate(element => {
      const pair = document.createElement('i')
      pair.style.cssText = 'forced-color-adjust: none; background: Highlight; color: HighlightText'
      element.append(pair)
      const [drawn, wanted] = [element, pair].map(one => {
        const { color, backgroundColor } = getComputedStyle(one)
        return `${color} on ${backgroundColor}`
      })
      pair.remove()
      return { drawn, isWanted: drawn === wanted }
    })
  await expect.poll(colours).toMatchObject({ isWanted: true })
  await tab.hover()
  // The change of a colour takes its time.
  await page.evaluate(() => Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => undefined))))
  expect(await colours()).toMatchObject({ isWanted: true })
})

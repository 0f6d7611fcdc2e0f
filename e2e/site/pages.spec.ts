/**
 * Every page as it is served, in both languages: whole without a script, and held to the rules of e2e/harness/checks.ts once it is alive
 * (those that know no language, in one).
 */
import { LANGUAGES, languageQuery } from '#contract/languages.ts'
import {
  expectAccessible,
  expectNothingSideways,
  expectRoomForFingers,
  expectSeenInForcedColors,
  expectStillness,
  settle,
} from '../harness/checks.ts'
import { expect, quickInEnglish, servedTest, test, WITH_MOTION } from '../harness/fixtures.ts'
import { watchLayoutShifts } from '../harness/layout-shifts.ts'
import { expectNothingOverlaps } from '../harness/overlaps.ts'
import { NOT_FOUND_NOISE, walks } from '../harness/pages.ts'

test.use(WITH_MOTION)

for (const { language, path, url, isMissing, isPrivate, isInTurn } of walks) {
  test.describe(`${path} in ${language}`, quickInEnglish(language), () => {
    servedTest('is served with its text and its metadata, without running a script', async ({ request }) => {
      const response = await request.get(url)
      expect(response.status()).toBe(isMissing ? 404 : 200)
      const html = await response.text()
      expect(html).toContain(`<html lang="${language}"`)
      expect(html).not.toContain('mayfly.invalid')
      expect(html.match(/<title>[^<]{10,}<\/title>/g)).toHaveLength(1)
      expect(html.match(/<meta name="description" content="[^"]{20,}"/g)).toHaveLength(1)
      expect(html.match(/<h1[\s>]/g)).toHaveLength(1)
      expect(html, 'the first paint waits for no other file').not.toMatch(/rel="stylesheet"/)
      for (const name of ['og:title', 'og:description', 'og:url', 'og:image', 'og:locale']) {
        expect(html.match(new RegExp(`<meta property="${name}" content="[^"]+"`, 'g')), name).toHaveLength(1)
      }
      expect(html.match(/<meta name="twitter:card" content="summary_large_image"/g)).toHaveLength(1)
      if (isPrivate) {
        expect(html).toContain('<meta name="robots" content="noindex"')
        expect(html).not.toContain('rel="canonical"')
        return
      }
      const suffix = languageQuery(language).replace('?', '\\?')
      expect(html).toMatch(new RegExp(`<link rel="canonical" href="https?://[^"/]+${path}${suffix}"`))
      for (const alternate of [...LANGUAGES, 'x-default']) {
        expect(html.match(new RegExp(`hreflang="${alternate}"`, 'gi')), alternate).toHaveLength(1)
      }
    })

    servedTest('its social image exists and is 1200 by 630', async ({ request }) => {
      const html = await (await request.get(url)).text()
      const image = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
      const response = await request.get(new URL(image).pathname)
      expect(response.headers()['content-type']).toBe('image/png')
      const bytes = await response.body()
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    })

    const rest = isInTurn ? ', passes axe by day and night, and serves fingers and forced colours' : ''
    test(`hydrates without moving, never scrolls sideways${rest}`, { tag: isInTurn ? '@long' : [] }, async ({ page, noise }) => {
      if (isMissing) noise.allow(...NOT_FOUND_NOISE)
      const shifted = await watchLayoutShifts(page, noise)
      await page.goto(url)
      await settle(page)
      for (const selector of ['title', 'meta[name=description]', 'meta[property="og:title"]']) {
        await expect(page.locator(`head ${selector}`), selector).toHaveCount(1)
      }
      // A page that needs a session leads to /auth, which may be found.
      if (!isPrivate) await expect(page.locator('head link[rel=canonical]')).toHaveCount(1)
      expect(await shifted()).toBeLessThan(0.05)
      // Alive: what only our script can do works on every page.
      await page.getByRole('banner').getByRole('button', { expanded: false }).last().click()
      await expect(page.getByRole('menu')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)

      await expectNothingSideways(page)
      await expectNothingOverlaps(page)
      // Colours, sizes and motion are the same in every language.
      if (!isInTurn) return
      await expectAccessible(page)
      await expectStillness(page)
      await expectSeenInForcedColors(page)
      await expectRoomForFingers(page)
    })
  })
}

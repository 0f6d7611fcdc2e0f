/** A style sheet of the visitor that doubles the text: unlike the browser's own font size, media queries do not know of it. */
import { LANGUAGES } from '#contract/languages.ts'
import { expect, quickInEnglish, test } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'
import { addressOn } from '../harness/test-mail.ts'

test.use({ viewport: { width: 375, height: 740 } })

for (const language of LANGUAGES) {
  test(`with text at 200 % no page is wider than a phone (${language})`, quickInEnglish(language), async ({ page, sendMail }) => {
    const widths: Record<string, number> = {}
    for (const path of ['/', '/auth', '/contact', '/report', '/blog', '/privacy', '/extension']) {
      await page.goto(`${path}?lang=${language}`)
      await untilAlive(page)
      if (path === '/') {
        await sendMail({ to: await addressOn(page), subject: 'Code', text: 'Your verification code is 481516.' })
        await expect(page.locator('[data-message]')).toHaveCount(1)
      }
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      widths[path] = await page.evaluate(() => document.documentElement.scrollWidth)
    }
    expect(Object.entries(widths).filter(([, width]) => width > 375)).toEqual([])
  })
}

/** A printed article: its text and sources, black on white in both themes, and nothing that works only on a screen. */
import { expect, test } from '../harness/fixtures.ts'

for (const [language, colorScheme] of [
  ['en', 'light'],
  ['es', 'dark'],
] as const) {
  test(`an article prints completely and legibly (${language}, ${colorScheme})`, async ({ page }) => {
    await page.goto(`/blog/why-use-temporary-email?lang=${language}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.emulateMedia({ media: 'print', colorScheme })
    const article = page.getByRole('article').first()
    await expect(article.getByRole('heading', { level: 1 })).toBeVisible()
    for (const gone of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('navigation'), page.locator('#related')]) {
      await expect(gone.first()).toBeHidden()
    }
    const text = page.locator('.article p').first()
    await expect(text).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    // The lines of the drawing have the colour of ink, not of the dark theme.
    await expect(article.locator('svg').first()).toHaveCSS('color', 'rgb(0, 0, 0)')
    const source = page.locator('.article a[href^="https://petsymposium.org"]').first()
    expect(await source.evaluate(link => getComputedStyle(link, '::after').content)).toContain('https://petsymposium.org/')
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0, 'pages').toBeGreaterThan(1)
  })
}

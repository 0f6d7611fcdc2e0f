/** The language menu, how the language is detected, and what a change of language affects. */
import { homeSections } from '#web/texts/en/home.ts'
import { homeSections as homeSectionsInSpanish } from '#web/texts/es/home.ts'
import { expect, test } from '../harness/fixtures.ts'

test.describe('language', () => {
  test('choosing one replaces the history entry, is shown in uppercase, and is remembered', async ({ page }) => {
    await page.goto('/blog')
    await page.goto('/')
    const menu = page.getByRole('button', { name: /^Language:/ })
    await expect(menu).toHaveText('en')
    await expect(menu.locator('span')).toHaveCSS('text-transform', 'uppercase')
    await menu.click()
    await page.getByRole('menuitemradio', { name: 'Español' }).click()
    await expect(page).toHaveURL(url => url.searchParams.get('lang') === 'es')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Correo que vive diez minutos.')
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\?lang=es$/)
    expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('es')
    await page.goBack()
    await expect(page).toHaveURL(url => url.pathname === '/blog')
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  })

  test('sections that were not loaded yet change with the rest', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto('/?lang=en')
    await page.getByRole('button', { name: /^Language:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Español' }).click()
    await expect(page.getByRole('heading', { name: homeSectionsInSpanish.faq.title })).toBeAttached()
    await expect(page.getByRole('heading', { name: homeSections.faq.title })).toHaveCount(0)
  })

  test('the served headline is drawn in the other language, in the first again, and after a navigation', async ({ page }) => {
    await page.goto('/?lang=en')
    const headline = page.getByRole('heading', { level: 1 })
    const benefits = page.getByRole('main').getByRole('list').first().getByRole('listitem')
    for (const [menu, name, words] of [
      [/^Language:/, 'Español', 'Correo que vive diez minutos.'],
      [/^Idioma:/, 'English', 'Mail that lives ten minutes.'],
    ] as const) {
      await page.getByRole('button', { name: menu }).click()
      await page.getByRole('menuitemradio', { name }).click()
      await expect(headline).toHaveText(words)
      await expect(benefits).toHaveCount(3)
    }
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blog' }).click()
    await expect(headline).toHaveText('Blog')
    await page.getByRole('banner').getByRole('link', { name: 'Mayfly' }).click()
    await expect(headline).toHaveText('Mail that lives ten minutes.')
    await expect(benefits).toHaveCount(3)
  })

  test('the menu works by keyboard and closes with Escape', async ({ page }) => {
    await page.goto('/')
    const button = page.getByRole('button', { name: /^Language:/ })
    await button.press('Enter')
    await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitemradio', { name: 'Español' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(button).toBeFocused()
  })

  test.describe('of a Spanish browser', () => {
    test.use({ locale: 'es-AR' })

    test('is Spanish without being asked, English with the parameter, and a stored choice comes before the browser’s', async ({ page }) => {
      await page.goto('/')
      await expect(page.locator('html')).toHaveAttribute('lang', 'es')
      await page.goto('/?lang=en')
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await page.evaluate(() => localStorage.setItem('lang', 'en'))
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mail that lives ten minutes.')
    })
  })

  test('the language of a shared link stays on every page that the visitor opens', async ({ page }) => {
    await page.goto('/?lang=es')
    const blog = page.getByRole('banner').getByRole('link', { name: 'Blog' })
    await expect(blog).toHaveAttribute('href', '/blog?lang=es')
    await blog.click()
    await expect(page).toHaveURL(url => url.pathname === '/blog' && url.search === '?lang=es')
    await page.getByRole('article').first().getByRole('link').last().click()
    await expect(page).toHaveURL(url => url.pathname.startsWith('/blog/') && url.search === '?lang=es')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    // The person who shared the link chose it, not the visitor.
    expect(await page.evaluate(() => localStorage.getItem('lang'))).toBeNull()
  })

  test('anything but en and es is ignored', async ({ page }) => {
    await page.goto('/?lang=../../etc/passwd')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})

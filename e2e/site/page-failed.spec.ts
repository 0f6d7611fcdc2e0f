import { expect, test, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'

test.use(WITH_SERVICE_WORKER)

test.describe('a page whose code cannot be fetched', () => {
  // The worker would answer from its cache, and requests it makes itself are not seen here.
  test.use({ serviceWorkers: 'block' })

  test('says so and recovers by a reload', async ({ page, noise }) => {
    noise.allow(/Failed to load resource/, /Failed to fetch dynamically imported module/)
    await page.route(/\/assets\/contact-.*\.js/, route => route.abort())
    await page.goto('/?lang=es')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Contacto', exact: true }).click()
    const failed = page.getByRole('alert').filter({ hasText: 'Esta página no se ha cargado' })
    await expect(failed).toBeVisible()
    await expect(page.getByRole('banner')).toBeVisible()
    await page.unroute(/\/assets\/contact-.*\.js/)
    await failed.getByRole('button', { name: 'Recargar' }).click()
    await expect(page.getByRole('textbox').first()).toBeEditable()
    await expect(failed).toHaveCount(0)
  })

  test('says so on the first page of a visit too', async ({ page, noise }) => {
    noise.allow(/Failed to load resource/, /Failed to fetch dynamically imported module/)
    await page.route(/\/assets\/(contact|pictures)-.*\.js/, route => route.abort())
    await page.goto('/contact')
    const failed = page.getByRole('alert').filter({ hasText: 'This page did not load' })
    await expect(failed).toBeVisible()
    await expect(failed.locator('div'), 'no room is kept for a drawing that is not there').toBeHidden()
    await page.unroute(/\/assets\/(contact|pictures)-.*\.js/)
    await failed.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('textbox').first()).toBeEditable()
  })
})

test('ten first visits, in both languages and on a phone, leave the console silent', async ({ browser, baseURL }) => {
  const heard: string[] = []
  for (const [index, query] of ['', '?lang=es', '?lang=en', '', '?lang=es', '?lang=en', '?lang=es', '', '?lang=es', '?lang=en'].entries()) {
    const context = await browser.newContext({
      viewport: { width: 360, height: 640 },
      locale: index % 2 === 0 ? 'en-US' : 'es-ES',
      extraHTTPHeaders: { 'x-forwarded-for': `10.9.8.${index}` },
    })
    context.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') heard.push(`${query} ${message.text()}`)
    })
    context.on('weberror', error => heard.push(`${query} ${error.error().stack} caused by ${error.error().cause}`))
    const page = await context.newPage()
    await page.goto(`${baseURL}/${query}`)
    await expect(page.getByTestId('address')).toBeVisible()
    await context.close()
  }
  expect(heard).toEqual([])
})

test.describe('a section whose code comes late', () => {
  test.use({ serviceWorkers: 'block' })

  test('a press in the footer that began before its code came is not lost', async ({ page }) => {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/\/assets\/site-footer-.*\.js/, route => released.then(() => route.continue()))
    // In WebKit a pressed link does not take the focus; here it is kept from it.
    await page.addInitScript(() => addEventListener('mousedown', event => event.preventDefault(), { capture: true }))
    await page.goto('/?lang=en')
    const asked = page.waitForRequest(/\/assets\/site-footer-.*\.js/)
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'Contact', exact: true })
    await link.scrollIntoViewIfNeeded()
    await asked
    await expect(page.getByRole('heading', { name: 'Your address is waiting.' })).toBeVisible()
    await link.hover()
    await page.mouse.down()
    const fetched = page.waitForResponse(/\/assets\/site-footer-.*\.js/)
    release()
    await (await fetched).finished()
    // React would have drawn it by then.
    await page.waitForTimeout(1000)
    await page.mouse.up()
    await expect(page).toHaveURL(/\/contact(\?|$)/)
    await expect(page.getByRole('textbox').first()).toBeEditable()
  })
})

/** The site as an installed app, and without a network. */
import { expect, servedTest, test, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { openHome } from '../message/reader/reading.ts'

test.use(WITH_SERVICE_WORKER)

test.describe('installed', () => {
  test('launch mode and the install prompt are sent to an analytics function, a second after the start', async ({ page }) => {
    await page.addInitScript(() => {
      const sent: unknown[] = []
      Object.assign(window, { sent, gtag: (...event: unknown[]) => void sent.push([performance.now(), ...event]) })
    })
    await page.goto('/contact')
    // Alive: from here on it listens.
    await expect(page.getByRole('textbox').first()).toBeEditable()
    await page.evaluate(() => {
      const prompt = Object.assign(new Event('beforeinstallprompt'), { userChoice: Promise.resolve({ outcome: 'dismissed' }) })
      dispatchEvent(prompt)
      dispatchEvent(new Event('appinstalled'))
    })
    const names = () => page.evaluate(() => (Reflect.get(window, 'sent') as [number, string, string, object][]).map(([, , name]) => name))
    await expect.poll(names).toContain('pwa_launch_mode')
    expect((await names()).toSorted()).toEqual(['pwa_install_dismissed', 'pwa_install_prompt_shown', 'pwa_installed', 'pwa_launch_mode'])
    const sent = await page.evaluate(() => Reflect.get(window, 'sent') as [number, string, string, object][])
    expect(sent.find(([, , name]) => name === 'pwa_launch_mode')?.[3]).toEqual({ display_mode: 'browser' })
    expect(Math.min(...sent.map(([sentAtMs]) => sentAtMs))).toBeGreaterThan(1000)
  })

  servedTest('the manifest and its icons are there', async ({ request }) => {
    const manifest = await (await request.get('/manifest.webmanifest')).json()
    for (const icon of manifest.icons) {
      const bytes = await (await request.get(icon.src)).body()
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(icon.sizes)
    }
  })

  servedTest('/favicon.ico is the icon for programs that do not read the page', async ({ request }) => {
    const response = await request.get('/favicon.ico')
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/x-icon'])
    const [icon, png] = await Promise.all([response.body(), (await request.get('/favicon-32.png')).body()])
    // One image of 32 by 32 pixels, the PNG.
    expect([...icon.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32])
    expect(icon.subarray(icon.readUInt32LE(18))).toEqual(png)
  })

  test('a browser draws /favicon.ico', async ({ page }) => {
    await page.goto('/contact')
    const size = await page.evaluate(async () => {
      const icon = new Image()
      icon.src = '/favicon.ico'
      await icon.decode()
      return [icon.naturalWidth, icon.naturalHeight]
    })
    expect(size).toEqual([32, 32])
  })

  test('without a network a visited page opens, and another explains why it does not', async ({ page, context, noise }) => {
    noise.allow(/net::ERR_INTERNET_DISCONNECTED/, /Failed to fetch/, /offline/i)
    await page.goto('/contact?lang=en')
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
      if (!navigator.serviceWorker.controller) {
        await new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
      }
    })
    // Not even a second look with a network is needed.
    const isKept = () => page.evaluate(async () => (await caches.match('/contact?lang=en', { ignoreVary: true })) !== undefined)
    await expect.poll(isKept).toBe(true)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('You are offline.')).toBeVisible()
    await page.goto('/blog?lang=es')
    await expect(page.getByRole('heading', { name: 'No tienes conexión' })).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Intentarlo de nuevo' }).click()
    await expect(page.getByRole('heading', { name: 'No tienes conexión' })).toHaveCount(0)
  })

  test('opened without a network, the inbox says that its mail is kept, and the mail is there with the network', async ({
    page,
    context,
    sendMail,
    noise,
  }) => {
    noise.allow(/net::ERR_INTERNET_DISCONNECTED/, /Failed to fetch/, /ProblemError|TypeError/)
    const to = await openHome(page)
    await sendMail({ to, subject: 'Already here', text: 'hello' })
    const mail = page.locator('[data-message]')
    await expect(mail).toHaveCount(1)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await expect.poll(() => page.evaluate(async () => (await caches.match('/?lang=en', { ignoreVary: true })) !== undefined)).toBe(true)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText('Mail that has already arrived is kept.')).toBeVisible()
    await expect(page.getByTestId('connection-state')).toHaveText('Offline')
    await expect(page.getByText('Our server does not answer.'), 'the banner says what is the matter').toHaveCount(0)
    await context.setOffline(false)
    await expect(mail).toHaveCount(1)
    await expect(page.getByTestId('connection-state')).toHaveText('Live')
  })

  test('without a network the failure of the first click is told', async ({ page, context, noise }) => {
    noise.allow(/net::ERR_INTERNET_DISCONNECTED/, /Failed to fetch/, /BotCheckError|ProblemError|TypeError/)
    await openHome(page)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Generate new' }).click()
    const failure = page.locator('[data-toast=destructive]')
    await expect(failure).toContainText('Failed to generate email. Please try again. You are offline.')
    // While the pointer rests on it, it stays by itself.
    await failure.hover()
    await context.setOffline(false)
    await expect(failure).toHaveCount(0)
  })
})

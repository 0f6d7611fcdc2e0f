/**
 * Notifications with the page closed. Headless Chromium has no push service and shows no notifications, so both are replaced: the browser
 * subscribes at an endpoint of this test, which receives what the server really sends, decrypts it and passes it to the real service
 * worker. Notifications are recorded instead of shown.
 */
import type { BrowserContext, Page, Worker } from '@playwright/test'
import { decryptPush, newBrowserKeys } from '#test/harness/clients/push-browser.ts'
import { type PushEndpoint, startPushEndpoint } from '#test/harness/servers/push-endpoint.ts'
import { signIn, test } from '../harness/account-fixtures.ts'
import { expect, WITH_SERVICE_WORKER } from '../harness/fixtures.ts'
import { recordNotifications, shownNotifications } from '../harness/notifications.ts'
import { addressOn, mailTo, waiveUndo } from '../harness/test-mail.ts'

// One after the other in one worker, since each worker would start a server of this kind.
test.describe.configure({ mode: 'default' })
test.use({ ...WITH_SERVICE_WORKER, serverEnv: { PUSH_SERVICES: '127.0.0.1' } })

let service: PushEndpoint
test.beforeEach(async () => {
  service = await startPushEndpoint()
})
test.afterEach(() => service[Symbol.asyncDispose]())

const browser = newBrowserKeys()

/** As a browser with a push service does. */
async function subscribeHere(page: Page): Promise<void> {
  const { p256dh, auth } = browser.keys
  const json = { endpoint: `${service.url}/browser`, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } }
  await page.addInitScript(subscription => {
    let current: object | null = null
    const made = (options: { applicationServerKey: string }) => {
      Object.assign(window, { askedWith: options })
      const key = Uint8Array.from(atob(options.applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0))
      current = {
        options: { applicationServerKey: key.buffer },
        toJSON: () => subscription,
        unsubscribe: async () => {
          current = null
          return true
        },
      }
      return current
    }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      subscribe: async (options: { applicationServerKey: string }) => made(options),
    })
    Object.assign(window, { isSubscribed: () => current !== null })
  }, json)
}

async function workerOf(page: Page, context: BrowserContext): Promise<Worker> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('the site has no service worker')
  await worker.evaluate(() => {
    const shown: object[] = []
    const scope = globalThis as unknown as { registration: { showNotification: (title: string, options: object) => Promise<void> } }
    scope.registration.showNotification = async (title, options) => void shown.push({ title, ...options })
    Object.assign(globalThis, { shown })
  })
  return worker
}
const shownBy = (worker: Worker) => worker.evaluate(() => Reflect.get(globalThis, 'shown') as { title: string }[])

/** Passes the newest message of the endpoint to the service worker. */
async function handOver(worker: Worker, count: number): Promise<string> {
  await expect.poll(() => service.pushed.length, { timeout: 20_000 }).toBe(count)
  const content = decryptPush(browser, service.pushed.at(-1)?.body ?? Buffer.alloc(0)).toString()
  await worker.evaluate(data => {
    const event = new (Reflect.get(globalThis, 'PushEvent'))('push', { data })
    dispatchEvent(event)
  }, content)
  return content
}

test('with the page closed a notification names the address but no content', async ({ page, context, sendMail }) => {
  await recordNotifications(page)
  await subscribeHere(page)
  await page.goto('/?lang=es')
  const to = await addressOn(page)
  const worker = await workerOf(page, context)
  await page.getByRole('button', { name: 'Avisarme', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Avisos activados' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('[data-toast]').filter({ hasText: 'Avisos activados' })).toBeVisible()
  const elsewhere = await context.newPage()
  await page.close()

  await sendMail(mailTo(to, 'A secret subject'))
  const content = await handOver(worker, 1)
  expect(Object.keys(JSON.parse(content))).toEqual(['id'])
  await expect.poll(() => shownBy(worker)).toHaveLength(1)
  const [shown] = await shownBy(worker)
  expect(shown).toMatchObject({ title: `Correo nuevo en ${to}`, icon: '/icon-192.png' })
  expect(JSON.stringify(shown)).not.toContain('secret')
  await elsewhere.close()
})

test('a visible page shows no notification of the push service', { tag: '@long' }, async ({ page, context, sendMail }) => {
  await recordNotifications(page)
  await subscribeHere(page)
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  const worker = await workerOf(page, context)
  await page.getByRole('button', { name: 'Notify me', exact: true }).click()
  await expect(page.locator('[data-toast]').filter({ hasText: 'Notifications on' })).toBeVisible()
  await sendMail(mailTo(to))
  await handOver(worker, 1)
  await expect(page.locator('[data-message]')).toHaveCount(1)
  expect(await shownBy(worker)).toEqual([])
})

test('switching notifications off, or the expiry of the address, unsubscribes the browser and stores nothing', { tag: '@long' }, async ({
  page,
  context,
  sendMail,
}) => {
  await recordNotifications(page)
  await subscribeHere(page)
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await workerOf(page, context)
  const isSubscribed = () => page.evaluate(() => (Reflect.get(window, 'isSubscribed') as () => boolean)())
  const keptAddresses = () => page.evaluate(async () => (await (await caches.open('push-addresses')).keys()).length)
  await page.getByRole('button', { name: 'Notify me', exact: true }).click()
  await expect.poll(keptAddresses).toBe(1)
  expect(await isSubscribed()).toBe(true)
  await page.getByRole('button', { name: 'Notifications on' }).click()
  await expect.poll(isSubscribed).toBe(false)
  await expect.poll(keptAddresses).toBe(0)
  await sendMail(mailTo(to, 'Nobody is told'))
  await expect(page.locator('[data-message]')).toHaveCount(1)
  expect(service.pushed).toEqual([])

  await page.getByRole('button', { name: 'Notify me', exact: true }).click()
  await expect.poll(keptAddresses).toBe(1)
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  await expect.poll(isSubscribed, { timeout: 20_000 }).toBe(false)
  await expect.poll(keptAddresses).toBe(0)
})

test('a browser with an unknown push service is notified by the open page only', async ({ page, context, noise }) => {
  noise.allow(/403/)
  await recordNotifications(page)
  await subscribeHere(page)
  await page.route('**/api/mailbox/push', route =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: '{"type":"about:blank","title":"no","status":403,"code":"push_refused"}',
    }),
  )
  await page.goto('/?lang=en')
  await addressOn(page)
  await workerOf(page, context)
  const refused = page.waitForResponse('**/api/mailbox/push')
  await page.getByRole('button', { name: 'Notify me', exact: true }).click()
  await refused
  await expect(page.getByRole('button', { name: 'Notifications on' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('[data-toast]')).toHaveCount(0)
})

test('a notification of a mail with a code copies it at a press', async ({ page, context, sendMail }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await recordNotifications(page, 'granted')
  await page.addInitScript(() => {
    localStorage.setItem('mayfly.notify', 'true')
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
      void Object.assign(window, { offered: { title, ...options } })
  })
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  const worker = await workerOf(page, context)
  await sendMail(mailTo(to))
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'offered')))
    .toMatchObject({
      title: 'Mail from Ada',
      data: { email: to, code: '481516' },
      actions: [{ action: 'copy', title: '481 516 · Copy code' }],
    })
  expect(await shownNotifications(page), 'and none without the button').toEqual([])
  await worker.evaluate(() => {
    const event = new (Reflect.get(globalThis, 'ExtendableEvent'))('notificationclick')
    dispatchEvent(Object.assign(event, { action: 'copy', notification: { data: { code: '481516' }, close: () => undefined } }))
  })
  await expect(page.locator('[data-toast]').filter({ hasText: 'Code copied to clipboard.' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('481516')

  // The notification outlives its page. No program may press one, so the worker may open no page: this test does.
  await page.evaluate(() => navigator.clipboard.writeText(''))
  const elsewhere = await context.newPage()
  await page.close()
  await worker.evaluate(() => {
    Object.assign(Reflect.get(globalThis, 'clients'), { openWindow: async () => Object.assign(globalThis, { isAsked: true }) })
    const event = new (Reflect.get(globalThis, 'ExtendableEvent'))('notificationclick')
    dispatchEvent(Object.assign(event, { action: 'copy', notification: { data: { code: '162342' }, close: () => undefined } }))
  })
  await expect.poll(() => worker.evaluate(() => Reflect.get(globalThis, 'isAsked'))).toBe(true)
  await elsewhere.goto('/?lang=en')
  await expect(elsewhere.locator('[data-toast]').filter({ hasText: 'Code copied to clipboard.' })).toBeVisible()
  expect(await elsewhere.evaluate(() => navigator.clipboard.readText())).toBe('162342')
})

/** A browser, too, keeps them after their page, and after itself. Only this test's pages may see them. */
async function keepNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Kept = { title: string; data?: unknown }
    localStorage.setItem('mayfly.notify', 'true')
    const read = (): Kept[] => JSON.parse(localStorage.getItem('kept') ?? '[]')
    const write = (kept: readonly Kept[]) => localStorage.setItem('kept', JSON.stringify(kept))
    Object.assign(ServiceWorkerRegistration.prototype, {
      showNotification: async (title: string, options: object) => write([...read(), { title, ...options }]),
      getNotifications: async () =>
        read().map(kept => ({ ...kept, close: () => write(read().filter(other => JSON.stringify(other) !== JSON.stringify(kept))) })),
    })
  })
}
const keptTitles = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('kept') ?? '[]') as { title: string }[]).map(({ title }) => title))

test('a notification goes with its address, also one whose page was closed', async ({ page, context, sendMail }) => {
  await recordNotifications(page, 'granted')
  await keepNotifications(page)
  await page.goto('/?lang=en')
  const to = await addressOn(page)
  await workerOf(page, context)
  await sendMail(mailTo(to))
  await expect.poll(() => keptTitles(page)).toEqual(['Mail from Ada'])
  await page.reload()
  expect(await addressOn(page)).toBe(to)
  await expect(page.locator('[data-message]')).toHaveCount(1)
  expect(await keptTitles(page), 'its address lives').toEqual(['Mail from Ada'])
  await page.getByRole('button', { name: 'Delete address' }).click()
  await waiveUndo(page)
  await expect.poll(() => keptTitles(page), { timeout: 20_000 }).toEqual([])
})

test('who signs out leaves no notification of the account, and nobody here is told of its mail', async ({
  page,
  context,
  sendMail,
  newAccount,
}) => {
  await recordNotifications(page, 'granted')
  await keepNotifications(page)
  await subscribeHere(page)
  await signIn(page, await newAccount('told@example.com'))
  await expect(page).toHaveURL('/')
  const to = await addressOn(page)
  await workerOf(page, context)
  const pushed = () =>
    page.evaluate(async () => (await caches.has('push-addresses')) && (await (await caches.open('push-addresses')).keys()).length)
  await page.getByRole('button', { name: 'Notifications on' }).click()
  await page.getByRole('button', { name: 'Notify me', exact: true }).click()
  await expect.poll(pushed).toBe(1)
  await sendMail(mailTo(to))
  await expect.poll(() => keptTitles(page)).toEqual(['Mail from Ada'])
  const panel = page.getByRole('region', { name: 'Your addresses' })
  await panel.getByRole('button', { name: /^Your addresses/ }).click()
  await panel.getByRole('button', { name: 'Create address' }).click()
  await expect.poll(() => addressOn(page)).not.toBe(to)
  await sendMail(mailTo(to))
  const elsewhere = page.getByTestId('mail-elsewhere')
  await expect(elsewhere).toHaveText('2 unread')
  await expect.poll(() => keptTitles(page)).toEqual(['Mail from Ada', 'Mail from Ada'])
  await page.reload()
  await expect(elsewhere).toHaveText('2 unread')
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  expect(await keptTitles(page), 'another address of the account lives').toHaveLength(2)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL('/auth')
  await expect.poll(() => keptTitles(page)).toEqual([])
  await expect.poll(pushed).toBe(false)
})

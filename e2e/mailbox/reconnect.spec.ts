/** A server is replaced while a page is open. */
import { expect, test } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'
import { liveAddress, openHome } from '../message/reader/reading.ts'
import { loadWords } from '../scenes/words.ts'

const AWAY_MS = 1500
const RECONNECT = `:\n\nretry: ${AWAY_MS}\nevent: reconnect\ndata: {"type":"reconnect","afterMs":${AWAY_MS}}\n\n`

test('when a server stops, the page connects to another one, and the visitor notices nothing', async ({ page, sendMail }) => {
  let streams = 0
  // The last event of a server that stops. The next request reaches the real one.
  await page.route('**/api/mailbox/events', route =>
    ++streams === 1 ? route.fulfill({ contentType: 'text/event-stream', body: RECONNECT }) : route.continue(),
  )
  const to = await openHome(page)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const wasTold = page
    .getByText('Reconnecting')
    .waitFor({ timeout: AWAY_MS })
    .then(
      () => true,
      () => false,
    )
  await expect.poll(() => streams).toBe(2)
  expect(await wasTold).toBe(false)
  await sendMail({ to, subject: 'Through the next one', text: 'hello' })
  await expect(page.getByText('Through the next one').first()).toBeVisible()
})

test('on a phone a long state takes a second line, and the buttons keep theirs', async ({ page, noise }) => {
  noise.allow(/status of 429/)
  await page.setViewportSize({ width: 375, height: 667 })
  await page.route('**/api/mailbox/events', route => route.fulfill({ status: 429, json: { code: 'streams_max' } }))
  await page.goto('/?lang=es')
  const state = page.getByTestId('connection-state')
  await expect(state).toHaveText('Se comprueba cada minuto')
  const [left, right] = await Promise.all([state, page.getByRole('button', { name: 'Actualizar' })].map(part => part.boundingBox()))
  expect(Math.abs((left?.y ?? 0) + (left?.height ?? 0) / 2 - (right?.y ?? 0) - (right?.height ?? 0) / 2)).toBeLessThan(4)
})

const words = {
  text: 'Nuestro servidor no responde. Quien te envía correo suele volver a intentarlo.',
  again: /Nuevo intento en \d+ s/,
  retry: 'Probar ahora',
  empty: 'Aún no ha llegado nada.',
  kept: 'El correo que ya llegó se conserva. Aparecerá aquí cuando haya conexión con el servidor.',
  notify: 'Avisarme',
}

test('a server that does not answer is told of, with the time of the next try', async ({ page, context, sendMail, noise }) => {
  noise.allow(/ERR_/, /ProblemError/)
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }))
  await page.goto('/?lang=es')
  const to = await liveAddress(page, 'es')
  const bell = page.getByRole('button', { name: words.notify, exact: true })
  await expect(bell).toBeEnabled()
  await page.route('**/api/mailbox*/**', route => route.abort('connectionrefused'))
  // Ends the stream that is open.
  await context.setOffline(true)
  await context.setOffline(false)
  const away = page.getByText(words.text)
  await expect(away).toBeVisible()
  await expect(page.getByText(words.again)).toBeVisible()
  const empty = page.getByText(words.empty)
  await expect(empty, 'nobody knows what the server has received').toHaveCount(0)
  await expect(page.getByText(words.kept)).toBeVisible()
  await expect(bell, 'it cannot tell of mail').toBeDisabled()
  await page.getByRole('button', { name: words.retry }).click()
  await expect(away, 'it is still away').toBeVisible()
  await page.unroute('**/api/mailbox*/**')
  await page.getByRole('button', { name: words.retry }).click()
  await expect(away).toHaveCount(0)
  await expect(empty).toBeVisible()
  await expect(bell).toBeEnabled()
  expect(await liveAddress(page, 'es')).toBe(to)
  await sendMail({ to, subject: 'After the pause', text: 'hello' })
  await expect(page.locator('[data-message]')).toHaveCount(1)
})

for (const opened of ['before', 'while'] as const)
  test(`"Try now" in a tab that was opened ${opened} the server was away ends the wait of every tab`, async ({ page, context, noise }) => {
    noise.allow(/ERR_/, /ProblemError/)
    // The first tab, which has the stream, then tries again only when it is told to.
    await page.addInitScript(() => {
      const start = window.setTimeout
      Object.assign(window, { setTimeout: (run: TimerHandler, ms = 0) => (ms > 5000 ? 0 : start(run, ms)) })
    })
    await page.goto('/')
    await liveAddress(page, 'en')
    const second = await context.newPage()
    const openSecond = async () => {
      await second.goto('/')
      await addressOn(second)
    }
    if (opened === 'before') await openSecond()
    await context.route('**/api/mailbox*/**', route => route.abort('connectionrefused'))
    await context.setOffline(true)
    await context.setOffline(false)
    const away = 'Our server does not answer.'
    await expect(page.getByText(away)).toBeVisible()
    if (opened === 'while') await openSecond()
    await expect(second.getByText(away)).toBeVisible()
    await context.unroute('**/api/mailbox*/**')
    await second.getByRole('button', { name: 'Try now' }).click()
    for (const tab of [page, second]) await expect(tab.getByText(away)).toHaveCount(0)
  })

test(`"Generate new" at a server that is away keeps address and mail in sight, and blames nobody's network`, async ({
  page,
  sendMail,
  noise,
}) => {
  noise.allow(/ERR_/, /ProblemError/)
  const { mailbox, notices } = await loadWords('es')
  await page.goto('/?lang=es')
  const to = await liveAddress(page, 'es')
  await sendMail({ to, subject: 'Still here', text: 'hello' })
  const mail = page.locator('[data-message]')
  await expect(mail).toHaveCount(1)
  await page.evaluate(() => {
    const inbox = document.getElementById('inbox')
    const note = () => inbox?.querySelector('[data-message]') ?? inbox?.toggleAttribute('data-was-emptied', true)
    if (inbox) new MutationObserver(note).observe(inbox, { childList: true, subtree: true })
  })
  const asked = Promise.withResolvers<void>()
  const isLate = Promise.withResolvers<void>()
  await page.route('**/api/**', async route => {
    if (route.request().method() === 'POST') asked.resolve()
    await isLate.promise
    await route.abort('connectionrefused')
  })
  await page.getByRole('button', { name: mailbox.generate, exact: true }).click()
  await asked.promise
  await expect(page.getByRole('button', { name: mailbox.generating })).toBeDisabled()
  await expect(page.locator('[data-mailbox=generating]')).toContainText(to.slice(0, to.indexOf('@')))
  isLate.resolve()
  await expect(page.locator('[data-toast=destructive]')).toContainText(`${notices.generateFailed} ${notices.unreached}`)
  expect(await addressOn(page)).toBe(to)
  await expect(mail).toHaveCount(1)
  await expect(page.locator('[data-was-emptied]')).toHaveCount(0)
})

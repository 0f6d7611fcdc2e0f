/** A server is replaced while a page is open. */
import { expect, test } from '../harness/fixtures.ts'
import { openHome } from '../message/reader/reading.ts'

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

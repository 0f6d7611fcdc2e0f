/** What a page costs that only waits: a phone lies on the table with it, and its processor should rest between the seconds. */
import type { Page } from '@playwright/test'
import { expect, test } from '../harness/fixtures.ts'
import { openHome } from '../message/reader/reading.ts'

/** How often the browser computed styles and laid out the page so far. */
async function work(page: Page): Promise<{ styles: number; layouts: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const count = (name: string) => metrics.find(metric => metric.name === name)?.value ?? Number.NaN
  return { styles: count('RecalcStyleCount'), layouts: count('LayoutCount') }
}

/** Until the clock has shown so many other times. */
async function passSeconds(page: Page, seconds: number): Promise<void> {
  await page.getByTestId('countdown').evaluate(
    (clock, times) =>
      new Promise<void>(done => {
        let left = times
        const observer = new MutationObserver(() => {
          left -= 1
          if (left > 0) return
          observer.disconnect()
          done()
        })
        observer.observe(clock, { subtree: true, childList: true, characterData: true })
      }),
    seconds,
  )
}

test('a page that waits draws once a second, and nothing in between', async ({ page }) => {
  await openHome(page)
  await expect(page.getByTestId('connection-state')).toHaveText('Live')
  // What the visit itself set in motion has ended.
  await passSeconds(page, 3)
  const before = await work(page)
  await passSeconds(page, 4)
  const after = await work(page)
  expect(after.styles - before.styles).toBeLessThanOrEqual(8)
  expect(after.layouts - before.layouts).toBeLessThanOrEqual(8)
})

test('the sections far below are not laid out until they come near, and are there for whoever scrolls or searches', async ({ page }) => {
  // Looked at after the first frames: once the page has come to rest it is laid out.
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const look = () => {
        const heading = [...document.querySelectorAll('h2')].find(({ textContent }) => textContent === 'Questions and answers')
        Reflect.set(window, 'wasSkipped', heading && !heading.checkVisibility({ contentVisibilityAuto: true }))
      }
      requestAnimationFrame(() => requestAnimationFrame(look))
    }),
  )
  await openHome(page)
  const questions = page.getByRole('heading', { name: 'Questions and answers' })
  const isSkipped = () => questions.evaluate(heading => !heading.checkVisibility({ contentVisibilityAuto: true }))
  expect(await page.evaluate(() => Reflect.get(window, 'wasSkipped'))).toBe(true)
  await expect(questions).toHaveCount(1)
  await questions.scrollIntoViewIfNeeded()
  await expect(questions).toBeInViewport()
  await expect.poll(isSkipped).toBe(false)
})

test.describe('an address that lives an hour', () => {
  test.use({ serverEnv: { LIFETIME_SECONDS: '3600' } })

  test('its time moves nothing on the page when the hours are dimmed', async ({ page }) => {
    await page.addInitScript(() => {
      Reflect.set(window, 'moved', [])
      new PerformanceObserver(list => {
        for (const entry of list.getEntries())
          for (const { node } of (entry as PerformanceEntry & { sources: { node: Node | null }[] }).sources)
            Reflect.get(window, 'moved').push(node?.textContent)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await openHome(page)
    await expect(page.getByTestId('countdown')).toHaveText('00:59:57')
    const moved: (string | null)[] = await page.evaluate(() => Reflect.get(window, 'moved'))
    expect(moved.filter(text => text !== null && /^[\d:]+$/.test(text))).toEqual([])
  })
})

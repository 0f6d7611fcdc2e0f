/** The API reference at `/api/docs`, a page of its own without scripts. */
import { expect, test } from '../harness/fixtures.ts'

test('the API reference has every operation with samples, its schemas, and code that keyboards can scroll', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await page.goto('/api/docs')
  const wait = page.locator('section', { has: page.locator('#waitForMessage') })
  await expect(wait).toContainText('GET /api/mailbox/wait')
  await expect(wait).toContainText('Needs the token of the address.')
  await expect(wait.getByRole('region', { name: 'curl' })).toBeVisible()
  await wait.locator('summary', { hasText: 'httpx' }).click()
  await expect(wait.getByRole('region', { name: 'httpx' })).toBeVisible()
  expect(
    await page
      .locator('a[href^="#"]')
      .evaluateAll(links => links.filter(a => !document.querySelector(`[id="${(a as HTMLAnchorElement).hash.slice(1)}"]`)).length),
  ).toBe(0)
  await expect(page.getByText('**')).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

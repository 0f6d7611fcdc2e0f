/** A page that comes without the challenge in its header: as over plain http, or behind a proxy that removes it. */
import type { Page } from '@playwright/test'

export async function withoutPageChallenge(page: Page): Promise<void> {
  await page.route(
    url => url.pathname === '/',
    async route => {
      const response = await route.fetch()
      const { 'server-timing': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    },
  )
}

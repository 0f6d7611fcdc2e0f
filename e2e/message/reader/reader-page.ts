/** An empty page with the parts of the reader, for tests that show mail without the site around it. */
import { createServer } from 'node:http'
import { test as base, type Page } from '@playwright/test'
import { buildReader } from './reader-bundle.ts'
import { boundPort } from './reading.ts'

/** For frames that load nothing. `/` is the page around them. */
const FRAME_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

export const EMPTY_DOCUMENT = '<!doctype html><html><head></head><body style="margin:0"></body></html>'

type ReaderFixtures = {
  /** `window.mayfly` has the parts of the reader. Every other path of the page's site is an empty document that may load nothing. */
  readerPage: Page
}

export const readerTest = base.extend<ReaderFixtures, { readerSite: string }>({
  readerSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
    async ({}, use) => {
      const site = createServer((request, response) => {
        if (request.url !== '/') response.setHeader('content-security-policy', FRAME_POLICY)
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(EMPTY_DOCUMENT)
      })
      await new Promise<void>(ready => site.listen(0, '127.0.0.1', ready))
      await use(`http://127.0.0.1:${boundPort(site)}/`)
      site.closeAllConnections()
      await new Promise(closed => site.close(closed))
    },
    { scope: 'worker' },
  ],

  readerPage: async ({ page, readerSite }, use) => {
    await page.goto(readerSite)
    await page.addScriptTag({ content: await buildReader() })
    await use(page)
  },
})

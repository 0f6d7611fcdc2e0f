/** How the tests of the reader open a mail and inspect its frame. */
import { createServer, type Server } from 'node:http'
import { expect, type Page } from '@playwright/test'
import type { Language } from '#contract/languages.ts'
import type { Noise } from '../../harness/fixtures.ts'
import { addressOn } from '../../harness/test-mail.ts'
import { loadWords } from '../../scenes/words.ts'

/** What the browser logs about hostile mail although nothing happened. */
export function hearParsing(noise: Noise): void {
  noise.allow(
    // While it parses these mails into documents without a window.
    /@import rules are not allowed here/,
    /Loading media from {2}'[^']*' violates the following Content Security Policy directive: "default-src 'none'"/,
    /Executing inline event handler violates/,
    /Setting the document's base URI/,
  )
}

/** Opens the home page; returns the address when its stream is open. */
export async function openHome(page: Page, language: Language = 'en'): Promise<string> {
  await page.goto(`/?lang=${language}`)
  return liveAddress(page, language)
}

/** The address on the home page, when its stream is open. */
export async function liveAddress(page: Page, language: Language = 'en'): Promise<string> {
  const { inbox } = await loadWords(language)
  const address = await addressOn(page)
  await expect(page.getByTestId('connection-state')).toHaveText(inbox.state.live)
  return address
}

/** Opens the mail with this subject by its row. */
export async function openMail(page: Page, subject: string) {
  await page.locator('[data-message]').filter({ hasText: subject }).getByRole('button', { name: /Open/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('article')).toBeVisible()
  return dialog
}

/** The views of HTML are tabs, and the others are in the menu. */
export async function showTab(page: Page, name: 'Simple' | 'Original' | 'Text' | 'Headers' | 'Source' | 'Check this mail'): Promise<void> {
  if (name === 'Simple' || name === 'Original') await page.getByRole('dialog').getByRole('tab', { name }).click()
  else await chooseMore(page, name)
}

/** Clicks an item of the open mail's menu. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'More actions' }).click()
  await dialog.getByRole('menuitem', { name }).click()
}

/**
 * Returns the result of `look` for the document of the mail's frame. The page calls it, because Playwright's own way is a script in the
 * frame, which the sandbox blocks like any other. `look` is sent as text, so it can use only its arguments.
 */
export function inFrame<Answer, Argument>(
  page: Page,
  look: (mail: Document, argument: Argument) => Answer,
  argument: Argument,
): Promise<Answer> {
  return page.evaluate(
    ({ source, argument }) => {
      const mail = document.querySelector<HTMLIFrameElement>('dialog iframe')?.contentDocument
      return new Function('mail', 'argument', `return (${source})(mail, argument)`)(mail, argument)
    },
    { source: String(look), argument },
  )
}

/** Waits until the frame shows `text`. */
export async function expectFrameText(page: Page, text: string): Promise<void> {
  await expect.poll(() => inFrame(page, mail => mail?.body?.innerText ?? '', undefined)).toContain(text)
}

/**
 * Waits until requests caused by the mail would have been sent: the page has drawn twice, was idle, and a later request of its own has
 * completed.
 */
export const settleNetwork = (page: Page) =>
  page.evaluate(async () => {
    for (let round = 0; round < 2; round++) {
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      // WebKit has no such call; what it would wait for is done by then.
      await new Promise(idle => ('requestIdleCallback' in window ? requestIdleCallback(idle, { timeout: 2000 }) : setTimeout(idle)))
      await (await fetch('/api/config', { cache: 'no-store' })).text()
    }
  })

/** The centre of an element of the mail, in coordinates of the page. */
export async function pointInFrame(page: Page, selector: string): Promise<{ x: number; y: number }> {
  return page.evaluate(wanted => {
    const frame = document.querySelector<HTMLIFrameElement>('dialog iframe')
    const element = frame?.contentDocument?.querySelector(wanted)
    if (!frame || !element) throw new Error(`no ${wanted} in the mail`)
    element.scrollIntoView({ block: 'center' })
    const outer = frame.getBoundingClientRect()
    const inner = element.getBoundingClientRect()
    return { x: outer.x + inner.x + inner.width / 2, y: outer.y + inner.y + inner.height / 2 }
  }, selector)
}

type Heard = { path: string; referer: string | undefined; cookie: string | undefined; agent: string }
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

/** A foreign server on this machine: it replies to everything with an image and records the requests. */
export async function openSink() {
  const heard: Heard[] = []
  const server = createServer(({ url = '', headers }, response) => {
    heard.push({ path: url, referer: headers.referer, cookie: headers.cookie, agent: headers['user-agent'] ?? '' })
    response.writeHead(200, { 'content-type': 'image/gif', 'access-control-allow-origin': '*' }).end(PIXEL)
  })
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://localhost:${boundPort(server)}`,
    port: boundPort(server),
    heard,
    /** Connections to it, with or without a request. */
    connections: () => connections,
    paths: () => [...new Set(heard.map(({ path }) => path))].sort(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}

export function boundPort(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

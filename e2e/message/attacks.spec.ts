/**
 * Hostile mail in the whole product: every vector arrives by SMTP, is opened in each view, hovered, focused, tabbed through and clicked,
 * and no request may get out. hostile-html.spec.ts tests each layer of the reader alone.
 */
import type { BrowserContext, Page } from '@playwright/test'
import type { SendMailOptions } from 'nodemailer'
import { expect, test } from '../harness/fixtures.ts'
import { aim, packMails, vectors } from './reader/attack-vectors.ts'
import { expectFrameText, hearParsing, inFrame, openHome, openMail, openSink, settleNetwork, showTab } from './reader/reading.ts'

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeEach(({ noise }) => {
  hearParsing(noise)
  // What the browser logs about the vectors without any layer.
  noise.allow(/\/raw\.html\)$/, /Failed to load module script/)
  noise.allow(/blocked because of a disallowed MIME type/, /downloadable font: rejected/)
})

test('X01 no script runs in any way', async ({ page, context, sendMail }) => {
  await expectHarmless({ page, context, sendMail }, 'X01')
})

test('X02 nothing becomes active by being parsed again', { tag: '@long' }, async ({ page, context, sendMail }) => {
  await expectHarmless({ page, context, sendMail }, 'X02')
})

test('X03 nothing becomes active by steps after sanitising: styles, body attributes, links, cid: images, folded quotes', {
  tag: '@long',
}, async ({ page, context, sendMail }) => {
  await expectHarmless({ page, context, sendMail }, 'X03', [
    `<body onload="top.hit('X03-body')" background="javascript:top.hit('X03-background')" style="background:url(cid:x');top.hit('X03-style')//)">`,
    `<p>Ada wrote:</p><blockquote onclick="top.hit('X03-quote')"><img src=x onerror="top.hit('X03-quoted')"><details open ontoggle="top.hit('X03-toggle')">a quote of more than forty characters, folded</details></blockquote>`,
    `<div style="background-image:url('cid:</style><img src=x onerror=top.hit(1)>')">cid</div><table background='cid:"><img src=x onerror=top.hit(2)>'><tr><td>cell</table>`,
  ])
})

test('X04 nothing is loaded before the reader asks, in any known way', async ({ page, context, sendMail }) => {
  await expectHarmless({ page, context, sendMail }, 'X04')
})

test('X08 CSS cannot reveal what is on the page', { tag: '@long' }, async ({ page, context, sendMail }) => {
  await expectHarmless({ page, context, sendMail }, 'X08', [
    `<style>@font-face{font-family:spy;src:url(SINK/font);unicode-range:U+41} *{font-family:spy} body:has(a){background:url(SINK/has)} p:hover{background:url(SINK/hover)} a:focus{background:url(SINK/focus)}
      a[href^="h"]{content:url(SINK/content)} a:visited{background:url(SINK/visited)} @container (width > 1px){p{background:url(SINK/container)}} p{background:attr(title type(<url>))}</style><p title="SINK/attr">A <a href="https://a.example/">link</a></p>`,
  ])
})

test('X13 unclosed markup captures nothing that follows', { tag: '@long' }, async ({ page, context, sendMail }) => {
  await expectHarmless({ page, context, sendMail }, 'X13', [
    `<p>]]></p><title>`,
    `<iframe srcdoc="`,
    `<noembed>`,
    `<form action="SINK/form"><button>Send<option>`,
  ])
  const dialog = await openMail(page, 'X13 0.')
  await expect(dialog.getByRole('tab')).toHaveText(['Simple', 'Original'])
  await dialog.getByRole('button', { name: 'More actions' }).click()
  await expect(dialog.getByRole('menuitem')).toHaveText([
    'Text',
    'Headers',
    'Source',
    'Check this mail',
    'Download as .eml',
    'Open in its own window',
    'Print',
    'Delete message',
  ])
})

test('X15 the branch for Outlook is hidden, the branch for others is shown, and neither loads anything', { tag: '@long' }, async ({
  page,
  context,
  sendMail,
}) => {
  await expectHarmless({ page, context, sendMail }, 'X15', [
    `<!--[if mso]><p>For Outlook only</p><v:rect><v:fill src="SINK/vml"></v:rect><![endif]--><!--[if !mso]><!--><p>For all others</p><!--<![endif]-->
      <![if !mso]><p>For all others too</p><![endif]><script type="text/x-amphtml"><amp-img src="SINK/amp"></amp-img></script>`,
  ])
  await openMail(page, 'X15 1.')
  for (const view of ['Simple', 'Original'] as const) {
    await showTab(page, view)
    await expectFrameText(page, 'For all others too')
    expect(await inFrame(page, mail => mail.body.innerText, undefined)).not.toContain('Outlook')
  }
})

/** How many requests of a row this browser sends without the reader. Some vectors work only in older browsers. */
const ALIVE_MIN: Readonly<Record<string, number>> = { X04: 60, X08: 1, X15: 1 }

type Sink = Awaited<ReturnType<typeof openSink>>
type Reading = { page: Page; context: BrowserContext; sendMail: (mail: SendMailOptions) => Promise<void> }

/** Sends the vectors of a row, and `more` with SINK for the sink's URL, and reads each in every view. */
async function expectHarmless({ page, context, sendMail }: Reading, row: string, more: readonly string[] = []): Promise<void> {
  await using sink = await openSink()
  const to = await openHome(page)
  const aimed = vectors.filter(({ id }) => id.startsWith(row)).map(vector => aim(vector, new URL(sink.url).host))
  expect(aimed.length).toBeGreaterThan(0)
  const mails = [...(await packMails(page, aimed)), ...more.map(html => `<p>Before</p>\n${html}`.replaceAll('SINK', sink.url))]
  for (const [at, html] of mails.entries()) await sendMail({ to, subject: `${row} ${at}.`, html })
  await expect(page.locator('[data-message]')).toHaveCount(mails.length)

  const happened: string[] = []
  await page.evaluate(() => Object.assign(window, { hits: [], hit: (id: string) => Reflect.get(window, 'hits').push(id) }))
  const origin = new URL(page.url()).origin
  const onPage = (popup: Page) => happened.push(`popup ${popup.url()}`)
  context.on('page', onPage)
  page.on('dialog', dialog => {
    happened.push(`dialog ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  page.on('framenavigated', frame => {
    // The page's URL names the open mail, and the frame's document is the blank page.
    const isOurs = /^\/(?:\?lang=en)?(?:#message-[\w-]+)?$|^\/mail-frame$/.test(frame.url().slice(origin.length))
    if (!isOurs && frame.url() !== 'about:blank') happened.push(`navigation ${frame.url()}`)
  })
  page.on('request', request => {
    const isOurs = request.url().startsWith(`${origin}/`) || request.url().startsWith('data:')
    if (!isOurs || request.method() !== 'GET') happened.push(`${request.method()} ${request.url()}`)
  })
  for (let at = 0; at < mails.length; at++) {
    const dialog = await openMail(page, `${row} ${at}.`)
    for (const view of ['Simple', 'Original'] as const) {
      if ((await dialog.getByRole('tab', { name: view }).count()) === 0) continue
      await showTab(page, view)
      await expect(dialog.locator('iframe')).toBeVisible()
      await touchEverything(page)
    }
    await showTab(page, 'Text')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await settleNetwork(page)
  context.off('page', onPage)
  expect(await page.evaluate(() => Reflect.get(window, 'hits'))).toEqual([])
  expect({ happened, heard: sink.paths(), connections: sink.connections() }).toEqual({ happened: [], heard: [], connections: 0 })
  // The same mails without the reader do send requests, so sink and vectors work. In WebKit no page can be made of an answer of ours, and
  // only hostile-html.spec.ts says so.
  const aliveMin = isWebKit(page) ? undefined : ALIVE_MIN[row]
  if (aliveMin !== undefined) await expectAlive(context, mails, sink, aliveMin)
}

const isWebKit = (page: Page) => page.context().browser()?.browserType().name() === 'webkit'

/** Hovers with the real pointer and tabs with the real keyboard, which WebKit does not offer, and clicks what opens no tab. */
async function touchEverything(page: Page): Promise<void> {
  const hasPointer = !isWebKit(page)
  const box = await page.locator('dialog iframe').boundingBox()
  const bottom = box ? Math.min(box.y + box.height, page.viewportSize()?.height ?? 0) : 0
  if (box && hasPointer) for (let y = box.y + 8; y < bottom; y += 90) for (const x of [30, 200, 500]) await page.mouse.move(box.x + x, y)
  await inFrame(
    page,
    mail => {
      for (const element of Array.from(mail.querySelectorAll<HTMLElement>('body, body *'))) {
        for (const type of ['pointerover', 'mouseover', 'mouseenter', 'mousemove', 'mousedown', 'mouseup', 'keydown', 'input', 'change'])
          element.dispatchEvent(new Event(type, { bubbles: true }))
        element.focus?.({ preventScroll: true })
        if (!element.closest('a[href]')) element.click?.()
      }
    },
    undefined,
  )
  for (let i = 0; i < 4 && hasPointer; i++) await page.keyboard.press('Tab')
}

/** Shows each mail as a page of the sink, without any protection. */
async function expectAlive(context: BrowserContext, mails: readonly string[], sink: Sink, aliveMin: number): Promise<void> {
  const pages: Page[] = []
  for (const html of mails) {
    const page = await context.newPage()
    await page.route('**/raw.html', route => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }))
    await page.goto(`${sink.url}/raw.html`, { waitUntil: 'commit' })
    pages.push(page)
  }
  await expect.poll(() => sink.paths().filter(path => path !== '/favicon.ico').length).toBeGreaterThanOrEqual(aliveMin)
  for (const page of pages) await page.close()
}

/**
 * Hostile mail against the three layers of the reader: sanitiser, sandboxed frame, Content-Security-Policy. Together they block everything.
 * Each is also tested alone, with the other two switched off (X01–X20 of docs/mail-reading.md). A sink server records every request, and
 * the page counts every script that runs.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import * as z from 'zod/mini'
import { corporaFolder, whyNoCorpora } from '#test/mail-corpora/corpora-folder.ts'
import { vectors } from './reader/attack-vectors.ts'
import type { Reader } from './reader/reader-bundle.ts'
import { NOTHING, layersTest as test, WITHOUT_LAYERS } from './reader/reader-layers.ts'
import { readerTest } from './reader/reader-page.ts'

test('X01–X20 the vectors work: without any layer scripts run and requests are sent', async ({ show }) => {
  // Attacks that navigate would end the page before it could answer, so they are left out here.
  const staying = vectors.filter(vector => !/^X1[01]-/.test(vector.id))
  const outcome = await show(staying, WITHOUT_LAYERS)
  expect(outcome.scripts.length).toBeGreaterThan(10)
  expect(outcome.requests.length).toBeGreaterThan(60)
})

for (const view of ['simple', 'layout'] as const) {
  test(`X01–X20 ${view} view: with all three layers there is no script, request, navigation or dialog`, async ({ show }) => {
    expect(await show(vectors, { sanitiser: view, isSandboxed: true, hasPolicy: true })).toEqual(NOTHING)
  })

  test(`X01–X20 ${view} view: the sanitiser alone blocks everything`, async ({ show }) => {
    expect(await show(vectors, { sanitiser: view, isSandboxed: false, hasPolicy: false })).toEqual(NOTHING)
  })
}

test('X01, X10, X11 the sandbox alone runs no script, submits no form and never moves the page', async ({ show }) => {
  const { scripts, isMoved, dialogs, requests } = await show(vectors, { ...WITHOUT_LAYERS, isSandboxed: true })
  expect({ scripts, isMoved, dialogs }).toEqual({ scripts: [], isMoved: false, dialogs: 0 })
  expect(requests.filter(id => id.startsWith('X10-'))).toEqual([])
})

test('X01, X04 the frame’s policy without the sandbox blocks every request but the target of a refresh', async ({ show }) => {
  const withoutRefresh = vectors.filter(vector => !/http-equiv=refresh/.test(vector.html))
  // The policy of a document does not govern scripts written into it by name alone: it must stop them all the same.
  const { requests, scripts } = await show(withoutRefresh, { ...WITHOUT_LAYERS, hasPolicy: true })
  expect({ requests, scripts }).toEqual({ requests: [], scripts: [] })
})

/** Each tells what it could read of the page's own storage. */
const THIEVES = ['localStorage.mark', 'sessionStorage.mark', 'document.cookie', 'parent.localStorage.mark', 'top.document.cookie'].flatMap(
  (place, i) => [
    { id: `X01-script-${i}`, html: `<script>top.hit('read ' + ${place})</script>` },
    { id: `X01-image-${i}`, html: `<img src="data:," onerror="top.hit('read ' + ${place})">` },
  ],
)

test('X01 the page’s storage is unreachable with each layer alone, and reachable without any', async ({ page, show, layersSite }) => {
  await page.goto(layersSite.home)
  await page.evaluate(() => {
    localStorage.setItem('mark', 'secret')
    sessionStorage.setItem('mark', 'secret')
    // biome-ignore lint/suspicious/noDocumentCookie: the simplest way to have one
    document.cookie = 'mark=secret'
  })
  const { scripts } = await show(THIEVES, WITHOUT_LAYERS)
  expect(scripts).toEqual(['read mark=secret', 'read secret'])
  for (const layers of [
    { ...WITHOUT_LAYERS, isSandboxed: true },
    { ...WITHOUT_LAYERS, hasPolicy: true },
    { ...WITHOUT_LAYERS, sanitiser: 'simple' as const },
    { ...WITHOUT_LAYERS, sanitiser: 'layout' as const },
  ])
    expect(await show(THIEVES, layers)).toEqual(NOTHING)
})

const corpus = join(corporaFolder, 'dompurify/expect.json')
for (const view of ['simple', 'layout'] as const) {
  test(`X01, X02 ${view} view: the published payloads of DOMPurify run nothing`, async ({ show }) => {
    test.skip(!existsSync(corpus), `${whyNoCorpora}; our own vectors always run`)
    const payloads = z.parse(z.array(z.object({ payload: z.string() })), JSON.parse(readFileSync(corpus, 'utf8')))
    const mails = payloads.map(({ payload }, i) => ({ id: `P-${i}`, html: payload }))
    expect(await show(mails, { sanitiser: view, isSandboxed: false, hasPolicy: false })).toEqual(NOTHING)
  })
}

test('the simple view keeps its own list of tags and attributes, and no others', async ({ page, layersSite }) => {
  await page.goto(layersSite.home)
  await page.addScriptTag({ content: layersSite.reader })
  const names = await page.evaluate(
    htmls => {
      const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
      const tags = new Set<string>()
      const attributes = new Set<string>()
      for (const html of htmls) {
        for (const element of Array.from(sanitizeMail(html, { view: 'simple', areImagesAllowed: false }).body.querySelectorAll('*'))) {
          tags.add(element.tagName.toLowerCase())
          for (const name of element.getAttributeNames()) attributes.add(name)
        }
      }
      return { tags: [...tags].sort(), attributes: [...attributes].sort() }
    },
    [
      ...vectors.map(vector => vector.html),
      '<p class=a id=b>x<br><div dir=rtl><span lang=en>y</span></div><a href="https://a.example" target=_top name=z>l</a><strong>1</strong><b>2</b><em>3</em><i>4</i><u>5</u>' +
        '<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6><ul><li>u</ul><ol><li>o</ol><blockquote style="color:red">q</blockquote><hr><table><tr><td>t</table><img src=x><center>c</center><code>c</code>',
    ],
  )
  expect(names.tags).toEqual('a b blockquote br div em h1 h2 h3 h4 h5 h6 hr i li ol p span strong u ul'.split(' '))
  // Three are ours: `rel` closes the opener, `title` shows the true target, `data-picture` marks the words in place of a picture.
  expect(names.attributes).toEqual(['data-picture', 'href', 'rel', 'style', 'target', 'title'])
})

for (const [what, mailOf] of [
  [
    'fields of a form',
    (name: string) => `<form id="f"><input name="${name}"><img name="${name}"><p>inside <a href="https://a.example/">it</a></p></form>`,
  ],
  [
    'pictures and forms of a document',
    (name: string) => `<img name="${name}"><form name="${name}"><p>inside</p></form><form name="${name}"></form>`,
  ],
] as const)
  readerTest(`X09 names of ${what} hide no property that the reader uses`, async ({ readerPage: page }) => {
    const names = await page.evaluate(() => {
      const all = new Set<string>()
      for (const start of [HTMLFormElement.prototype, Document.prototype])
        for (let at: object = start; at !== Object.prototype; at = Object.getPrototypeOf(at))
          for (const name of Object.getOwnPropertyNames(at)) all.add(name)
      return [...all]
    })
    expect(names.length).toBeGreaterThan(300)
    const mails = names.map(name => ({ name, html: `<p>before</p>${mailOf(name)}<p>after <b>all</b></p>` }))
    const lost = await page.evaluate(async mails => {
      const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
      const lost: string[] = []
      const read = (name: string, words: () => string) => {
        try {
          const seen = words()
          for (const word of ['before', 'inside', 'after']) if (!seen.includes(word)) lost.push(`${name}: no ${word}`)
        } catch (error) {
          lost.push(`${name}: ${error}`)
        }
      }
      for (const { name, html } of mails) {
        for (const view of ['simple', 'layout'] as const)
          read(`${view} ${name}`, () => sanitizeMail(html, { view, areImagesAllowed: true }).body.textContent ?? '')
      }
      return lost
    }, mails)
    expect(lost).toEqual([])
  })

for (const [what, html] of [
  ['open formatting', '<b>x'.repeat(2000)],
  ['boxes', `${'<div class="a">'.repeat(480)}${'<a href="https://a.example/">x</a>'.repeat(2000)}`],
  ['turned boxes', `${'<div style="direction:rtl">'.repeat(480)}${'<b>x</b>'.repeat(2000)}`],
] as const)
  readerTest(`${what} in each other are shown without their depth, with each of their words`, async ({ readerPage: page }) => {
    for (const view of ['simple', 'layout'] as const) {
      const shown = await page.evaluate(
        ({ html, view }) => {
          const { sanitizeMail } = Reflect.get(window, 'mayfly') as Reader
          const { body } = sanitizeMail(html, { view, areImagesAllowed: false })
          let [depth, text] = [0, '']
          const nodes = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
          for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
            text += (node as Text).data.trim()
            let levels = 0
            for (let around = node.parentElement; around; around = around.parentElement) levels++
            depth = Math.max(depth, levels)
          }
          return { depth, words: text.length }
        },
        { html, view },
      )
      expect(shown.words).toBe(2000)
      expect(shown.depth).toBeLessThan(120)
    }
  })

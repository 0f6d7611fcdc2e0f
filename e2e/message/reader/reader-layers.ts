/** Shows mail with some of the reader's three layers (sanitiser, sandboxed frame, Content-Security-Policy) and without the others. */
import { createServer } from 'node:http'
import { expect, type Page } from '@playwright/test'
import { routes } from '#contract/routes.ts'
import { HOSTILE_HOST } from '#test/generators/hostile-css.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { SANDBOX } from '#web/features/message/body/frame-document.ts'
import { engineTest as base } from '../../engines/webkit.ts'
import { aim, type Vector } from './attack-vectors.ts'
import { buildReader, type Reader } from './reader-bundle.ts'
import { boundPort, openSink } from './reading.ts'

/** A control mail, shown last and without any layer: when its effects have happened, those of the mails before it have happened too. */
const CONTROL: Vector = {
  id: 'control',
  html: `<style>p{background:url({{sink}}/style)}</style><p>Control</p><img src="{{sink}}/image">
    <link rel="stylesheet" href="{{sink}}/sheet"><video poster="{{sink}}/poster"></video><link rel="prefetch" href="{{sink}}/prefetch">
    <script>top.hit('{{id}}')</script><form action="{{sink}}/form" target="answer"><button>Send</button></form><iframe name="answer"></iframe>
    <iframe srcdoc="<meta http-equiv=refresh content='0;url={{sink}}/refresh'>"></iframe>`,
}
const CONTROL_PATHS = ['form', 'image', 'poster', 'refresh', 'sheet', 'style'].map(path => `/control/${path}`)
/** Firefox waits for a quiet moment that may not come, and WebKit does it only when asked to. */
const CONTROL_PATHS_IN_CHROMIUM = ['/control/prefetch']

type Layers = {
  sanitiser: 'simple' | 'layout' | undefined
  isSandboxed: boolean
  hasPolicy: boolean | 'images'
  areImagesAllowed?: boolean
}
type Outcome = { requests: string[]; scripts: string[]; isMoved: boolean; dialogs: number }

type LayersSite = { readonly home: string; readonly reader: string }

type LayersFixtures = {
  /** Shows mails with some layers and reports what got out. `name` is the host name under which they reach the sink. */
  show: (mails: readonly Vector[], layers: Layers, name?: string) => Promise<Outcome>
  /** What the last mails reported to the sink about the document they are in. */
  referers: string[]
}

export const NOTHING: Outcome = { requests: [], scripts: [], isMoved: false, dialogs: 0 }
export const WITHOUT_LAYERS: Layers = { sanitiser: undefined, isSandboxed: false, hasPolicy: false }

export const layersTest = base.extend<LayersFixtures, { layersSite: LayersSite }>({
  layersSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
    async ({}, use) => {
      const policies = await readPolicies()
      const site = createServer((request, response) => {
        const policy = policies[request.url ?? '']
        if (policy !== undefined) response.setHeader('content-security-policy', policy)
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end('<!doctype html><html><head></head><body></body></html>')
      })
      await new Promise<void>(ready => site.listen(0, '127.0.0.1', ready))
      await use({ home: `http://127.0.0.1:${boundPort(site)}/`, reader: await buildReader() })
      site.closeAllConnections()
      await new Promise(closed => site.close(closed))
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  referers: async ({}, use) => use([]),
  show: async ({ page, layersSite, referers }, use) =>
    use((mails, layers, name = 'localhost') => showOn(page, layersSite, referers, mails, layers, name)),
})

/** The headers of the real server, so that the test has the same policy as mail. */
async function readPolicies(): Promise<Record<string, string>> {
  await using server = await startServerProcess()
  const policyOf = async (path: string) => {
    const { headers } = await fetch(`http://127.0.0.1:${server.httpPort}${path}`)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    return headers.get('content-security-policy') ?? ''
  }
  return { '/policy': await policyOf(routes.mailFrame), '/images-policy': await policyOf(`${routes.mailFrame}?images=1`) }
}

/**
 * Shows every mail in its own frame with the given layers, clicks every button in it, and reports what got out. The sink is new for each
 * call, so late requests of earlier mails do not count. It is reached under `name`, also by the control mail, which waits in the same
 * queue.
 */
async function showOn(
  page: Page,
  site: LayersSite,
  referers: string[],
  mails: readonly Vector[],
  layers: Layers,
  name: string,
): Promise<Outcome> {
  await using sink = await openSink()
  const sinkHost = `${name}:${sink.port}`
  let dialogs = 0
  page.on('dialog', dialog => {
    dialogs++
    dialog.dismiss().catch(() => undefined)
  })
  await page.goto(site.home)
  await page.addScriptTag({ content: site.reader })
  await page.evaluate(() => {
    const scripts: string[] = []
    Object.assign(window, { scripts, hit: (id: string) => scripts.push(id) })
  })
  const filled = mails.map(mail => aim({ id: mail.id, html: mail.html.replaceAll(HOSTILE_HOST, sinkHost) }, sinkHost))
  await page.evaluate(showAll, { mails: filled, layers, sandbox: SANDBOX })
  await page.evaluate(showAll, { mails: [aim(CONTROL, sinkHost)], layers: WITHOUT_LAYERS, sandbox: SANDBOX })
  const isHeard = (wanted: string) => sink.heard.some(({ path }) => path.replace(/\?.*/, '') === wanted)
  const isChromium = page.context().browser()?.browserType().name() === 'chromium'
  const awaited = [...CONTROL_PATHS, ...(isChromium ? CONTROL_PATHS_IN_CHROMIUM : [])]
  await expect.poll(() => awaited.filter(path => !isHeard(path))).toEqual([])
  const scripts = await page.evaluate(() => (Reflect.get(window, 'scripts') as string[] | undefined) ?? ['the page is gone'])
  expect(scripts).toContain(CONTROL.id)
  // The control mail has no layer, so it can report its document.
  const heard = sink.heard.flatMap(({ path, referer }) => (referer === undefined || path.startsWith('/control/') ? [] : [referer]))
  referers.splice(0, referers.length, ...heard)
  return {
    requests: [...new Set(sink.heard.map(({ path }) => path.split(/[/?]/)[1] ?? ''))].filter(id => id !== CONTROL.id).sort(),
    scripts: [...new Set(scripts)].filter(id => id !== CONTROL.id).sort(),
    isMoved: page.url() !== site.home,
    dialogs,
  }
}

/** Runs in the page. */
async function showAll({
  mails,
  layers,
  sandbox,
}: {
  mails: { id: string; html: string }[]
  layers: Layers
  sandbox: string
}): Promise<void> {
  const { releasePictures, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
  const frames = mails.map(({ html }) => {
    const frame = document.createElement('iframe')
    if (layers.isSandboxed) frame.setAttribute('sandbox', sandbox)
    frame.src = layers.hasPolicy === 'images' ? '/images-policy' : layers.hasPolicy ? '/policy' : '/plain'
    const loaded = new Promise<void>(done => {
      frame.onload = () => done()
    })
    document.body.append(frame)
    return { html, frame, loaded }
  })
  for (const { html, frame, loaded } of frames) {
    await loaded
    frame.onload = null
    const inner = frame.contentDocument
    if (!inner) continue
    if (layers.sanitiser === undefined) {
      inner.open()
      inner.write(html)
      inner.close()
    } else {
      const mail = sanitizeMail(html, { view: layers.sanitiser, areImagesAllowed: layers.areImagesAllowed === true })
      const held = writeMail(inner, mail, layers.sanitiser, 'Quoted text')
      if (held.images.length + held.backgrounds.length > 0) await releasePictures(held, new AbortController().signal)
    }
  }
  // A script may wait for a style sheet, and elements after it do not exist before. A frame that has navigated away is no longer
  // accessible.
  const isParsing = () => frames.some(({ frame }) => frame.contentDocument?.readyState === 'loading')
  for (let drawn = 0; drawn < 300 && (drawn < 3 || isParsing()); drawn++) await new Promise(requestAnimationFrame)
  for (const { frame } of frames) {
    for (const button of Array.from(
      frame.contentDocument?.querySelectorAll<HTMLElement>('button, input[type=submit], input[type=image]') ?? [],
    ))
      button.click()
  }
}

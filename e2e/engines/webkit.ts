/**
 * Debian's WebKitGTK for the browser tests. Playwright speaks with the inspector that WebKit itself has; it starts no such browser, so this
 * does, one for each context: MiniBrowser in a window of its own on a screen that nobody sees.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContext, type BrowserContextOptions, type BrowserType, test } from '@playwright/test'
import { freePort } from '#test/harness/free-port.ts'
import { PLAIN_HTTP_HOST, STRANGERS_HOST } from '../harness/chromium.ts'

const START_MS_MAX = 30_000
const STARTS_MAX = 3

/** Playwright's own `test`, with this browser in projects of WebKit. */
export const engineTest = test.extend<{ ofTest: undefined }, { browser: Browser; defaults: BrowserContextOptions }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  defaults: [async ({}, use) => use({}), { scope: 'worker' }],
  /** Playwright passes the options of a test to browsers of its own only. */
  ofTest: [
    async ({ defaults, baseURL, extraHTTPHeaders, viewport, serviceWorkers, colorScheme }, use) => {
      Object.assign(defaults, { baseURL, extraHTTPHeaders, viewport, serviceWorkers, colorScheme })
      await use(undefined)
    },
    { auto: true },
  ],
  browser: [
    async ({ playwright, browserName, defaults }, use) => {
      const isWebKit = browserName === 'webkit'
      const browser = await (isWebKit ? startWebKit(playwright.webkit, defaults) : playwright[browserName].launch())
      await use(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 0 },
  ],
})

/** Two windows stand side by side: WebKit draws nothing, and thus waits for ever, in one that another covers. */
const SCREEN_PX = 1600

/** What of a Browser the tests use. `defaults` are those of the running test. */
async function startWebKit(webkit: BrowserType, defaults: BrowserContextOptions): Promise<Browser> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', `${2 * SCREEN_PX}x1200x24`], { stdio: ['ignore', 'pipe', 'ignore'] })
  const display = await new Promise<string>(ready => createInterface({ input: screen.stdout }).once('line', ready))
  const open = new Set<BrowserContext>()
  return {
    // Read by Playwright's fixture of contexts.
    _connection: Reflect.get(webkit, '_connection'),
    browserType: () => webkit,
    contexts: () => [...open],
    newContext: async (options: BrowserContextOptions = {}) => {
      const context = await openWindow(webkit, display, open.size * SCREEN_PX, { ...defaults, ...options })
      open.add(context)
      context.on('close', () => open.delete(context))

      return context
    },
    close: async () => {
      await Promise.all([...open].map(context => context.close()))
      await end(screen)
    },
  } as unknown as Browser
}

async function openWindow(webkit: BrowserType, display: string, left: number, wanted: BrowserContextOptions) {
  const home = await mkdtemp(join(tmpdir(), 'mayfly-webkit-'))
  const { width, height } = wanted.viewport ?? { width: 1280, height: 720 }
  const names = await startNameProxy()
  const options = [`--geometry=${width}x${height + BARS_PX}+${left}+0`, `--proxy=${urlOf(names)}`, ...DIRECT_HOSTS, 'about:blank']
  const { window, socket } = await startWindow(options, {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    DISPLAY: `:${display}`,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GTK_THEME: wanted.colorScheme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
    NO_AT_BRIDGE: '1',
  })
  // Playwright asks a proxy of Apple's devices for its list of pages.
  const list = createServer((_, response) => response.end(JSON.stringify([{ webSocketDebuggerUrl: socket }]))).listen(0, '127.0.0.1')
  await once(list, 'listening')
  const browser = await webkit.connectOverCDP(urlOf(list))
  const [context] = browser.contexts()
  const [page] = context?.pages() ?? []
  if (!context || !page) throw new Error('WebKit has no page')
  if (wanted.extraHTTPHeaders) await context.setExtraHTTPHeaders(wanted.extraHTTPHeaders)
  await page.addInitScript(typeText)
  if (wanted.serviceWorkers === 'block') await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  const goto = page.goto.bind(page)
  page.goto = async (url, more) => {
    const { href, origin } = new URL(url, wanted.baseURL)
    // WebKit gives a page with Cross-Origin-Opener-Policy a process of its own, and Playwright takes the change for a failure. A file that
    // does nothing brings it about, because a second load of a URL with a fragment would be none.
    if (page.url() === 'about:blank') {
      await goto(`${origin}/favicon.svg`).catch(error => {
        if (!String(error).includes('Load request cancelled')) throw error
      })
    }
    return goto(href, more)
  }
  Object.assign(page, { viewportSize: () => ({ width, height }) })
  // Read by `toHaveURL`.
  Object.assign(Reflect.get(context, '_options'), { baseURL: wanted.baseURL })
  return Object.assign(context, {
    browser: () => browser,
    newPage: async () => page,
    // Its clipboard asks nobody.
    grantPermissions: async () => undefined,
    close: async () => {
      // A window that hangs answers neither its inspector nor a polite signal, and would keep the tests after it waiting.
      window.kill('SIGKILL')
      await browser.close().catch(() => undefined)
      list.close()
      names.close()
      await end(window)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  })
}
/** Runs in the page. Playwright fills a field by the property that React watches, so that React sees no change; here the text is typed. */
function typeText(): void {
  const input = Reflect.get(globalThis, '__pwWebViewInput')
  if (input) input._insertText = (_: Element, text: string) => document.execCommand('insertText', false, text)
}

/** The height of the bars of MiniBrowser's own window. */
const BARS_PX = 38

const DIRECT_HOSTS = ['127.0.0.1', 'localhost', '::1'].map(host => `--ignore-host=${host}`)
const NAMES_HERE = [PLAIN_HTTP_HOST, STRANGERS_HOST]

/** WebKit cannot be told where a name leads, so names of the tests go through a proxy that knows; others lead nowhere. */
async function startNameProxy(): Promise<Server> {
  const proxy = createServer((asked, response) => {
    const { hostname, port, pathname, search } = new URL(asked.url ?? '', 'http://nowhere.test')
    if (!NAMES_HERE.includes(hostname)) return void asked.destroy()
    const options = { host: '127.0.0.1', port, path: pathname + search, method: asked.method, headers: asked.headers }
    const passed = request(options, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => asked.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/**
 * A window that has ended, or never tells of its page, is started again at another port: another program may have taken the first one
 * meanwhile, and on a busy machine WebKit's processes may not find each other.
 */
async function startWindow(options: readonly string[], env: NodeJS.ProcessEnv): Promise<{ window: ChildProcess; socket: string }> {
  for (let tries = 0; tries < STARTS_MAX; tries++) {
    const inspector = `127.0.0.1:${await freePort()}`
    const window = spawn(process.env.MINIBROWSER_PATH ?? 'MiniBrowser', options, {
      stdio: 'ignore',
      env: { ...env, WEBKIT_INSPECTOR_HTTP_SERVER: inspector },
    })
    const socket = await inspectorSocket(inspector, () => window.exitCode === null && window.signalCode === null)
    if (socket !== undefined) return { window, socket }
    window.kill('SIGKILL')
    await end(window)
  }
  throw new Error(`WebKit was not ready after ${STARTS_MAX} starts of ${START_MS_MAX} ms`)
}

/** The address of the only page's inspector, which the inspector's own page tells. */
async function inspectorSocket(inspector: string, isRunning: () => boolean): Promise<string | undefined> {
  const until = Date.now() + START_MS_MAX
  while (Date.now() < until && isRunning()) {
    const list = await fetch(`http://${inspector}/`).then(
      response => response.text(),
      () => '',
    )
    const [, path] = /'(\/socket\/\d+\/\d+\/\w+)'/.exec(list) ?? []
    if (path !== undefined) return `ws://${inspector}${path}`
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return undefined
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.kill()) await once(child, 'exit')
}

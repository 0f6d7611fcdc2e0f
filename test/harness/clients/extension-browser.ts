/**
 * Chromium with the extension, over the DevTools protocol. Playwright cannot press the icon in the toolbar: the browser obeys only whoever
 * started it with a pipe (`Extensions.triggerAction`).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const BUILT = resolve(import.meta.dirname, '../../../dist/extension')
const STEP_MS = 50
const WAIT_MS = 20_000

/** A page, a popup or the background page: whatever runs code. */
export type Frame = {
  /** The value of a JavaScript expression, as if a person had pressed something. */
  evaluate<T>(expression: string): Promise<T>
}

export type ExtensionBrowser = AsyncDisposable & {
  /** The one tab. */
  readonly tab: Frame
  readonly background: Frame
  open(url: string): Promise<void>
  /** Presses the icon in the toolbar. Resolves to its popup, which closes when the icon is pressed again. */
  pressIcon(): Promise<Frame>
  /** A tab that the extension has opened, closed when it is disposed of. */
  openedTab(url: string): Promise<Frame & AsyncDisposable>
}

type Target = { readonly targetId: string; readonly type: string; readonly url: string }
type Send = <T>(method: string, params?: object, sessionId?: string) => Promise<T>

/** `granted`: what the browser's own question would allow, which no program can answer, e.g. `http://127.0.0.1/*`. */
export async function startExtensionBrowser(program: string, granted: readonly string[]): Promise<ExtensionBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-extension-'))
  const extension = join(folder, 'extension')
  cpSync(BUILT, extension, { recursive: true })
  const manifestPath = join(extension, 'manifest.json')
  const manifest = readFileSync(manifestPath, 'utf8')
  writeFileSync(manifestPath, JSON.stringify({ ...JSON.parse(manifest), host_permissions: granted }))
  const args = [
    ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', 'about:blank'],
    ...['--remote-debugging-pipe', '--enable-unsafe-extension-debugging', `--user-data-dir=${join(folder, 'profile')}`],
    ...['--lang=en-US', '--window-size=1280,800'],
  ]
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env })
  const send = speak(child)
  const targets = async (type: string) => (await send<{ targetInfos: Target[] }>('Target.getTargets', { filter: [{ type }] })).targetInfos
  const attach = async ({ targetId }: Target) => {
    const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
    return { sessionId, ...frameOf(send, sessionId) }
  }
  const find = (type: string, isIt: (target: Target) => boolean) => eventually(async () => (await targets(type)).find(isIt))
  /** Resolves when the browser has started the background page, another than the one of before, and given it its API. */
  const load = async (before?: string) => {
    const { id } = await send<{ id: string }>('Extensions.loadUnpacked', { path: extension })
    const ownUrl = `chrome-extension://${id}/`
    const worker = await find('service_worker', ({ url, targetId }) => url.startsWith(ownUrl) && targetId !== before)
    const background = await attach(worker)
    await eventually(() => background.evaluate(`globalThis.registration?.active?.state === 'activated' && chrome.action !== undefined`))
    return { id, ownUrl, background, targetId: worker.targetId }
  }
  const { targetId } = await load()
  // Loaded again, it still has what it asked for at first, and can give that back like what somebody allowed.
  writeFileSync(manifestPath, manifest)
  const { id, ownUrl, background } = await load(targetId)
  const page = await find('page', ({ url }) => url === 'about:blank')
  const tab = await attach(page)
  const isPopup = ({ url }: Target) => url === `${ownUrl}popup.html`
  return {
    tab,
    background,
    async open(url) {
      await send('Page.navigate', { url }, tab.sessionId)
      await eventually(() => tab.evaluate(`location.href.startsWith(${JSON.stringify(url)}) && document.readyState === 'complete'`))
    },
    async pressIcon() {
      for (const popup of (await targets('page')).filter(isPopup)) await send('Target.closeTarget', { targetId: popup.targetId })
      await eventually(async () => !(await targets('page')).some(isPopup))
      const own = await find('tab', target => !isPopup(target))
      await send('Extensions.triggerAction', { id, targetId: own.targetId })
      return attach(await find('page', isPopup))
    },
    async openedTab(url) {
      const opened = await find('page', target => target.url === url && target.targetId !== page.targetId)
      return { ...(await attach(opened)), [Symbol.asyncDispose]: () => send('Target.closeTarget', { targetId: opened.targetId }) }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function frameOf(send: Send, sessionId: string): Frame {
  return {
    async evaluate<T>(expression: string) {
      const options = { expression, awaitPromise: true, returnByValue: true, userGesture: true }
      type Evaluated = { result: { value: T }; exceptionDetails?: object }
      const { result, exceptionDetails } = await send<Evaluated>('Runtime.evaluate', options, sessionId)
      if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
      return result.value
    },
  }
}

/** Requests and replies are JSON, each followed by a zero byte. */
function speak(child: ChildProcess): Send {
  const [, , , writable, readable] = child.stdio as [null, null, null, Writable, Readable]
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  let rest = ''
  let last = 0
  readable.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message)
      const reply = waiting.get(id)
      waiting.delete(id)
      if (error) reply?.reject(new Error(error.message))
      else reply?.resolve(result as never)
    }
  })
  // A request under way when the browser ends has no reply.
  writable.on('error', () => undefined)
  child.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser has ended'))
  })
  return (method, params = {}, sessionId) => {
    const reply = Promise.withResolvers<never>()
    last += 1
    waiting.set(last, reply)
    writable.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
    return reply.promise
  }
}

/** Polls until `look` finds something; a navigation under way makes it fail meanwhile. */
export async function eventually<T>(look: () => Promise<T>): Promise<Exclude<T, undefined | false | null | ''>> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const found = await look().catch(error => {
      if (performance.now() > until) throw error
      return undefined
    })
    if (found) return found as Exclude<T, undefined | false | null | ''>
    if (performance.now() > until) throw new Error(`Never found: ${look}`)
    await sleep(STEP_MS)
  }
}

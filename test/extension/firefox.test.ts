/** The same folder in a real Firefox: it is taken without a warning, puts an address into a form and fills in the code of its mail. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { startSignUpApp } from '../../examples/sign-up/server.ts'
import { eventually } from '../harness/clients/extension-browser.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { startHostileSite } from './hostile-site.ts'

const program = process.env.FIREFOX_PATH
const BUILT = resolve(import.meta.dirname, '../../dist/extension')

test.skipIf(program === undefined)('the extension in Firefox (FIREFOX_PATH)', async () => {
  await using server = await startServerProcess()
  await using app = await startSignUpApp({ smtpUrl: `smtp://127.0.0.1:${server.smtpPort}` })
  await using firefox = await startFirefox(program ?? '')
  const { open, inTab, inNewestTab, inBrowser } = firefox
  expect(await inBrowser(`JSON.stringify(policy.extension.warnings ?? [])`)).toBe('[]')

  // The question for the host is the browser's own, which no program can answer: it is granted, and the choice that follows is made here.
  await open(`${await inBrowser<string>('policy.getURL("popup.html")')}`)
  await inTab(`chrome.storage.local.set({ site: { origin: 'http://127.0.0.1:${server.httpPort}' } })`)

  await open(app.url.replace('127.0.0.1', 'localhost'))
  await inTab(`document.querySelector('[name=email]').focus()`)
  await pressIcon(firefox)
  const email = await eventually(() => inTab<string>(`document.querySelector('[name=email]').value`))
  expect(email).toMatch(/^[^@]+@[^@]+$/)
  await eventually(async () => (await inBrowser<string>('action.action.globals.badgeText')) === '10')

  await inTab(`document.querySelector('button').click()`)
  const title = () => inBrowser<string>('action.action.globals.title')
  const [, first, last] = await eventually(async () => /^(\d{3})\s(\d{3}) from The Garden Club/.exec(await title()))
  expect(await inTab(`document.querySelector('[name=code]').value`)).toBe('')
  await pressIcon(firefox)
  await eventually(async () => (await inTab(`document.querySelector('[name=code]').value`)) === `${first}${last}`)
  await inTab(`document.querySelector('button').click()`)
  await eventually(async () => (await inTab<string>('document.body.innerText')).includes(`Welcome, ${email}!`))

  // Another site gets the next code neither by a press nor from a menu that was opened elsewhere.
  await using hostile = await startHostileSite()
  await open(hostile.url)
  await pressIcon(firefox)
  await fetch(`${app.url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) })
  const next = await eventually(async () => /^(\d{3})\s(\d{3}) from The Garden Club/.exec(await title()))
  const contentOf = (id: string) => inTab<string>(`document.getElementById('${id}').value`)
  await inTab(`focusAtMenu = 'outside'`)
  await chooseCode(firefox, 'seen')
  expect([await contentOf('seen'), await contentOf('outside')], 'the page moved the focus').toEqual(['', ''])
  await inTab(`focusAtMenu = ''`)
  await chooseCode(firefox, 'seen')
  await eventually(async () => (await contentOf('seen')) === `${next[1]}${next[2]}`)
  await fetch(`${app.url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) })
  await eventually(async () => (await title()).includes(' from The Garden Club') && !(await title()).startsWith(next[0] ?? ''))
  await inTab(`document.getElementById('seen').value = ''; document.getElementById('outside').focus()`)
  await pressIcon(firefox)
  await eventually(() => inBrowser<boolean>(`document.querySelector('panel[panelopen]') !== null`))
  expect([await contentOf('outside'), await contentOf('seen')]).toEqual(['', ''])

  await open(`${await inBrowser<string>('policy.getURL("popup.html")')}`)
  await inTab(
    `chrome.storage.session.get('state').then(({ state: { addresses: [{ token }] } }) => chrome.runtime.sendMessage({ kind: 'open', token }))`,
  )
  await eventually(async () => (await inNewestTab<string>('document.body.innerText')).includes(`It is the inbox of ${email}`))
  expect(await inNewestTab(`performance.getEntriesByType('navigation')[0].name`)).toBe(`http://127.0.0.1:${server.httpPort}/`)
})

type Firefox = AsyncDisposable & {
  open(url: string): Promise<void>
  inTab<T>(expression: string): Promise<T>
  inNewestTab<T>(expression: string): Promise<T>
  pressRight(selector: string): Promise<void>
  /** In the browser's own window, with `policy` and `action` of the extension. */
  inBrowser<T>(expression: string): Promise<T>
}

async function pressIcon({ inBrowser }: Firefox): Promise<void> {
  await inBrowser(`(async () => {
    for (const panel of document.querySelectorAll('panel')) panel.hidePopup()
    await action.triggerAction(window)
  })()`)
}

/** Opens the browser's own menu on a field by a press of the right button, and chooses the entry that names the code. */
async function chooseCode({ inBrowser, pressRight }: Firefox, id: string): Promise<void> {
  const menu = `document.getElementById('contentAreaContextMenu')`
  await pressRight(`#${id}`)
  await eventually(() => inBrowser<boolean>(`${menu}.state === 'open'`))
  const entry = `[...${menu}.querySelectorAll('menuitem')].find(({ label }) => /Put the code [0-9]/.test(label))`
  // Several entries of an extension are in a menu of their own.
  await inBrowser(`${entry}.closest('menu').openMenu(true)`)
  await eventually(() => inBrowser<boolean>(`${entry}.closest('menupopup').state === 'open'`))
  await inBrowser(`${entry}.closest('menupopup').activateItem(${entry})`)
  await eventually(() => inBrowser<boolean>(`${menu}.state === 'closed'`))
  // Long enough that a code which must not be written would be.
  await new Promise(resolve => setTimeout(resolve, 500))
}

/** Over WebDriver BiDi, which installs extensions. Whoever may reach the browser's own window can press its buttons. */
async function startFirefox(path: string): Promise<Firefox> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-firefox-'))
  const extension = join(folder, 'extension')
  cpSync(BUILT, extension, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(extension, 'manifest.json'), 'utf8'))
  writeFileSync(join(extension, 'manifest.json'), JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.1/*'] }))
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port=0', '--remote-allow-system-access']
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder } })
  const send = await connect(await bidiUrl(child))
  await send('session.new', { capabilities: {} })
  const { extension: id } = await send<{ extension: string }>('webExtension.install', { extensionData: { type: 'path', path: extension } })
  type Tree = { contexts: [{ context: string }] }
  const readTabs = async () => (await send<Tree>('browsingContext.getTree')).contexts
  const [tab] = await readTabs()
  const [window] = (await send<Tree>('browsingContext.getTree', { 'moz:scope': 'chrome' })).contexts
  const evaluate = async <T>(context: string, expression: string) => {
    type Evaluated = { result?: { value: T }; exceptionDetails?: { text: string } }
    const options = { expression, target: { context }, awaitPromise: true, userActivation: true }
    const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', options)
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`)
    return result?.value as T
  }
  const known = `const policy = WebExtensionPolicy.getByID(${JSON.stringify(id)})
    const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs')
    const action = ExtensionParent.apiManager.global.browserActionFor(policy.extension)`
  return {
    open: async url => void (await send('browsingContext.navigate', { context: tab.context, url, wait: 'complete' })),
    inTab: expression => evaluate(tab.context, expression),
    async pressRight(selector) {
      type Nodes = { nodes: [{ sharedId: string }] }
      const locator = { type: 'css', value: selector }
      const { nodes } = await send<Nodes>('browsingContext.locateNodes', { context: tab.context, locator })
      const origin = { type: 'element', element: { sharedId: nodes[0].sharedId } }
      const button = 2
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button },
        { type: 'pointerUp', button },
      ]
      await send('input.performActions', { context: tab.context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    inNewestTab: async expression => evaluate((await readTabs()).at(-1)?.context ?? '', expression),
    inBrowser: expression => evaluate(window.context, `(() => { ${known}\n return ${expression} })()`),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function bidiUrl(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Firefox has no output')
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (url !== undefined) {
      // What nobody reads would stop it.
      child.stderr.resume()
      return `${url}/session`
    }
  }
  throw new Error('Firefox ended before it listened')
}

async function connect(url: string): Promise<<T>(method: string, params?: object) => Promise<T>> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data))
    const reply = waiting.get(id)
    waiting.delete(id)
    if (type === 'error') reply?.reject(new Error(message))
    else reply?.resolve(result as never)
  })
  return (method, params = {}) => {
    const reply = Promise.withResolvers<never>()
    last += 1
    waiting.set(last, reply)
    socket.send(JSON.stringify({ id: last, method, params }))
    return reply.promise
  }
}

/** The extension in a real Chromium, at the errand it is for: an address into a sign-up form, and the code from its mail into the next. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { type SignUpApp, startSignUpApp } from '../../examples/sign-up/server.ts'
import { type ExtensionBrowser, eventually, type Frame, startExtensionBrowser } from '../harness/clients/extension-browser.ts'
import { createVisitor, PASSWORD } from '../harness/clients/visitor.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { startMailRecorder } from '../harness/servers/mail-recorder.ts'
import { startHostileSite } from './hostile-site.ts'

const program = process.env.EXTENSION_BROWSER
const GRANTED = ['http://127.0.0.1/*']

describe.skipIf(program === undefined)('the extension in Chromium (EXTENSION_BROWSER)', () => {
  let server: RunningServer
  let app: SignUpApp
  let browser: ExtensionBrowser
  let site: string
  /** The form is on another host than the server, as it always is: the extension has no permission for it but the press. */
  let form: string

  beforeAll(async () => {
    server = await startServerProcess()
    app = await startSignUpApp({ smtpUrl: `smtp://127.0.0.1:${server.smtpPort}` })
    browser = await startExtensionBrowser(program ?? '', GRANTED)
    site = `http://127.0.0.1:${server.httpPort}`
    form = app.url.replace('127.0.0.1', 'localhost')
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await app?.[Symbol.asyncDispose]()
    await server?.stop()
  })

  test('a site that nobody has chosen is asked for nothing, and the question is in the faces of the extension', async () => {
    await using hostile = await startHostileSite()
    await browser.open(hostile.posingUrl)
    const popup = await browser.pressIcon()
    await says(popup, `Use ${new URL(hostile.posingUrl).host}`)
    await eventually(() => popup.evaluate(`[...document.fonts].filter(({ status }) => status === 'loaded').length > 0`))
    // Whatever the popup has asked for was on its way before this.
    await popup.evaluate(`fetch(${JSON.stringify(new URL('/last', hostile.posingUrl).href)}).then(() => true)`)
    expect(hostile.asked).toEqual(['/posing', '/last'])
  })

  test('on a page of Mayfly the first press offers that server, and one more takes it', async () => {
    await browser.open(`${site}/privacy`)
    const popup = await browser.pressIcon()
    await says(popup, `Use 127.0.0.1:${server.httpPort}`)
    await popup.evaluate(`document.querySelector('.primary').click()`)
    await says(popup, 'No address yet.')
    expect(await stored('local')).toEqual({ site: { origin: site } })
  })

  test('without a field in focus it says so, and makes no address', async () => {
    await browser.open(`${form}/`)
    await says(await browser.pressIcon(), 'No field is in focus. Click into the field that asks for an address, then press again.')
    expect(await addresses()).toEqual([])
  })

  test('one press puts an address into the field, the next press the code of its mail into the field that asks for it', async () => {
    await browser.tab.evaluate(`document.querySelector('[name=email]').focus()`)
    const popup = await browser.pressIcon()
    await says(popup, `Put into the field on ${new URL(form).host}.`)
    const email = await browser.tab.evaluate<string>(`document.querySelector('[name=email]').value`)
    expect(email).toMatch(/^[^@]+@[^@]+$/)
    await says(popup, email)
    expect(await badge()).toBe('10')
    expect(await addresses()).toEqual([email])

    await browser.tab.evaluate(`document.querySelector('button').click()`)
    const title = await eventually(async () => /^(\d{3})\s(\d{3}) from The Garden Club/.exec(await iconTitle()))
    // The mail may be faster than the answer to the form.
    await eventually(async () => (await browser.tab.evaluate(`document.querySelector('[name=code]')?.value`)) === '')
    await says(await browser.pressIcon(), `is filled in on ${new URL(form).host}.`)
    expect(await browser.tab.evaluate(`document.querySelector('[name=code]').value`)).toBe(`${title[1]}${title[2]}`)
    // It is used, so the icon shows the minutes again.
    expect(await badge()).toMatch(/^(9|10)$/)
    await browser.tab.evaluate(`document.querySelector('button').click()`)
    await eventually(async () => (await browser.tab.evaluate<string>('document.body.innerText')).includes(`Welcome, ${email}!`))
  })

  test('the inbox opens with a question, and its token is in no URL, where the history of the browser would keep it', async () => {
    const [{ email }] = await sessionAddresses()
    await pressButton(await browser.pressIcon(), 'Open inbox')
    await using inbox = await browser.openedTab(`${site}/`)
    await says(inbox, `It is the inbox of ${email}`)
    expect(await inbox.evaluate(`performance.getEntriesByType('navigation')[0].name`)).toBe(`${site}/`)
  })

  test('a second press in the same place makes no second address', async () => {
    await browser.open(`${form}/`)
    await browser.tab.evaluate(`document.querySelector('[name=email]').focus()`)
    const [email] = await addresses()
    await says(await browser.pressIcon(), 'Put into the field on')
    expect(await browser.tab.evaluate(`document.querySelector('[name=email]').value`)).toBe(email)
    expect(await addresses()).toHaveLength(1)
  })

  test('the menu of a field puts the address into it, and says with a notification why it cannot', async () => {
    await browser.tab.evaluate(`document.querySelector('[name=email]').value = ''`)
    await chooseInMenu()
    const [email] = await addresses()
    await eventually(async () => (await browser.tab.evaluate(`document.querySelector('[name=email]').value`)) === email)
    await browser.tab.evaluate('document.activeElement.blur()')
    await chooseInMenu()
    await eventually(() => isTold('put'))
  })

  test('what somebody has typed stays: a press shows the popup, and the menu inserts at the selection', async () => {
    const [email] = await addresses()
    await browser.tab.evaluate(`document.body.insertAdjacentHTML('beforeend', '<textarea></textarea><div contenteditable>Grace</div>')`)
    await browser.tab.evaluate(
      `(field => { field.value = 'Dear X, yes'; field.focus(); field.setSelectionRange(5, 6) })(document.querySelector('textarea'))`,
    )
    await says(await browser.pressIcon(), String(email))
    expect(await browser.tab.evaluate(`document.querySelector('textarea').value`)).toBe('Dear X, yes')
    await chooseInMenu()
    await eventually(async () => (await browser.tab.evaluate(`document.querySelector('textarea').value`)) === `Dear ${email}, yes`)
    await browser.tab.evaluate(
      `document.querySelector('[contenteditable]').focus(); getSelection().modify('move', 'forward', 'lineboundary')`,
    )
    await chooseInMenu()
    await eventually(
      async () => (await browser.tab.evaluate(`document.querySelector('[contenteditable]').textContent`)) === `Grace${email}`,
    )
    await browser.tab.evaluate(`document.querySelectorAll('textarea, [contenteditable]').forEach(field => field.remove())`)
  })

  test('another site gets the code only from the menu of a field that a person sees', async () => {
    await using hostile = await startHostileSite()
    const [email] = await addresses()
    const contentOf = (id: string) => browser.tab.evaluate<string>(`document.getElementById('${id}').value ?? ''`)
    await browser.open(hostile.url)
    // The press lets the extension into this tab.
    await says(await browser.pressIcon(), String(email))
    const [, first, last] = await sendCode(String(email))

    await chooseInMenu('code')
    await eventually(() => isTold('put'))
    expect(await browser.tab.evaluate(`document.getElementById('trap').textContent.trim()`), 'is not in focus').toBe('')
    for (const id of ['outside', 'transparent', 'covered', 'tiny']) {
      await browser.background.evaluate(`chrome.notifications.clear('put')`)
      await browser.tab.evaluate(`document.getElementById('${id}').focus()`)
      await chooseInMenu('code')
      await eventually(() => isTold('put'))
      expect(await contentOf(id), id).toBe('')
    }
    await browser.tab.evaluate(`document.getElementById('seen').focus()`)
    await chooseInMenu('code')
    await eventually(async () => (await contentOf('seen')) === `${first}${last}`)
    await eventually(async () => (await iconTitle()).includes('min left'))

    const [, third, fourth] = await sendCode(String(email))
    for (const id of ['outside', 'seen']) await browser.tab.evaluate(`document.getElementById('${id}').value = ''`)
    await browser.tab.evaluate(`document.getElementById('outside').focus()`)
    await says(await browser.pressIcon(), `${third} ${fourth} is copied.`)
    expect([await contentOf('outside'), await contentOf('seen')]).toEqual(['', ''])

    // An address that the popup makes here counts as this site's, wherever it is put.
    let popup = await browser.pressIcon()
    await popup.evaluate(`chrome.runtime.sendMessage({ kind: 'make', url: '${hostile.url}' })`)
    const made = await eventually(async () => (await addresses()).find(each => each !== email))
    const [, fifth, sixth] = await sendCode(String(made))
    await browser.tab.evaluate(`document.getElementById('outside').focus()`)
    popup = await browser.pressIcon()
    await says(popup, `${fifth} ${sixth} is filled in on`)
    expect([await contentOf('outside'), await contentOf('seen')]).toEqual(['', `${fifth}${sixth}`])
    const [{ token }] = await sessionAddresses()
    await popup.evaluate(`chrome.runtime.sendMessage({ kind: 'delete', token: '${token}' })`)
    await eventually(async () => (await addresses()).length === 1)
    await browser.open(`${form}/`)
    await browser.tab.evaluate(`document.querySelector('[name=email]').value = '${email}'`)
  })

  test('where no field asks for the code, a press copies it', async () => {
    await browser.tab.evaluate(`document.querySelector('button').click()`)
    const [, first, last] = await eventually(async () => /^(\d{3})\s(\d{3}) from/.exec(await iconTitle()))
    await browser.open(`${site}/terms`)
    await says(await browser.pressIcon(), `${first} ${last} is copied.`)
    await eventually(async () => (await iconTitle()).includes('min left'))
  })

  test('an address that the server no longer has is forgotten with its token', async () => {
    const [{ email, token }] = await sessionAddresses()
    await sendCode(email)
    await eventually(() => isTold('code'))
    const { status } = await fetch(`${site}/api/mailbox`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
    expect(status).toBe(204)
    await eventually(async () => (await addresses()).length === 0)
    expect(JSON.stringify(await stored('session'))).not.toContain(token)
    expect([await badge(), await iconTitle()]).toEqual(['', 'Mayfly: put a fresh address here'])
    await eventually(async () => !(await isTold('code')))
  })

  test('what the browser lets nobody into, the server’s limit and a server that is away each have their sentence', async () => {
    await browser.open('chrome://version/')
    await says(await browser.pressIcon(), 'Browsers let no extension into this page. Paste an address there yourself.')
    await browser.open(`${form}/`)
    const popup = await browser.pressIcon()
    // Two were made before.
    for (let made = 1; made <= 3; made++) {
      await pressButton(popup, 'Generate new')
      await eventually(async () => (await addresses()).length === made)
    }
    await pressButton(popup, 'Generate new')
    await says(popup, 'That is as many new addresses as are allowed for now. The next one in')
    await server.kill9()
    await pressButton(popup, 'Generate new')
    await says(popup, `${new URL(site).host} does not answer. Check your connection, then press again.`)
  })

  test('of an address that lives a day the hours are counted', async () => {
    await browser.background.evaluate(`chrome.storage.session.get('state').then(({ state }) => {
      const addresses = state.addresses.map(address => ({ ...address, endsAtMs: Date.now() + 86_400_000 }))
      return chrome.storage.session.set({ state: { addresses } })
    })`)
    await browser.background.evaluate('chrome.alarms.onAlarm.dispatch({ name: "tick" })')
    await eventually(async () => (await badge()) === '24h')
    expect(await iconTitle()).toContain(' · 24 h left')
  })

  test('in the last seconds it is night, and addresses end by the clock of the browser too', async () => {
    const popup = await browser.pressIcon()
    const light = () => popup.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
    await eventually(async () => (await light()) === 'light dark')
    await browser.background.evaluate(`chrome.storage.session.get('state').then(({ state }) => {
      const addresses = state.addresses.map(address => ({ ...address, endsAtMs: Date.now() + 29_000 }))
      return chrome.storage.session.set({ state: { addresses } })
    })`)
    await eventually(async () => (await light()) === 'dark')
    await browser.background.evaluate(`chrome.storage.session.get('state').then(({ state }) => {
      const addresses = state.addresses.map(address => ({ ...address, endsAtMs: Date.now() - 1 }))
      return chrome.storage.session.set({ state: { addresses } })
    })`)
    await browser.background.evaluate('chrome.alarms.onAlarm.dispatch({ name: "tick" })')
    await eventually(async () => (await badge()) === '')
    expect(await stored('session')).toEqual({ state: { addresses: [] } })
  })

  test('the permission for a former server is given back, once no address of it lives', async () => {
    await using fresh = await startServerProcess()
    await using other = await startExtensionBrowser(program ?? '', [...GRANTED, 'http://localhost/*'])
    const hosts = () => other.background.evaluate<string[]>('chrome.permissions.getAll().then(({ origins }) => origins.sort())')
    await other.open(`${form}/`)
    const popup = await other.pressIcon()
    const choose = (origin: string) => popup.evaluate(`chrome.runtime.sendMessage({ kind: 'useSite', origin: '${origin}' })`)
    expect(await hosts()).toEqual([...GRANTED, 'http://localhost/*'])
    await choose(`http://127.0.0.1:${fresh.httpPort}`)
    await eventually(async () => (await hosts()).length === 1)
    expect(await hosts()).toEqual(GRANTED)
    await popup.evaluate(`chrome.runtime.sendMessage({ kind: 'make', url: '${form}' })`)
    await choose('https://mail.example')
    expect(await hosts(), 'its mail still comes').toEqual(GRANTED)
    await popup.evaluate(`chrome.storage.session.get('state').then(({ state: { addresses: [{ token }] } }) =>
      chrome.runtime.sendMessage({ kind: 'delete', token }))`)
    await eventually(async () => (await hosts()).length === 0)
  })

  test('icon and popup count on to the later end of an address that an account keeps', async () => {
    await using recorder = await startMailRecorder()
    await using keeper = await startServerProcess({ env: { SMTP_RELAY_URL: recorder.url, BOT_CHECK: 'off' } })
    const origin = `http://127.0.0.1:${keeper.httpPort}`
    await using other = await startExtensionBrowser(program ?? '', GRANTED)
    await other.open(`${form}/`)
    const popup = await other.pressIcon()
    const tell = (command: object) => popup.evaluate(`chrome.runtime.sendMessage(${JSON.stringify(command)})`)
    await tell({ kind: 'useSite', origin })
    await tell({ kind: 'make', url: form })
    await eventually(() => popup.evaluate(`/^00:(10:00|09:\\d\\d)$/.test(document.querySelector('.clock')?.textContent)`))

    const account = createVisitor(origin, { origin })
    const email = 'keeper@example.com'
    await account.post(routes.authSignUp, { email, password: PASSWORD, language: 'en' })
    await account.post(routes.authConfirm, { token: await recorder.nextToken(email), password: PASSWORD })
    const token = await popup.evaluate<string>('chrome.storage.session.get().then(({ state }) => state.addresses[0].token)')
    expect((await account.post(routes.accountMailboxes, { token })).status).toBe(200)
    await eventually(() => popup.evaluate(`/^(24:00|23:59):\\d\\d$/.test(document.querySelector('.clock')?.textContent)`))
    await eventually(() => other.background.evaluate(`chrome.action.getBadgeText({}).then(text => /^2[34]h$/.test(text))`))
  })

  test('without permission for the server it asks for it', async () => {
    await using stranger = await startExtensionBrowser(program ?? '', [])
    await stranger.background.evaluate(`chrome.storage.local.set({ site: { origin: 'https://mail.example' } })`)
    await stranger.open(`${form}/`)
    const popup = await stranger.pressIcon()
    await says(popup, 'Without permission for mail.example no address and no mail can come. Press “Use it” and allow it.')
    expect(await popup.evaluate(`document.querySelector('#url').value`)).toBe('https://mail.example')
  })

  const isTold = (notice: 'put' | 'code') =>
    browser.background.evaluate<boolean>(`chrome.notifications.getAll().then(shown => '${notice}' in shown)`)
  const chooseInMenu = (entry = 'put') =>
    browser.background.evaluate(`chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
      chrome.contextMenus.onClicked.dispatch({ menuItemId: '${entry}', frameId: 0 }, tab)
    })`)
  /** By the form, but not from the tab. Resolves when the icon shows the code. */
  const sendCode = async (email: string) => {
    await fetch(`${app.url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) })
    return eventually(async () => /^(\d{3})\s(\d{3}) from/.exec(await iconTitle()))
  }
  const iconTitle = () => browser.background.evaluate<string>('chrome.action.getTitle({})')
  const badge = () => browser.background.evaluate<string>('chrome.action.getBadgeText({})')
  const stored = (area: string) => browser.background.evaluate<Record<string, unknown>>(`chrome.storage.${area}.get()`)
  const sessionAddresses = async () => {
    const { state } = (await stored('session')) as { state?: { addresses: { email: string; token: string }[] } }
    return (state?.addresses ?? []) as [{ email: string; token: string }]
  }
  const addresses = async () => (await sessionAddresses()).map(({ email }) => email)
})

async function pressButton(frame: Frame, words: string): Promise<void> {
  const found = `[...document.querySelectorAll('button:enabled')].find(button => button.textContent === ${JSON.stringify(words)})`
  await eventually(() => frame.evaluate(`${found} !== undefined && (${found}.click(), true)`))
}

async function says(frame: Frame, words: string): Promise<void> {
  let text = ''
  await eventually(async () => {
    text = await frame.evaluate<string>('document.body.innerText')
    return text.includes(words)
  }).catch(() => expect(text).toContain(words))
}

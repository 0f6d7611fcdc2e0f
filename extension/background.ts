/**
 * The extension without its popup: acts on presses, reads mail while an address lives, draws the icon. The browser stops it when it is idle
 * and starts it again for an event, so everything it knows is in the session storage (addresses.ts).
 */
import { WARNING_SECONDS } from '#contract/limits.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { LINK_TOKEN_KEY } from '#web/lib/browser/storage.ts'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import {
  changeState,
  type ExtensionState,
  type KeptAddress,
  readSite,
  readState,
  saveSite,
  type WaitingCode,
  withLife,
  withMail,
  withoutAddress,
  withoutMail,
} from './addresses.ts'
import { browser, hostPattern, type MenuClick, type Tab } from './browser.ts'
import { showOnIcon } from './icon.ts'
import { createAddress, destroyAddress, watchMail } from './mailbox.ts'
import { type Failure, failureText, type Outcome, type PopupCommand } from './messages.ts'
import { actInPage, chooseAct, chooseFrame, hostOf, isForeignTo, openWithToken, siteOf } from './page-field.ts'

const TICK = 'tick'
/** The shortest that Chromium allows. */
const TICK_MINUTES = 0.5
/**
 * The entries in the menu of a field: for an address, and while one waits for the code. So are the notices called: why a press in the menu
 * did nothing, and the code.
 */
const MENU = { address: 'put', code: 'code' } as const
/** More are not needed at once, and each is a connection. */
const ADDRESSES_MAX = 5
/** Served by every Mayfly. All routes of the contract would take a twelfth of the extension's bytes. */
const TEXT_FILE = '/.well-known/security.txt'
/** Together about half a minute: a phone may wait that long for the server. */
const OPEN_TRIES_MAX = 300
const OPEN_RETRY_MS = 100

const watched = new Map<string, AbortController>()
let endTimer: ReturnType<typeof setTimeout> | undefined

/** Makes icon, clock and streams what the state says. */
async function follow(state: ExtensionState): Promise<void> {
  const { addresses } = state
  for (const [token, watching] of watched) {
    if (addresses.some(address => address.token === token)) continue
    watching.abort()
    watched.delete(token)
  }
  for (const address of addresses) if (!watched.has(address.token)) watch(address)
  clearTimeout(endTimer)
  const now = Date.now()
  // The alarm comes too late for the last minute, and for the end.
  const nextMs = Math.min(
    ...addresses
      .flatMap(({ endsAtMs }) => [endsAtMs - now, (endsAtMs - now) % 60_000, endsAtMs - now - WARNING_SECONDS * 1000])
      .filter(ms => ms > 0),
  )
  if (addresses.length > 0) {
    endTimer = setTimeout(() => void refresh(), nextMs + 50)
    await browser.alarms.create(TICK, { periodInMinutes: TICK_MINUTES })
  } else await browser.alarms.clear(TICK)
  await showOnIcon(state, now)
  await showInMenu(state)
  if (!state.waiting) await browser.notifications.clear(MENU.code)
  await giveBackHosts(addresses)
}

async function showInMenu({ waiting }: ExtensionState): Promise<void> {
  const title = browser.i18n.getMessage('codeMenuTitle', [groupCode(waiting?.code ?? '')])
  // Until the browser has installed the extension there is no such entry.
  await Promise.resolve(browser.contextMenus.update(MENU.code, { visible: waiting !== undefined, title })).catch(() => undefined)
}

/** A server that was chosen before keeps its permission while an address of it lives. */
async function giveBackHosts(addresses: readonly KeptAddress[]): Promise<void> {
  const site = await readSite()
  const needed = [site, ...addresses].map(used => used && hostPattern(used.origin))
  const { origins } = await browser.permissions.getAll()
  if (site) await browser.permissions.remove({ origins: origins.filter(pattern => !needed.includes(pattern)) })
}

async function change(how: (state: ExtensionState) => ExtensionState): Promise<void> {
  await follow(await changeState(how))
}

/** Forgets what has ended: `readState` leaves it out. */
const refresh = () => change(state => state)

function watch(address: KeptAddress): void {
  const { token } = address
  const watching = new AbortController()
  watched.set(token, watching)
  void watchMail(
    address,
    {
      onLife: (endsAtMs, lifetimeSeconds) => void change(state => withLife(state, token, { endsAtMs, lifetimeSeconds })),
      onMail: mail => void hear(token, mail),
      onRemoved: id => void change(state => withoutMail(state, token, id)),
      onEnd: () => void change(state => withoutAddress(state, token)),
      // A call of the browser tells it that this page is not idle, so that the stream stays open.
      onBytes: () => void browser.runtime.getPlatformInfo(),
    },
    watching.signal,
  )
}

async function hear(token: string, mail: KeptAddress['mails'][number]): Promise<void> {
  let arrived: WaitingCode | undefined
  await change(state => {
    const next = withMail(state, token, mail)
    arrived = next.waiting?.mailId === mail.id && state.waiting?.mailId !== mail.id ? next.waiting : undefined
    return next
  })
  if (arrived) {
    const title = browser.i18n.getMessage('noticeTitle', [groupCode(arrived.code)])
    await notify(MENU.code, title, browser.i18n.getMessage('noticeText', [arrived.from]))
  }
}

const notify = (id: string, title: string, message: string) =>
  browser.notifications.create(id, { type: 'basic', iconUrl: 'icon-128.png', title, message })

/** One press: looks at the page, decides, acts. */
async function press(tabId: number | undefined, url: string | undefined, menuFrame?: number): Promise<Outcome> {
  const { addresses, waiting } = await readState()
  const site = await readSite()
  const page = siteOf(url)
  const host = hostOf(page)
  const target = { tabId: tabId ?? -1, ...(menuFrame === undefined ? { allFrames: true } : { frameIds: [menuFrame] }) }
  const frames = await browser.scripting.executeScript({ target, func: actInPage, args: ['look', ''] }).catch(() => undefined)
  const origin = frames?.find(({ frameId }) => frameId === 0)?.result?.mayfly
  if (!site) return menuFrame === undefined ? { did: 'setUp', ...(origin && { origin }) } : { did: 'fail', failure: 'noSite' }
  if (!(await isAllowed(site.origin))) return { did: 'fail', failure: 'refused', host: hostOf(site.origin), origin: site.origin }
  const isForeign = isForeignTo(addresses.find(({ token }) => token === waiting?.token)?.usedOn, page)
  const frame = frames && chooseFrame(frames, menuFrame === undefined && waiting !== undefined && !isForeign)
  if (!frame?.result) return waiting ? { did: 'copy', code: waiting.code } : { did: 'fail', failure: 'closedPage' }
  const hasCode = menuFrame === undefined && waiting !== undefined
  const emails = addresses.map(({ email }) => email)
  const act =
    menuFrame === undefined ? chooseAct(frame.result, { hasCode, isForeign, emails }) : frame.result.focused === 'none' ? 'show' : 'put'
  if (act === 'copy' && waiting) return { did: 'copy', code: waiting.code }
  if (act === 'show')
    return menuFrame === undefined ? shown(frame.result.focused, addresses.length > 0) : { did: 'fail', failure: 'noField' }
  const field = { tabId: tabId ?? -1, frameIds: [frame.frameId] }
  if (act === 'fill' && waiting) {
    const [filled] = await browser.scripting.executeScript({ target: field, func: actInPage, args: ['fill', waiting.code] })
    if (!filled?.result?.isWritten) return { did: 'copy', code: waiting.code }
    await use()
    return { did: 'fill', code: waiting.code, host }
  }
  // A site keeps the address it was given, so that pressing twice does not make two.
  const address = addresses.find(({ usedOn }) => usedOn === page) ?? (await make(page))
  if ('did' in address) return address
  const [put] = await browser.scripting.executeScript({ target: field, func: actInPage, args: ['put', address.email] })
  return put?.result?.isWritten ? { did: 'put', host } : { did: 'fail', failure: 'noField' }
}

function shown(focused: string, hasAddress: boolean): Outcome {
  if (focused === 'code') return { did: 'fail', failure: 'noCode' }
  return focused === 'none' && !hasAddress ? { did: 'fail', failure: 'noField' } : { did: 'show' }
}

const isAllowed = (origin: string) => browser.permissions.contains({ origins: [hostPattern(origin)] })

/** A new address on the chosen server, or why there is none. */
async function make(usedOn: string): Promise<KeptAddress | Outcome> {
  const site = await readSite()
  if (!site) return { did: 'fail', failure: 'noSite' }
  try {
    const address: KeptAddress = { ...(await createAddress(site)), usedOn }
    await change(({ addresses, ...rest }) => ({ ...rest, addresses: [address, ...addresses].slice(0, ADDRESSES_MAX) }))
    return address
  } catch (error) {
    const seconds = error instanceof ProblemError ? (error.retryAfterSeconds ?? 0) : 0
    return { did: 'fail', failure: failureOf(error), host: hostOf(site.origin), seconds }
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof ProblemError)) return 'away'
  if (error.code === 'rate_limited' || error.code === 'api_mailboxes_max') return 'limit'
  if (error.code === 'network_blocked') return 'network'
  return error.code === 'bot_check_failed' || error.code.startsWith('api_token') ? 'botCheck' : 'away'
}

/** Its code was used. */
const use = () => change(({ addresses }) => ({ addresses }))

async function obey(command: PopupCommand): Promise<Outcome> {
  if (command.kind === 'press') return press(command.tabId, command.url)
  if (command.kind === 'used') await use()
  if (command.kind === 'useSite') {
    await saveSite({ origin: command.origin, ...(command.apiKey && { apiKey: command.apiKey }) })
    await refresh()
  }
  if (command.kind === 'make') {
    const made = await make(siteOf(command.url))
    return 'did' in made ? made : { did: 'made' }
  }
  if (command.kind === 'open') await openInbox(command.token)
  if (command.kind === 'delete') return deleteAddress(command.token)
  return { did: 'show' }
}

/**
 * On the page, which asks before it takes the address over. The token is in no URL, because the browser's history keeps those, may send
 * them to other devices, and other extensions may read them. It waits on a file of the server, since the page looks for it as soon as it
 * loads.
 */
async function openInbox(token: string): Promise<void> {
  const address = (await readState()).addresses.find(known => known.token === token)
  if (!address) return
  const { origin } = address
  const { id = -1 } = await browser.tabs.create({ url: origin + TEXT_FILE })
  const injection = { target: { tabId: id }, func: openWithToken, args: [origin, LINK_TOKEN_KEY, token] as [string, string, string] }
  for (let tries = 0; tries < OPEN_TRIES_MAX; tries++) {
    const [opened] = await browser.scripting.executeScript(injection).catch(() => [])
    if (opened?.result) return
    await new Promise(resolve => setTimeout(resolve, OPEN_RETRY_MS))
  }
}

/** It is forgotten even if the server cannot be told, where it then ends by itself. */
async function deleteAddress(token: string): Promise<Outcome> {
  const address = (await readState()).addresses.find(known => known.token === token)
  await change(state => withoutAddress(state, token))
  if (!address) return { did: 'show' }
  return destroyAddress(address).then<Outcome, Outcome>(
    () => ({ did: 'show' }),
    () => ({ did: 'fail', failure: 'away', host: hostOf(address.origin) }),
  )
}

/** From the context menu there is no popup to show what happened: only a failure says anything. */
async function pressInMenu({ menuItemId, frameId = 0 }: MenuClick, tab: Tab | undefined): Promise<void> {
  const isCode = menuItemId === MENU.code
  const outcome = isCode ? await putCode(tab, frameId) : await press(tab?.id, tab?.url, frameId)
  if (outcome.did === 'fail') await notify(MENU.address, browser.i18n.getMessage('menuTitle'), failureText(outcome))
}

/** Whoever chooses the entry in the menu of a field, which names the code, wants it there, on whatever site. */
async function putCode(tab: Tab | undefined, frameId: number): Promise<Outcome> {
  const { waiting } = await readState()
  if (!waiting) return { did: 'fail', failure: 'noCode' }
  const args: Parameters<typeof actInPage> = ['point', waiting.code]
  const injection = { target: { tabId: tab?.id ?? -1, frameIds: [frameId] }, func: actInPage, args }
  const [filled] = await browser.scripting.executeScript(injection).catch(() => [])
  if (!filled?.result?.isWritten) return { did: 'fail', failure: 'noCodeField' }
  await use()
  return { did: 'fill' }
}

browser.runtime.onMessage.addListener((message, sender, answer) => {
  // Its scripts inside a page have the same id, and a page may have taken them over.
  if (sender.id !== browser.runtime.id || !sender.url?.startsWith(browser.runtime.getURL(''))) return undefined
  const failed: Outcome = { did: 'fail', failure: 'away' }
  obey(message as PopupCommand).then(answer, error => {
    console.warn(error)
    answer(failed)
  })
  return true
})
browser.contextMenus.onClicked.addListener((click, tab) => void pressInMenu(click, tab))
browser.alarms.onAlarm.addListener(() => void refresh())
browser.runtime.onStartup.addListener(() => void refresh())
browser.runtime.onInstalled.addListener(() => {
  browser.contextMenus.create({ id: MENU.address, title: browser.i18n.getMessage('menuTitle'), contexts: ['editable'] })
  browser.contextMenus.create({ id: MENU.code, title: MENU.code, contexts: ['editable'], visible: false })
  void refresh()
})
void refresh()

/**
 * What the extension keeps. The addresses with their tokens are in the browser's session storage, which is memory and is gone with the
 * browser; each entry is removed when its address ends. Only the server's URL, and an API key if there is one, stay.
 */
import { list, number, object, optional, type Shape, type Shaped, text } from '#web/lib/shape.ts'
import { browser } from './browser.ts'

const mail = object({ id: text, from: text, subject: text, receivedAt: text, code: optional(text) })
export type Mail = Shaped<typeof mail>

const keptAddress = object({
  email: text,
  token: text,
  /** The server that made it. */
  origin: text,
  /** The host of the page that it was made for; empty without one. */
  usedOn: text,
  endsAtMs: number,
  lifetimeSeconds: number,
  /** Newest first. */
  mails: list(mail),
})
export type KeptAddress = Shaped<typeof keptAddress>

/** A code that nobody has copied or filled in yet. */
const waitingCode = object({ code: text, from: text, mailId: text, token: text })
export type WaitingCode = Shaped<typeof waitingCode>

const extensionState = object({ addresses: list(keptAddress), waiting: optional(waitingCode) })
/** `addresses`: newest first. */
export type ExtensionState = Shaped<typeof extensionState>

const site = object({ origin: text, apiKey: optional(text) })
export type Site = Shaped<typeof site>

const STATE = 'state'
const SITE = 'site'
/** The extension keeps so many mails of each address; the page has the others. */
const MAILS_MAX = 20

async function read<T>(area: 'local' | 'session', key: string, shape: Shape<T>): Promise<T | undefined> {
  const value = (await browser.storage[area].get(key))[key]
  return shape(value) ? value : undefined
}

/** The live addresses. What has ended is not returned, even if nobody has removed it yet. */
export async function readState(): Promise<ExtensionState> {
  const { addresses, waiting } = (await read('session', STATE, extensionState)) ?? { addresses: [] }
  const live = addresses.filter(({ endsAtMs }) => Date.now() < endsAtMs)
  const code = waiting && live.some(({ token }) => token === waiting.token) ? waiting : undefined
  return code ? { addresses: live, waiting: code } : { addresses: live }
}

let writing: Promise<unknown> = Promise.resolve()

/** Changes are made one after the other. Only the background page makes any. */
export function changeState(change: (state: ExtensionState) => ExtensionState): Promise<ExtensionState> {
  const changed = writing.then(async () => {
    const next = change(await readState())
    await browser.storage.session.set({ [STATE]: next })
    return next
  })
  writing = changed.catch(() => undefined)
  return changed
}

export const readSite = () => read('local', SITE, site)
export const saveSite = (chosen: Site) => browser.storage.local.set({ [SITE]: chosen })

export function withLife(state: ExtensionState, token: string, life: Pick<KeptAddress, 'endsAtMs' | 'lifetimeSeconds'>): ExtensionState {
  return { ...state, addresses: state.addresses.map(address => (address.token === token ? { ...address, ...life } : address)) }
}

/** Adds or replaces a mail; a new code waits to be used. A mail is told again when its sender has been checked. */
export function withMail(state: ExtensionState, token: string, arrived: Mail): ExtensionState {
  const known = state.addresses.find(address => address.token === token)?.mails.find(({ id }) => id === arrived.id)
  const addresses = state.addresses.map(address =>
    address.token === token
      ? { ...address, mails: [arrived, ...address.mails.filter(({ id }) => id !== arrived.id)].sort(newestFirst).slice(0, MAILS_MAX) }
      : address,
  )
  const { code, from, id: mailId } = arrived
  if (code !== undefined && !known) return { addresses, waiting: { code, from, mailId, token } }
  // Its sender turned out to be somebody else.
  if (code === undefined && state.waiting?.mailId === mailId) return { addresses }
  return { ...state, addresses }
}

export function withoutMail(state: ExtensionState, token: string, id: string): ExtensionState {
  const addresses = state.addresses.map(address =>
    address.token === token ? { ...address, mails: address.mails.filter(kept => kept.id !== id) } : address,
  )
  return state.waiting && state.waiting.mailId !== id ? { addresses, waiting: state.waiting } : { addresses }
}

export function withoutAddress({ addresses, waiting }: ExtensionState, token: string): ExtensionState {
  const left = addresses.filter(address => address.token !== token)
  return waiting && waiting.token !== token ? { addresses: left, waiting } : { addresses: left }
}

function newestFirst(a: Mail, b: Mail): number {
  return b.receivedAt.localeCompare(a.receivedAt)
}

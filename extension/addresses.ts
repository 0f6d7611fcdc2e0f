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
  /** The site of the page that it was made for; empty without one. */
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
/** Two answers about the same end differ by how long each took. */
const SAME_END_MS = 2000

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

/**
 * Changes are made one after the other. Only the background page makes any. What is the same as before is not written: the popup would draw
 * itself again for it, under a finger or the focus. Chromium sorts the properties, but tells nobody of what has not changed.
 */
export function changeState(change: (state: ExtensionState) => ExtensionState): Promise<ExtensionState> {
  const made = writing.then(async () => {
    const { session } = browser.storage
    const next = change(await readState())
    const stored = { [STATE]: next }
    if (JSON.stringify(await session.get(STATE)) !== JSON.stringify(stored)) await session.set(stored)
    return next
  })
  writing = made.catch(() => undefined)
  return made
}

export const readSite = () => read('local', SITE, site)
export const saveSite = (chosen: Site) => browser.storage.local.set({ [SITE]: chosen })

function changed({ addresses }: ExtensionState, token: string, change: (address: KeptAddress) => KeptAddress): KeptAddress[] {
  return addresses.map(address => (address.token === token ? change(address) : address))
}

/** The end moves if an account keeps the address, or if the clock of the device is set. */
export function withLife(state: ExtensionState, token: string, life: Pick<KeptAddress, 'endsAtMs' | 'lifetimeSeconds'>): ExtensionState {
  return {
    ...state,
    addresses: changed(state, token, address =>
      Math.abs(address.endsAtMs - life.endsAtMs) < SAME_END_MS ? address : { ...address, ...life },
    ),
  }
}

/** Adds or replaces a mail; a new code waits to be used. A mail is told again when its sender has been checked. */
export function withMail(state: ExtensionState, token: string, arrived: Mail): ExtensionState {
  const known = state.addresses.find(address => address.token === token)?.mails.find(({ id }) => id === arrived.id)
  const addresses = changed(state, token, address => ({
    ...address,
    mails: [arrived, ...address.mails.filter(({ id }) => id !== arrived.id)].sort(newestFirst).slice(0, MAILS_MAX),
  }))
  const { code, from, id: mailId } = arrived
  if (code !== undefined && !known) return { addresses, waiting: { code, from, mailId, token } }
  // Its sender turned out to be somebody else.
  if (code === undefined && state.waiting?.mailId === mailId) return { addresses }
  return { ...state, addresses }
}

export function withoutMail(state: ExtensionState, token: string, id: string): ExtensionState {
  const addresses = changed(state, token, address => ({ ...address, mails: address.mails.filter(kept => kept.id !== id) }))
  return state.waiting?.mailId === id ? { addresses } : { ...state, addresses }
}

export function withoutAddress(state: ExtensionState, token: string): ExtensionState {
  const addresses = state.addresses.filter(address => address.token !== token)
  return state.waiting?.token === token ? { addresses } : { ...state, addresses }
}

const newestFirst = (a: Mail, b: Mail): number => b.receivedAt.localeCompare(a.receivedAt)

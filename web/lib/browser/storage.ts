/** Access to local storage. Values are parsed when they are read. Where storage is forbidden, values last as long as the page. */
import type { Shape } from '../shape.ts'

export type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Local storage, or a map where storage is forbidden or missing. */
// Marked as pure for the home page's inline script, which does without.
export const localStore: KeyValue = /* @__PURE__ */ openLocalStore()

function openLocalStore(): KeyValue {
  // Node 26 has a `localStorage` that only warns.
  if (typeof document === 'undefined') return createMemoryStore()
  try {
    const probe = 'mayfly.probe'
    globalThis.localStorage.setItem(probe, '')
    globalThis.localStorage.removeItem(probe)
    return globalThis.localStorage
  } catch {
    return createMemoryStore()
  }
}

function createMemoryStore(): KeyValue {
  const entries = new Map<string, string>()
  return {
    getItem: key => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: key => void entries.delete(key),
  }
}

/** `undefined` if nothing is stored, or the stored value is invalid (written by another version, an extension or by hand). */
export function readStored<T>(store: KeyValue, key: string, shape: Shape<T>): T | undefined {
  return parseStored(store.getItem(key), shape)
}

export function parseStored<T>(text: string | null | undefined, shape: Shape<T>): T | undefined {
  if (!text) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return shape(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** If the storage is full (QuotaExceededError), only the value is lost. */
export function writeStored(store: KeyValue, key: string, value: unknown): void {
  try {
    store.setItem(key, JSON.stringify(value))
  } catch {
    store.removeItem(key)
  }
}

/** Keys of local storage that several parts of the site use. */
export const ACCOUNT_KEY = 'mayfly.account'
export const ADDRESS_KEY = 'mayfly.mailbox'
export const OTHER_ADDRESS_KEY = 'mayfly.mailbox.other'
/** The e-mail address that its visitor wants to keep, while they sign in or up elsewhere. */
export const KEEP_KEY = 'mayfly.keep'
/** The domain that the visitor chose for new addresses. */
export const DOMAIN_KEY = 'mayfly.domain'
/** Tokens of deleted addresses that the server does not know of yet. */
export const OWED_DELETIONS_KEY = 'mayfly.deletions'
/** In the storage of the tab: the token of a hand-off link that has not been opened yet. */
export const LINK_TOKEN_KEY = 'mayfly.hand-off'

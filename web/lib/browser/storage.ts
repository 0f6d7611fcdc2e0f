/** The one door to local storage: what comes out was parsed, and a browser that forbids storage costs nothing but the memory. */
import type { Shape } from '../shape.ts'

export type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Local storage, or a map that lives as long as the page where storage is forbidden or absent. */
export const localStore: KeyValue = openLocalStore()

function openLocalStore(): KeyValue {
  try {
    const probe = 'mayfly.probe'
    globalThis.localStorage.setItem(probe, '')
    globalThis.localStorage.removeItem(probe)
    return globalThis.localStorage
  } catch {
    return createMemoryStore()
  }
}

export function createMemoryStore(): KeyValue {
  const entries = new Map<string, string>()
  return {
    getItem: key => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: key => void entries.delete(key),
  }
}

/** `undefined` when nothing is stored, or what is stored is not what it should be (another version, an extension, a hand). */
export function readStored<T>(store: KeyValue, key: string, shape: Shape<T>): T | undefined {
  return parseStored(store.getItem(key), shape)
}

export function parseStored<T>(text: string | null, shape: Shape<T>): T | undefined {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return shape(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A full store (QuotaExceededError) loses the value, never the page. */
export function writeStored(store: KeyValue, key: string, value: unknown): void {
  try {
    store.setItem(key, JSON.stringify(value))
  } catch {
    store.removeItem(key)
  }
}

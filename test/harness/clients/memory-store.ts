import type { KeyValue } from '#web/lib/browser/storage.ts'

/** The storage of one browser. */
export function createMemoryStore(): KeyValue {
  const entries = new Map<string, string>()
  return {
    getItem: key => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: key => void entries.delete(key),
  }
}

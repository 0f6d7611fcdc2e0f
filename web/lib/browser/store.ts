/** One observable value. `get` and `subscribe` fit `useSyncExternalStore`. */
type Store<T> = { readonly get: () => T; readonly subscribe: (listener: () => void) => () => void; readonly set: (next: T) => void }

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
  }
}

import { useSyncExternalStore } from 'react'

type Readable<T> = { readonly get: () => T; readonly subscribe: (listener: () => void) => () => void }

/** The value of a store, now and after each change. `served`: while the page is what the server sent, if not the same. */
export const useStore = <T>({ get, subscribe }: Readable<T>, served: () => T = get): T => useSyncExternalStore(subscribe, get, served)

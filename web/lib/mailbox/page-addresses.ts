import { readMailbox } from '../api/mailbox-routes.ts'
import { request } from '../api/request.ts'
import { pageClock } from '../browser/clock.ts'
import { ADDRESS_KEY, KEEP_KEY, localStore, OTHER_ADDRESS_KEY } from '../browser/storage.ts'
import { createAddressStore } from './address-store.ts'

const read = (token: string) => request(readMailbox, { token })

/** The address of this page, in sync with the other tabs. */
export const addressStore = createAddressStore(localStore, pageClock, read)

/** A second address that stays available: the one that was open when the visitor followed a hand-off link, or the link's own. */
export const otherAddressStore = createAddressStore(localStore, pageClock, read, OTHER_ADDRESS_KEY)

/** Forgets the addresses that an account keeps: this browser is no longer signed in to it. */
export function forgetKeptAddresses(): void {
  for (const store of [addressStore, otherAddressStore]) if (store.get()?.kept) store.clear()
}

if (typeof window !== 'undefined') {
  // The wish to keep an address ends with it.
  addressStore.subscribe(() => addressStore.get() || localStore.removeItem(KEEP_KEY))
  window.addEventListener('storage', event => {
    // A null key means that the whole storage was cleared.
    if (event.key === ADDRESS_KEY || event.key === null) addressStore.adopt(event.newValue)
    if (event.key === OTHER_ADDRESS_KEY || event.key === null) otherAddressStore.adopt(event.newValue)
  })
}

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

/**
 * Forgets the addresses that the account of `email` keeps, since this browser is no longer signed in to it. They stay in the account's
 * list. What a sign-up for another account keeps is no business of this one.
 */
export function forgetKeptAddresses(email: string): void {
  // The page shows the other one in the place of one that goes, so that one goes first.
  for (const store of [otherAddressStore, addressStore]) {
    const { kept, unconfirmed = email } = store.get() ?? {}
    if (kept && unconfirmed.toLowerCase() === email.toLowerCase()) store.clear()
  }
}

if (typeof window !== 'undefined') {
  // The wish to keep an address ends with it.
  addressStore.subscribe(() => addressStore.get() || localStore.removeItem(KEEP_KEY))
  window.addEventListener('storage', event => {
    // A null key means that the whole storage was cleared.
    if (event.key === ADDRESS_KEY || event.key === null) addressStore.adopt(event.newValue)
    if (event.key === OTHER_ADDRESS_KEY || event.key === null) otherAddressStore.adopt(event.newValue)
  })
  // In the browser's cache for Back a page hears of nothing: meanwhile the account that keeps an address may have signed out.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    addressStore.refresh()
    otherAddressStore.refresh()
  })
}

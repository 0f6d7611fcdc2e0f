import { readMailbox } from '../api/mailbox-routes.ts'
import { request } from '../api/request.ts'
import { pageClock } from '../browser/clock.ts'
import { localStore, OTHER_SESSION_KEY, SESSION_KEY } from '../browser/storage.ts'
import { createSessionStore } from './address-store.ts'

const read = (token: string) => request(readMailbox, { token })

/** The session of this page, in sync with the other tabs. */
export const sessionStore = createSessionStore(localStore, pageClock, read)

/** A second address that stays available: the one that was open when the visitor followed a hand-off link, or the link's own. */
export const otherSessionStore = createSessionStore(localStore, pageClock, read, OTHER_SESSION_KEY)

if (typeof window !== 'undefined') {
  window.addEventListener('storage', event => {
    // A null key means that the whole storage was cleared.
    if (event.key === SESSION_KEY || event.key === null) sessionStore.adopt(event.newValue)
    if (event.key === OTHER_SESSION_KEY || event.key === null) otherSessionStore.adopt(event.newValue)
  })
}

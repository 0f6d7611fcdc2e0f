import { useSyncExternalStore } from 'react'
import { pageClock } from '../browser/clock.ts'
import { watchWake } from '../browser/wake.ts'
import type { MailboxSession } from './address-store.ts'
import { createLiveAddress } from './live-address.ts'
import { sessionStore } from './page-addresses.ts'

export const liveAddress = createLiveAddress({ sessions: sessionStore, clock: pageClock, watchWake })

/** The address that is live, in the served page none. Renders again when another one takes its place, and at its end. */
export function useLiveAddress(): MailboxSession | undefined {
  return useSyncExternalStore(liveAddress.subscribe, liveAddress.get, () => undefined)
}

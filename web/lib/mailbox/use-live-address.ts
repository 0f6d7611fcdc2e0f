import { pageClock, watchWake } from '../browser/clock.ts'
import { useStore } from '../browser/use-store.ts'
import type { StoredAddress } from './address-store.ts'
import { createLiveAddress } from './live-address.ts'
import { addressStore } from './page-addresses.ts'

export const liveAddress = createLiveAddress({ addresses: addressStore, clock: pageClock, watchWake })

/** The address that is live, in the served page none. Renders again when another one takes its place, and at its end. */
export const useLiveAddress = (): StoredAddress | undefined => useStore(liveAddress, () => undefined)

import { useSyncExternalStore } from 'react'
import { watchWake } from '../browser/wake.ts'
import { createLiveAddress } from './live-address.ts'
import type { MailboxSession } from './mailbox-session.ts'
import { sessionStore } from './page-sessions.ts'

function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

const clock = { now: () => performance.now(), wall: () => Date.now(), after }

export const liveAddress = createLiveAddress({ sessions: sessionStore, clock, watchWake })

/** The address that is live, in the served page none. Renders again when another one takes its place, and at its end. */
export function useLiveAddress(): MailboxSession | undefined {
  return useSyncExternalStore(liveAddress.subscribe, liveAddress.get, () => undefined)
}

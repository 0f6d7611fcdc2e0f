import { useSyncExternalStore } from 'react'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { sessionStore } from '#web/lib/mailbox/mailbox-session.ts'

/** Makes `mailbox` the address that this browser shows, in all its tabs. */
export function openAddress(mailbox: MailboxCreated): void {
  sessionStore.save(mailbox, performance.now())
}

/** The token of the address that this browser shows. */
export function useOpenToken(): string | undefined {
  return useSyncExternalStore(
    sessionStore.subscribe,
    () => sessionStore.get()?.token,
    () => undefined,
  )
}

import { useCallback, useEffect, useState } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { CreateMailbox, MailboxCreated } from '#contract/mailbox.ts'
import { listProMailboxes } from '../api/account-routes.ts'
import { ProblemError, request } from '../api/request.ts'
import { untilReleased } from '../browser/released.ts'
import { createAddress } from '../mailbox/address-requests.ts'
import { newAddressAllowance, roomStore } from '../mailbox/new-address-limit.ts'
import { authStore, useAuth } from './auth.tsx'

/** `mailboxes` is undefined for visitors and until the first response. */
type ProMailboxes = { readonly mailboxes: readonly MailboxCreated[] | undefined; reload(): Promise<void> }

/** The live addresses of the signed-in account, the same on every device. */
export function useProMailboxes(): ProMailboxes {
  const { status } = useAuth()
  const [mailboxes, setMailboxes] = useState<readonly MailboxCreated[]>()
  const isSignedIn = status === 'signed-in'

  const reload = useCallback(async () => {
    try {
      const listed = await request(listProMailboxes, {})
      await untilReleased()
      setMailboxes(listed.mailboxes)
      roomStore.set(PRO_MAILBOXES_MAX - listed.mailboxes.length)
    } catch {
      // The session may have ended elsewhere; otherwise the current list stays.
      await authStore.refresh()
    }
  }, [])

  useEffect(() => {
    if (!isSignedIn) return setMailboxes(undefined)
    void reload()
    // Another device may have created or deleted an address while this page was hidden.
    const look = () => document.visibilityState === 'visible' && void reload()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      roomStore.set(Number.POSITIVE_INFINITY)
    }
  }, [isSignedIn, reload])

  return { mailboxes, reload }
}

/** Creates an address of the account. Counted like every other new address of this device. Throws `ProblemError` and `BotCheckError`. */
export async function createProMailbox(wanted: Omit<CreateMailbox, 'botCheck'>): Promise<MailboxCreated> {
  if (newAddressAllowance(true).remaining === 0) throw new ProblemError('rate_limited')
  return (await createAddress(wanted, true)).mailbox
}

import { useCallback, useEffect, useState } from 'react'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { listProMailboxes } from '#web/lib/account-api.ts'
import { useAuth } from '#web/lib/auth.tsx'

/** `mailboxes` is undefined for a visitor and until the first answer. */
export type ProMailboxes = { readonly mailboxes: readonly MailboxCreated[] | undefined; reload(): Promise<void> }

/** The live addresses of the signed-in account, the same on every device (decision 6). */
export function useProMailboxes(): ProMailboxes {
  const { status, refresh } = useAuth()
  const [mailboxes, show] = useState<readonly MailboxCreated[]>()
  const isSignedIn = status === 'signed-in'

  const reload = useCallback(async () => {
    try {
      show(await listProMailboxes())
    } catch {
      // The session may have ended elsewhere; else the list that is there stays.
      await refresh()
    }
  }, [refresh])

  useEffect(() => {
    if (isSignedIn) void reload()
    else show(undefined)
  }, [isSignedIn, reload])

  return { mailboxes, reload }
}

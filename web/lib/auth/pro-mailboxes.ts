import { useCallback, useEffect, useState } from 'react'
import type { CreateMailbox, MailboxCreated } from '#contract/mailbox.ts'
import { listProMailboxes } from '../api/account-routes.ts'
import { createMailbox } from '../api/mailbox-routes.ts'
import { isAttempt, ProblemError, request } from '../api/request.ts'
import { obtainBotCheck, sendChecked } from '../bot-check/bot-check.ts'
import { deviceFingerprint } from '../bot-check/fingerprint.ts'
import { localStore } from '../browser/storage.ts'
import { allowanceFor, newAddressLimit, recordAttempt } from '../mailbox/new-address-limit.ts'
import { useAuth } from './auth.tsx'

/** `mailboxes` is undefined for visitors and until the first response. */
type ProMailboxes = { readonly mailboxes: readonly MailboxCreated[] | undefined; reload(): Promise<void> }

/** The live addresses of the signed-in account, the same on every device. */
export function useProMailboxes(): ProMailboxes {
  const { status, refresh } = useAuth()
  const [mailboxes, setMailboxes] = useState<readonly MailboxCreated[]>()
  const isSignedIn = status === 'signed-in'

  const reload = useCallback(async () => {
    try {
      setMailboxes((await request(listProMailboxes, {})).mailboxes)
    } catch {
      // The session may have ended elsewhere; otherwise the current list stays.
      await refresh()
    }
  }, [refresh])

  useEffect(() => {
    if (!isSignedIn) return setMailboxes(undefined)
    void reload()
    // Another device may have created or deleted an address while this page was hidden.
    const look = () => document.visibilityState === 'visible' && void reload()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isSignedIn, reload])

  return { mailboxes, reload }
}

/** Creates an address of the account. Counted like every other new address of this device. Throws `ProblemError` and `BotCheckError`. */
export async function createProMailbox(wanted: Omit<CreateMailbox, 'botCheck'>): Promise<MailboxCreated> {
  const device = deviceFingerprint()
  const limit = newAddressLimit(true)
  if (allowanceFor(localStore, device, Date.now(), limit).remaining === 0) throw new ProblemError('rate_limited')
  const botCheck = await obtainBotCheck('generate_email')
  try {
    const created = await sendChecked('generate_email', { ...(botCheck && { botCheck }), ...wanted }, json =>
      request(createMailbox, { json }),
    )
    recordAttempt(localStore, device, Date.now(), limit)
    return created
  } catch (error) {
    if (isAttempt(error)) recordAttempt(localStore, device, Date.now(), limit)
    throw error
  }
}

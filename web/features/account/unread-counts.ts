import { useEffect, useState } from 'react'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { countUnread } from '#web/lib/mailbox/unread.ts'

const NONE: ReadonlyMap<string, number> = new Map()

/** How many messages of these addresses nobody has opened in this browser, by token, once each has been asked for. */
export function useUnreadCounts(mailboxes: readonly MailboxCreated[] | undefined): ReadonlyMap<string, number> {
  const [counts, setCounts] = useState(NONE)
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    const count = async ({ token }: MailboxCreated) => {
      const unread = await countUnread(token, signal)
      if (!signal.aborted) setCounts(known => new Map([...known, [token, unread]]))
    }
    // An address may have ended a moment ago: then it has no count.
    for (const mailbox of mailboxes ?? []) count(mailbox).catch(() => undefined)
    return () => unmounted.abort()
  }, [mailboxes])
  return counts
}

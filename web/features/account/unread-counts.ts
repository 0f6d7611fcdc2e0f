import { useEffect, useState } from 'react'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { listMessages } from '#web/lib/api/mailbox-api.ts'
import { readMarks } from '#web/lib/mailbox/read-marks.ts'

const NONE: ReadonlyMap<string, number> = new Map()

/** How many messages of these addresses nobody has opened in this browser, by token, once each has been asked for. */
export function useUnreadCounts(mailboxes: readonly MailboxCreated[] | undefined): ReadonlyMap<string, number> {
  const [counts, setCounts] = useState(NONE)
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    const count = async ({ token }: MailboxCreated) => {
      const { messages } = await listMessages(token, signal)
      const read = readMarks(token)
      const unread = messages.filter(({ id }) => !read.has(id)).length
      if (!signal.aborted) setCounts(known => new Map([...known, [token, unread]]))
    }
    // An address may have ended a moment ago: then it has no count.
    for (const mailbox of mailboxes ?? []) count(mailbox).catch(() => undefined)
    return () => unmounted.abort()
  }, [mailboxes])
  return counts
}

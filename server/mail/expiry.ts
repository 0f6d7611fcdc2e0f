import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/log.ts'
import type { MailStore } from '#server/store/store.ts'

/** How soon after its end a mailbox is physically gone when little else is to do. */
const PAUSE_MS = 1000
/** Bounds one round; a million that expire at once are gone after a few hundred rounds without a pause between them. */
const MAILBOXES_PER_ROUND = 2000

/** Removes what has expired until `signal` aborts. A store that cannot sweep now is asked again after the pause. */
export async function runExpiry(store: Pick<MailStore, 'sweep'>, signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    const removed = await store.sweep(MAILBOXES_PER_ROUND).catch((err: unknown) => {
      if (!signal.aborted) log.warn({ err }, 'expired mailboxes could not be removed now; they stay closed and are tried again')
      return 0
    })
    if (removed < MAILBOXES_PER_ROUND) await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

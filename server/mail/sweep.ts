import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import type { MailStore } from '#server/store/store.ts'

/** How long after its expiry a mailbox is physically removed when the server is idle. */
const PAUSE_MS = 1000
/** Limits one round. A million mailboxes that expire at once are removed in a few hundred rounds without a pause between them. */
const MAILBOXES_PER_ROUND = 2000

/** Removes expired mailboxes until `signal` aborts. If the store fails, it tries again after the pause. */
export async function sweepExpired(store: Pick<MailStore, 'sweep'>, signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    const removed = await store.sweep(MAILBOXES_PER_ROUND).catch((err: unknown) => {
      if (!signal.aborted) log.warn({ err }, 'Expired mailboxes could not be removed now; they stay closed and are tried again')
      return 0
    })
    if (removed < MAILBOXES_PER_ROUND) await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

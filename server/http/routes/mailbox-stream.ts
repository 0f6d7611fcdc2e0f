/** Writes the changes of a mailbox to an event stream. */
import type { DeliveryProgress, MailboxEvent, StreamEvent } from '#contract/mailbox.ts'
import { CHANGES_PER_STEP, type MailboxChange, type OpenMailbox, type Reader } from '#server/mail/mail-core.ts'
import type { EventStream } from '../responses/event-stream.ts'
import type { HttpDeps } from './http-deps.ts'

type Deps = Pick<HttpDeps, 'metrics' | 'mail' | 'clock' | 'closing' | 'streams'>

/** Opening a stream costs the next process about half of this. */
const RECONNECT_MS_PER_STREAM = 1
const RECONNECT_SPREAD_MS_MIN = 500

/** Runs until the mailbox is gone, the reader disconnects or the server stops. Never rejects: after an error the reader reconnects. */
export async function writeMailboxStream(
  { mail, clock, metrics, closing, streams }: Deps,
  { mailbox, after, network }: { mailbox: OpenMailbox; after: number; network: string },
  stream: EventStream,
): Promise<void> {
  const reader: Reader = { network, signal: stream.closed }
  const openedAt = clock()
  let cursor = after
  const expire = async () => {
    await stream.send({ event: 'expired', data: JSON.stringify({ type: 'expired' } satisfies StreamEvent) })
    stream.end()
  }
  const stopExpiry = atTime(clock, mailbox.expiresAt, () => void expire())
  const stop = () => {
    const afterMs = reconnectMs(streams.count, Math.random())
    void stream.send({ event: 'reconnect', retryMs: afterMs, data: JSON.stringify({ type: 'reconnect', afterMs } satisfies StreamEvent) })
    stream.end()
  }
  closing.addEventListener('abort', stop)
  if (closing.aborted) stop()
  const ended = new AbortController()
  const offerDeliveryProgress = (delivery: DeliveryProgress) =>
    stream.offer({ event: 'delivery', data: JSON.stringify(delivery satisfies StreamEvent) })
  mail.watchDeliveryProgress(mailbox.mailboxId, offerDeliveryProgress, AbortSignal.any([stream.closed, ended.signal]))
  try {
    for await (const _ of mail.watch(mailbox.mailboxId, stream.closed)) {
      let isMore = true
      while (isMore) {
        const changes = await mail.changesSince(mailbox, cursor, reader)
        if (!changes) return await expire()
        for (const change of changes) {
          await stream.send({ event: change.type, id: String(change.cursor), data: JSON.stringify(eventJson(change)) })
          cursor = change.cursor
          const arrivedAt = arrivalTime(change)
          if (arrivedAt !== undefined && arrivedAt >= openedAt) metrics.streamDelivered((clock() - arrivedAt) / 1000)
        }
        isMore = changes.length === CHANGES_PER_STEP
      }
    }
  } catch {
    // The store cannot be read right now: the reader reconnects with its cursor.
  } finally {
    stopExpiry()
    ended.abort()
    closing.removeEventListener('abort', stop)
    stream.end()
  }
}

/** Spreads the reconnects of a stopping process, so that they do not all reach the next one at the same instant. */
function reconnectMs(streams: number, random: number): number {
  return Math.round(random * Math.max(RECONNECT_SPREAD_MS_MIN, streams * RECONNECT_MS_PER_STREAM))
}

/** Compares with `clock`: timers may fire a millisecond early, and clocks may be changed. */
function atTime(clock: HttpDeps['clock'], time: number, run: () => void): () => void {
  let timer: NodeJS.Timeout
  const check = () => {
    const leftMs = time - clock()
    if (leftMs <= 0) run()
    else timer = setTimeout(check, leftMs)
  }
  timer = setTimeout(check, Math.max(0, time - clock()))
  return () => clearTimeout(timer)
}

/** Milliseconds since the epoch. `undefined` for changes other than arrivals, such as authentication results of an older message. */
function arrivalTime(change: MailboxChange): number | undefined {
  if (change.type !== 'message' || change.message.cursor !== String(change.cursor)) return undefined
  return Date.parse(change.message.receivedAt)
}

function eventJson(change: MailboxChange): MailboxEvent {
  return change.type === 'message' ? { type: 'message', message: change.message } : { type: 'removed', id: change.id }
}

/** Live changes of a mailbox: an event stream and a long poll with the same cursor. */
import { TIMER_MS_MAX } from '#contract/limits.ts'
import type { DeliveryProgress, MailboxEvent, StreamEvent } from '#contract/mailbox.ts'
import { streamEvents, waitForMessage } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import type { OpenMailbox } from '#server/mail/mailboxes.ts'
import type { MessageCondition } from '#server/mail/message/message-condition.ts'
import type { MailboxChange } from '#server/mail/reading/inbox.ts'
import type { Reader } from '#server/mail/reading/read-queue.ts'
import { toIso } from '#server/platform/clock.ts'
import { isLocalIp, type Networks } from '#server/platform/net/ip-address.ts'
import { parseCursor, readCondition, toReader } from '../requests/input.ts'
import { ALREADY_SENT, EventStream } from '../responses/event-stream.ts'
import { openOthers } from './credentials.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

const WAIT_SECONDS_DEFAULT = 30
export function eventRoutes(deps: HttpDeps): BoundRoute[] {
  return [
    defineRoute(streamEvents, async ({ c, mailbox }) => {
      // A HEAD request gets only the head, since a stream does not end.
      if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' })
      const others = await openOthers(c, deps)
      const { lease, ending } = await acquireStream(deps, mailbox, c.get('networks'))
      const stream = new EventStream(c.env)
      for (const [position, other] of others.entries()) void tellOfChanges(deps, other, position, stream)
      const after = parseCursor(c.req.header('last-event-id'))
      const isLocal = isLocalIp(c.get('clientIp'))
      void writeMailboxStream(deps, { mailbox, after, networks: c.get('networks'), isLocal, ending }, stream).finally(() =>
        lease[Symbol.dispose](),
      )
      return ALREADY_SENT
    }),
    defineRoute(waitForMessage, async ({ c, mailbox, query, fail }) => {
      const { to, body } = query
      const condition = { ...readCondition(query), to, body }
      const { lease, ending } = await acquireStream(deps, mailbox, c.get('networks'))
      using _lease = lease
      const timeoutMs = Math.ceil((query.timeoutSeconds ?? WAIT_SECONDS_DEFAULT) * 1000)
      const ended = AbortSignal.any([ending, c.req.raw.signal, AbortSignal.timeout(timeoutMs)])
      const found = await findMessage(deps, { mailbox, reader: toReader(c) }, condition, ended)
      return found === 'gone' ? fail('mailbox_not_found') : (found ?? null)
    }),
  ]
}

/** Looks up the mailbox's creator only at the network's limit of streams. `ending` aborts when server or stream has to end. */
async function acquireStream(
  { admission: { streams }, accounts, server: { closing } }: HttpDeps,
  { mailboxId }: OpenMailbox,
  networks: Networks,
): Promise<{ readonly lease: Disposable; readonly ending: AbortSignal }> {
  const given = new AbortController()
  const giveWay = () => given.abort()
  const ending = AbortSignal.any([closing, given.signal])
  try {
    return { lease: streams.acquire(mailboxId, networks, giveWay), ending }
  } catch (error) {
    const apiMailbox = await accounts.apiMailboxes.find(mailboxId)
    if (!apiMailbox) throw error
    return { lease: streams.acquireForApi(mailboxId, apiMailbox.owner, networks, giveWay), ending }
  }
}

type Waiting = { readonly mailbox: OpenMailbox; readonly reader: Reader }

async function findMessage({ mail }: HttpDeps, { mailbox, reader }: Waiting, condition: MessageCondition, ended: AbortSignal) {
  let cursor: number | undefined
  const search = async () => {
    const found = await mail.findMessage(mailbox, cursor ?? condition.afterCursor, condition, reader)
    cursor = found?.cursor
    return found ? found.message : 'gone'
  }
  for await (const _ of mail.watch(mailbox.mailboxId, ended)) {
    const found = await search()
    if (found) return found
  }
  // A store on the network may not have begun to watch in time, or may have lost the right to.
  return reader.signal.aborted ? undefined : await search()
}

/** Opening a stream costs the next process about half of this. */
const RECONNECT_MS_PER_STREAM = 1
const RECONNECT_SPREAD_MS_MIN = 500

type Streamed = {
  readonly mailbox: OpenMailbox
  readonly after: number
  readonly networks: Networks
  readonly isLocal: boolean
  readonly ending: AbortSignal
}

/**
 * Writes the changes of a mailbox to an event stream. Runs until the mailbox is gone, the reader disconnects or the server stops. Never
 * rejects: after an error the reader reconnects.
 */
async function writeMailboxStream(
  { log, mail, clock, admission: { streams }, server: { telemetry } }: HttpDeps,
  { mailbox, after, networks, isLocal, ending }: Streamed,
  stream: EventStream,
): Promise<void> {
  const reader: Reader = { networks, signal: stream.closed }
  const openedAt = clock()
  let cursor = after
  const sent = new SentMessages()
  const expire = async () => {
    await stream.send({ event: 'expired', data: JSON.stringify({ type: 'expired' } satisfies StreamEvent) })
    stream.end()
  }
  const extend = (end: number) =>
    stream.send({ event: 'extended', data: JSON.stringify({ type: 'extended', expiresAt: toIso(end) } satisfies StreamEvent) })
  const end = watchEnd(clock, mailbox, mail.findEnd, { extend, expire: isOver => (isOver ? void expire() : stream.end()) })
  const stop = () => {
    const afterMs = reconnectMs(streams.count, Math.random())
    void stream.send({ event: 'reconnect', retryMs: afterMs, data: JSON.stringify({ type: 'reconnect', afterMs } satisfies StreamEvent) })
    stream.end()
  }
  ending.addEventListener('abort', stop)
  if (ending.aborted) stop()
  const ended = new AbortController()
  const offerDeliveryProgress = (delivery: DeliveryProgress) =>
    stream.offer({ event: 'delivery', data: JSON.stringify(delivery satisfies StreamEvent) })
  const closed = AbortSignal.any([stream.closed, ended.signal])
  mail.watchDeliveryProgress(mailbox.mailboxId, offerDeliveryProgress, closed)
  if (isLocal) mail.watchLocalProgress(offerDeliveryProgress, closed)
  try {
    for await (const _ of mail.watch(mailbox.mailboxId, stream.closed)) {
      let isMore = true
      while (isMore) {
        const step = await mail.changesSince(mailbox, cursor, reader)
        if (!step) return await expire()
        for (const change of step.changes) {
          if (!sent.isNews(change)) continue
          await stream.send({ event: change.type, id: String(change.cursor), data: JSON.stringify(eventJson(change)) })
          const arrivedAt = arrivalTime(change)
          if (arrivedAt !== undefined && arrivedAt >= openedAt) telemetry.streamDelivered((clock() - arrivedAt) / 1000)
        }
        // Something else may have changed, also before the stream was opened.
        if (step.changes.length === 0) await end.check()
        cursor = step.cursor
        isMore = step.isMore
      }
    }
  } catch (err) {
    // The store cannot be read right now, which it says itself: the reader reconnects with its cursor.
    if (!(err instanceof AppError)) log.warn({ err }, 'An event stream was cut off')
  } finally {
    end.stop()
    ended.abort()
    ending.removeEventListener('abort', stop)
    stream.end()
  }
}

/**
 * Tells of changes in a further mailbox, without data: at the start, so that no reconnect misses one, after each, and at its end. That it
 * cannot be read, or has all its watchers, ends this part alone, too. Never rejects.
 */
async function tellOfChanges(
  { log, mail, clock, admission: { streams } }: HttpDeps,
  mailbox: OpenMailbox | undefined,
  position: number,
  stream: EventStream,
): Promise<void> {
  const tell = () => stream.send({ event: 'changed', data: JSON.stringify({ type: 'changed', position } satisfies StreamEvent) })
  using lease = mailbox && streams.acquireWatcher(mailbox.mailboxId)
  if (!lease) return tell()
  const ended = new AbortController()
  const expire = () => {
    void tell()
    ended.abort()
  }
  const end = watchEnd(clock, mailbox, mail.findEnd, { extend: tell, expire })
  try {
    for await (const _ of mail.watchFromAfar(mailbox.mailboxId, AbortSignal.any([stream.closed, ended.signal]))) {
      await end.check()
      if (!ended.signal.aborted) await tell()
    }
  } catch (err) {
    if (!(err instanceof AppError)) log.warn({ err }, 'An event stream tells no longer of a further mailbox')
    await tell()
  } finally {
    end.stop()
  }
}

/** Which messages a stream has sent. A store that lost its newest writes may get them again, and a reader must not. */
class SentMessages {
  /** By id: `true` if the message was sent with the results of the checks. */
  readonly #sent = new Map<string, boolean>()

  isNews(change: MailboxChange): boolean {
    if (change.type !== 'message') {
      this.#sent.delete(change.id)
      return true
    }
    const { id, authentication } = change.message
    const sent = this.#sent.get(id)
    const isChecked = authentication !== undefined
    if (sent !== undefined && (sent || !isChecked)) return false
    this.#sent.set(id, isChecked)
    return true
  }
}

/** Spreads the reconnects of a stopping process, so that they do not all reach the next one at the same instant. */
function reconnectMs(streams: number, random: number): number {
  return Math.round(random * Math.max(RECONNECT_SPREAD_MS_MIN, streams * RECONNECT_MS_PER_STREAM))
}

type EndListener = { readonly extend: (end: number) => Promise<void>; readonly expire: (isOver: boolean) => void }

/**
 * Calls `expire` when the mailbox ends, or with `false` if the store does not know, and `extend` when an account keeps it. Compares with
 * `clock`: timers may fire a millisecond early, and clocks may be changed.
 */
function watchEnd(clock: HttpDeps['clock'], mailbox: OpenMailbox, findEnd: HttpDeps['mail']['findEnd'], { extend, expire }: EndListener) {
  let timer: NodeJS.Timeout
  let end = mailbox.expiresAt
  let isStopped = false
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void (clock() < end ? wait() : check()), Math.min(Math.max(0, end - clock()), TIMER_MS_MAX))
  }
  const check = async () => {
    const found = await findEnd(mailbox).catch(() => 'unknown' as const)
    if (isStopped) return
    if (found === 'unknown' || found === undefined) return expire(found === undefined)
    const isLater = found > end
    end = Math.max(end, found)
    wait()
    if (isLater) await extend(end)
  }
  wait()
  return {
    check,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Milliseconds since the epoch. `undefined` for changes other than arrivals, such as authentication results of an older message. */
function arrivalTime(change: MailboxChange): number | undefined {
  if (change.type !== 'message' || change.message.cursor !== String(change.cursor)) return undefined
  return Date.parse(change.message.receivedAt)
}

function eventJson(change: MailboxChange): MailboxEvent {
  return change.type === 'message' ? { type: 'message', message: change.message } : { type: 'removed', id: change.id }
}

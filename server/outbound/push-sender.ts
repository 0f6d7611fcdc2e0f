import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { Clock } from '#server/platform/clock.ts'
import { serve } from '#server/platform/limits/clients.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId } from '#server/store/store.ts'
import { type Attempted, postOnce } from './guarded-request.ts'
import type { PushSubscriptions, PushTargets, Subscriber } from './push-subscriptions.ts'
import { encryptPush, type Vapid } from './web-push.ts'

/** Simultaneous requests of one process. */
const SENDERS_MAX = 32
/** Requests to one push service, all of its hosts together, so that a silent one does not delay the others. */
const SENDERS_PER_SERVICE_MAX = 8
/** Browsers of one mailbox that are notified at once. */
const SENDERS_PER_MAILBOX_MAX = 2
/** The part of these places that hosts and mailboxes have that were slow lately. */
const SLOW_SHARE = 1 / 2
/** A request that has run for this long is slow, and takes no place of those that are not. */
const SLOW_MS_MIN = 2000
const SLOW_FOR_MS = 10 * 60_000
const LATELY_KEPT_MAX = 10_000
/** Browsers of one process that may wait. More are dropped, first of the creator that has most: a late notification is useless. */
const WAITING_MAX = 10_000
const LOG_EVERY_MS = 60_000
/** A browser gets at most one notification in this time, however many mails arrive. */
const REST_MS = 5000
/** Pauses after each failed attempt. After the last one the notification is dropped; the mail is in the inbox. */
const PAUSES_MS = [3000, 15_000] as const
const TIMEOUT_MS = 10_000
/** `reason` of an attempt whose host has no address. A resolver that could not be asked reports another. */
const NO_SUCH_HOST = 'enotfound'
const GONE: ReadonlySet<number | undefined> = new Set([404, 410])

type PushSenderDeps = {
  readonly subscriptions: Pick<PushSubscriptions, 'of' | 'removeGone'>
  readonly services: Pick<PushTargets, 'targets' | 'findService'>
  readonly vapid: Vapid
  readonly clock: Clock
  readonly log: Log
  readonly telemetry: Telemetry
  /** Shorter in tests. */
  readonly restMs?: number
  readonly pausesMs?: readonly number[]
  readonly slowMsMin?: number | undefined
  readonly waitingMax?: number | undefined
}

/** `service`: see `PushTargets.findService`. `failures`: attempts that this notification has had. `owner`: who created the mailbox. */
type Notification = {
  readonly owner: string
  readonly mailboxId: MailboxId
  readonly subscriber: Subscriber
  readonly service: string | undefined
  readonly host: string
  readonly failures: number
}
type Sending = Pick<Notification, 'mailboxId' | 'service' | 'host'> & { readonly isSlow: boolean; readonly startMs: number }

/** Notifies subscribed browsers of new mail. Best effort: what waits is lost with the process that stored the mail. */
export class PushSender implements AsyncDisposable {
  readonly #deps: PushSenderDeps
  /** By id. A browser that is already waiting gets one notification. */
  readonly #waiting = new Map<string, Notification>()
  /** Notifications of resting browsers, kept apart so that the search for the next one does not visit them. */
  readonly #later = new Map<string, Notification>()
  /** The ids in both of them. */
  readonly #ids = new IdsByOwner()
  readonly #atIntervals = createLogInterval(LOG_EVERY_MS)
  /** Being notified, notified recently, or in the pause after a failed attempt. */
  readonly #resting = new Set<string>()
  readonly #senders = new Set<Promise<void>>()
  readonly #sendings = new Set<Sending>()
  /** When each mailbox was last served: they take turns. */
  readonly #servedMs = new BoundedMap<string, number>(LATELY_KEPT_MAX)
  /** When the last slow request to each host, and of each mailbox, ended. */
  readonly #slowMs = new BoundedMap<string, number>(LATELY_KEPT_MAX)
  readonly #closed = new AbortController()

  constructor(deps: PushSenderDeps) {
    this.#deps = deps
  }

  /** Resolves when the browsers of the mailbox are in the queue. */
  async mailStored(mailboxId: MailboxId, creator: Holder): Promise<void> {
    const owner = creator.at(-1) ?? mailboxId
    for (const subscriber of await this.#deps.subscriptions.of(mailboxId)) {
      if (!this.#hasRoom(owner)) break
      const queue = this.#resting.has(subscriber.id) ? this.#later : this.#waiting
      const service = this.#deps.services.findService(subscriber.endpoint)
      const host = URL.parse(subscriber.endpoint)?.host ?? ''
      this.#enqueue(queue, { owner, mailboxId, subscriber, service, host, failures: queue.get(subscriber.id)?.failures ?? 0 })
    }
    this.#work()
  }

  #enqueue(queue: Map<string, Notification>, notification: Notification): void {
    const { id } = notification.subscriber
    const before = queue.get(id)
    if (before) this.#ids.delete(before.owner, id)
    queue.set(id, notification)
    this.#ids.add(notification.owner, id)
  }

  #dequeue(queue: Map<string, Notification>, id: string): void {
    const notification = queue.get(id)
    if (!notification) return
    queue.delete(id)
    this.#ids.delete(notification.owner, id)
  }

  /** Drops the notification that has waited longest of the owner with most, if it has more than this one then has. */
  #hasRoom(owner: string): boolean {
    const { log, waitingMax = WAITING_MAX } = this.#deps
    if (this.#waiting.size + this.#later.size < waitingMax) return true
    this.#atIntervals(() => log.warn('Push notifications are dropped: too many wait'))
    const { count, id } = this.#ids.most()
    if (id === undefined || count <= this.#ids.countOf(owner) + 1) return false
    for (const queue of [this.#later, this.#waiting]) this.#dequeue(queue, id)
    return true
  }

  /** Cuts running attempts off, and starts no others. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
    await Promise.all(this.#senders)
  }

  #work(): void {
    while (!this.#closed.signal.aborted) {
      const next = this.#next()
      if (!next) return
      const { id } = next.notification.subscriber
      this.#dequeue(this.#waiting, id)
      this.#resting.add(id)
      this.#start(next.notification, next.isSlow)
    }
  }

  /** One that may be sent now: first those that were not slow lately, and of them one whose mailbox has waited longest. */
  #next(): { readonly notification: Notification; readonly isSlow: boolean } | undefined {
    const { slowMsMin = SLOW_MS_MIN } = this.#deps
    const now = performance.now()
    const [slow, quick] = [new Counts(), new Counts()]
    const ofMailboxes = new Counts()
    for (const { mailboxId, service, isSlow, startMs } of this.#sendings) {
      ofMailboxes.add(mailboxId)
      if (isSlow) slow.add(service)
      else if (now - startMs < slowMsMin) quick.add(service)
    }
    if (quick.all >= SENDERS_MAX && slow.all >= SENDERS_MAX * SLOW_SHARE) return undefined
    let found: { notification: Notification; isSlow: boolean; order: number } | undefined
    for (const notification of this.#waiting.values()) {
      const { mailboxId, service, host } = notification
      if (ofMailboxes.of(mailboxId) >= SENDERS_PER_MAILBOX_MAX) continue
      const isSlow = [mailboxId, host].some(key => now - (this.#slowMs.get(key) ?? -SLOW_FOR_MS) < SLOW_FOR_MS)
      const [running, share] = isSlow ? [slow, SLOW_SHARE] : [quick, 1]
      if (running.all >= SENDERS_MAX * share || running.of(service) >= SENDERS_PER_SERVICE_MAX * share) continue
      const order = (isSlow ? now : 0) + (this.#servedMs.get(mailboxId) ?? 0)
      if (found === undefined || order < found.order) found = { notification, isSlow, order }
    }
    return found
  }

  #start(notification: Notification, isSlow: boolean): void {
    const { log, restMs = REST_MS, slowMsMin = SLOW_MS_MIN } = this.#deps
    const { mailboxId, service, host } = notification
    const sending = { mailboxId, service, host, isSlow, startMs: performance.now() }
    this.#sendings.add(sending)
    this.#servedMs.set(mailboxId, sending.startMs)
    const ageing = setTimeout(() => this.#work(), slowMsMin)
    const sender = serve([], () => this.#attempt(notification))
      .catch((error: unknown) => {
        log.error({ err: error }, 'A push notification could not be sent')
        return undefined
      })
      .then(pauseMs => {
        clearTimeout(ageing)
        this.#senders.delete(sender)
        this.#leave(sending)
        this.#rest(notification.subscriber.id, pauseMs ?? restMs)
        this.#work()
      })
    this.#senders.add(sender)
  }

  #leave(sending: Sending): void {
    const { slowMsMin = SLOW_MS_MIN } = this.#deps
    const now = performance.now()
    this.#sendings.delete(sending)
    if (now - sending.startMs >= slowMsMin) for (const key of [sending.host, sending.mailboxId]) this.#slowMs.set(key, now)
  }

  #rest(id: string, ms: number): void {
    setTimeout(() => {
      this.#resting.delete(id)
      const notification = this.#later.get(id)
      this.#later.delete(id)
      if (notification) this.#waiting.set(id, notification)
      this.#work()
    }, ms).unref()
  }

  /** How long to wait until the next attempt, which it puts in the queue; `undefined` if there is to be none. */
  async #attempt(notification: Notification): Promise<number | undefined> {
    const { clock, log, subscriptions, telemetry, pausesMs = PAUSES_MS } = this.#deps
    const { subscriber, service, failures } = notification
    const { id, expiresAt } = subscriber
    if (expiresAt <= clock()) return undefined
    // The operator may have removed the service since the browser subscribed.
    const attempted = service !== undefined ? await this.#send(subscriber) : undefined
    if (!attempted || GONE.has(attempted.status)) {
      await subscriptions.removeGone(id)
      this.#dequeue(this.#later, id)
      return undefined
    }
    if (attempted.isDelivered || this.#closed.signal.aborted) return undefined
    log.info({ reason: attempted.reason }, 'A push service did not take a notification')
    const pauseMs = isTransient(attempted) ? pausesMs[failures] : undefined
    if (pauseMs === undefined) return undefined
    telemetry.sendingRetried('push')
    this.#enqueue(this.#later, { ...notification, failures: failures + 1 })
    return pauseMs
  }

  async #send({ id, endpoint, keys, expiresAt }: Subscriber): Promise<Attempted> {
    const { clock, vapid, services } = this.#deps
    const now = clock()
    const headers = {
      authorization: vapid.authorization(endpoint, now),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      // With the topic, the service drops what it could not deliver: of several waiting messages it delivers only the newest.
      ttl: String(Math.ceil((expiresAt - now) / 1000)),
      topic: id.replaceAll('-', ''),
      urgency: 'high',
      'user-agent': 'Mayfly-Push/1',
    }
    return await postOnce({ url: endpoint, headers, body: encryptPush(keys, Buffer.from(JSON.stringify({ id }))) }, services.targets, {
      timeoutMs: TIMEOUT_MS,
      signal: this.#closed.signal,
    })
  }
}

/** Knows without a search who has most. */
class IdsByOwner {
  /** The first of each owner has waited longest. */
  readonly #ids = new Map<string, Set<string>>()
  /** Owners by how many ids they have. No set is empty but those of numbers that nobody has now. */
  readonly #owners: Set<string>[] = []

  countOf(owner: string): number {
    return this.#ids.get(owner)?.size ?? 0
  }

  add(owner: string, id: string): void {
    this.#change(owner, ids => ids.add(id))
  }

  delete(owner: string, id: string): void {
    this.#change(owner, ids => ids.delete(id))
  }

  /** The longest waiting id of an owner who has most. */
  most(): { readonly count: number; readonly id: string | undefined } {
    while (this.#owners.length > 0 && !this.#owners.at(-1)?.size) this.#owners.pop()
    const [owner = ''] = this.#owners.at(-1) ?? []
    const [id] = this.#ids.get(owner) ?? []
    return { count: this.countOf(owner), id }
  }

  #change(owner: string, change: (ids: Set<string>) => void): void {
    const ids = this.#ids.get(owner) ?? new Set()
    this.#owners[ids.size]?.delete(owner)
    change(ids)
    if (ids.size === 0) {
      this.#ids.delete(owner)
      return
    }
    this.#ids.set(owner, ids)
    this.#owners[ids.size] = (this.#owners[ids.size] ?? new Set()).add(owner)
  }
}

class Counts {
  all = 0
  readonly #byKey = new Map<string | undefined, number>()

  add(key: string | undefined): void {
    this.all++
    this.#byKey.set(key, this.of(key) + 1)
  }

  of(key: string | undefined): number {
    return this.#byKey.get(key) ?? 0
  }
}

/** Too many requests, an error of the service, or no response; not a host that does not exist. */
function isTransient({ status, reason }: Attempted): boolean {
  return status === undefined ? reason !== NO_SUCH_HOST : status === 429 || status >= 500
}

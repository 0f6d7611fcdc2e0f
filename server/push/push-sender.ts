import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import { type Attempted, postOnce } from '#server/outgoing/post-once.ts'
import type { MailboxId } from '#server/store/store.ts'
import { encryptPush } from './encrypt.ts'
import type { PushTargets } from './push-targets.ts'
import type { PushSubscriptions, Subscriber } from './subscriptions.ts'
import type { Vapid } from './vapid.ts'

/** Simultaneous requests of one process. */
const SENDERS_MAX = 32
/** Browsers of one process that wait for a notification. More are dropped, because a notification that is minutes late is useless. */
const WAITING_MAX = 10_000
/** A browser gets at most one notification in this time, however many mails arrive. */
const REST_MS = 5000
/** Pauses after each failed attempt. After the last one the notification is dropped; the mail is in the inbox. */
const PAUSES_MS = [3000, 15_000] as const
const TIMEOUT_MS = 10_000
const GONE: ReadonlySet<number | undefined> = new Set([404, 410])

type Deps = {
  readonly subscriptions: Pick<PushSubscriptions, 'of' | 'removeGone'>
  readonly services: Pick<PushTargets, 'targets'>
  readonly vapid: Vapid
  readonly clock: Clock
  readonly log: Log
  /** Shorter in tests. */
  readonly restMs?: number
  readonly pausesMs?: readonly number[]
}

/**
 * Notifies subscribed browsers of new mail. Best effort: waiting notifications are in the memory of the process that stored the mail, and
 * are lost with it.
 */
export class PushSender implements AsyncDisposable {
  readonly #deps: Deps
  /** By id, first come first served. A browser that is already waiting gets one notification. */
  readonly #waiting = new Map<string, Subscriber>()
  /** Being notified, or notified recently. */
  readonly #resting = new Set<string>()
  readonly #senders = new Set<Promise<void>>()
  readonly #closed = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Resolves when the browsers of the mailbox are in the queue. */
  async mailArrived(mailboxId: MailboxId): Promise<void> {
    for (const subscriber of await this.#deps.subscriptions.of(mailboxId)) {
      if (this.#waiting.size >= WAITING_MAX) return this.#deps.log.warn('Push notifications are dropped: too many wait')
      this.#waiting.set(subscriber.id, subscriber)
    }
    this.#work()
  }

  /** Lets running attempts end at their time limit, and starts no others. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
    this.#waiting.clear()
    await Promise.all(this.#senders)
  }

  #work(): void {
    for (const [id, subscriber] of this.#waiting) {
      if (this.#senders.size >= SENDERS_MAX || this.#closed.signal.aborted) return
      if (this.#resting.has(id)) continue
      this.#waiting.delete(id)
      this.#resting.add(id)
      const sender = this.#tell(subscriber)
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'A push notification could not be sent'))
        .finally(() => {
          this.#senders.delete(sender)
          this.#rest(id)
          this.#work()
        })
      this.#senders.add(sender)
    }
  }

  #rest(id: string): void {
    setTimeout(() => {
      this.#resting.delete(id)
      this.#work()
    }, this.#deps.restMs ?? REST_MS).unref()
  }

  async #tell(subscriber: Subscriber): Promise<void> {
    const { clock, log, subscriptions, pausesMs = PAUSES_MS } = this.#deps
    const { signal } = this.#closed
    for (const pauseMs of [0, ...pausesMs]) {
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted || subscriber.expiresAt <= clock()) return
      const { isDelivered, status, reason } = await this.#send(subscriber)
      if (isDelivered) return
      if (GONE.has(status)) return await subscriptions.removeGone(subscriber.id)
      log.info({ reason }, 'a push service did not take a notification')
      if (!isPassing(status)) return
    }
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
    return await postOnce(
      { url: endpoint, headers, body: encryptPush(keys, Buffer.from(JSON.stringify({ id }))) },
      services.targets,
      TIMEOUT_MS,
    )
  }
}

/** Too many requests, an error of the service, or no response. */
function isPassing(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500
}

/** Creates webhook deliveries for new mail: ids and times, never content. */
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import type { Arrival, SettleArrival } from '#server/mail/context.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { WebhookDeliveries } from './deliveries.ts'
import type { Webhooks } from './webhooks.ts'

type ApiMailbox = { readonly id: string; readonly owner: string }
type Deps = {
  readonly webhooks: Pick<Webhooks, 'listening' | 'exist'>
  readonly deliveries: Pick<WebhookDeliveries, 'enqueue' | 'confirm' | 'withdraw'>
  readonly findApiMailbox: (mailboxId: MailboxId) => Promise<ApiMailbox | undefined>
  readonly clock: Clock
  readonly log: Log
}

/** Most deployments have no webhook, and then a mail should cost no query: whether there is one is checked this often. */
const LOOK_AGAIN_MS = 2000
/** How long a mail waits for the database of the webhooks. */
const PATIENCE_MS = 2000

export class MessageEvents implements AsyncDisposable {
  readonly #deps: Deps
  readonly #running = new Set<Promise<void>>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #mayListen = false
  /** The query that is running; all mail of that time waits for the same one. */
  #looking: Promise<void> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Call when this process created a webhook; others notice within two seconds. */
  webhookCreated(): void {
    this.#mayListen = true
    this.#lookedAt = performance.now()
  }

  /** Whether `enqueueArrival` does anything now. */
  get mayEnqueueArrivals(): boolean {
    return this.#mayListen || this.#isOutdated
  }

  /** Until the answer is there: mail that comes meanwhile waits for it too. */
  get #isOutdated(): boolean {
    return performance.now() - this.#lookedAt >= LOOK_AGAIN_MS
  }

  /**
   * Keeps what has to be sent before the message is stored: a process that is killed in between leaves it behind, and the next one sends it
   * if the message is there. Mail does not wait for a database that is away: its webhooks are lost then, and the log says so.
   */
  enqueueArrival(arrival: Arrival): Promise<SettleArrival | undefined> | undefined {
    if (!this.mayEnqueueArrivals) return undefined
    const { promise, resolve } = Promise.withResolvers<SettleArrival | undefined>()
    const timer = setTimeout(() => {
      this.#deps.log.error(`Webhooks of a message are not sent: the database took more than ${PATIENCE_MS} ms`)
      resolve(undefined)
    }, PATIENCE_MS)
    const done = () => {
      clearTimeout(timer)
      resolve(undefined)
    }
    void this.#track(this.#enqueue(arrival).then(resolve)).then(done)
    return promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #enqueue({ mailboxId, messageId, receivedAt }: Arrival): Promise<SettleArrival | undefined> {
    const { webhooks, deliveries, findApiMailbox, clock } = this.#deps
    if (!(await this.#anyExist())) return undefined
    const mailbox = await findApiMailbox(mailboxId)
    if (!mailbox) return undefined
    const listening = await webhooks.listening(mailboxId, mailbox.owner)
    const data = { mailboxId: mailbox.id, messageId, receivedAt: new Date(receivedAt).toISOString() }
    const event = { type: 'message.received', timestamp: new Date(clock()).toISOString(), data }
    const ids = await deliveries.enqueue(listening, event, { account: mailbox.owner, unconfirmed: { mailboxId, messageId } })
    if (ids.length === 0) return undefined
    return isStored => void this.#track(isStored ? deliveries.confirm(ids) : deliveries.withdraw(ids))
  }

  /** Failures are logged; a stop waits until it is done. */
  async #track(work: Promise<void>): Promise<void> {
    const running = work
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'Webhooks could not be told of a message'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    await running
  }

  async #anyExist(): Promise<boolean> {
    if (this.#isOutdated) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined
      })
      await this.#looking
    }
    return this.#mayListen
  }

  /** After a failure the next mail asks again. */
  async #look(): Promise<void> {
    const startedAt = performance.now()
    const doExist = await this.#deps.webhooks.exist()
    // The query may have missed a webhook that was created meanwhile.
    if (this.#lookedAt >= startedAt) return
    this.#lookedAt = startedAt
    this.#mayListen = doExist
  }
}

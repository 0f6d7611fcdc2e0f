/** Tells webhooks of new mail: ids and times, never content. */
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import type { StoredNotice } from '#server/mail/context.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { WebhookDeliveries } from './deliveries.ts'
import type { Webhooks } from './webhooks.ts'

type ApiMailbox = { readonly id: string; readonly owner: string }
type Deps = {
  readonly webhooks: Pick<Webhooks, 'listening' | 'exist'>
  readonly deliveries: Pick<WebhookDeliveries, 'enqueue'>
  readonly findApiMailbox: (mailboxId: MailboxId) => Promise<ApiMailbox | undefined>
  readonly clock: Clock
  readonly log: Log
}

/** Most deployments have no webhook, and a mail should cost them no query: whether there is one is asked this often. */
const LOOK_AGAIN_MS = 2000

export class MessageEvents implements AsyncDisposable {
  readonly #deps: Deps
  readonly #running = new Set<Promise<void>>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #mayListen = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** To be called when this process made a webhook: others notice within two seconds. */
  webhookCreated(): void {
    this.#mayListen = true
    this.#lookedAt = performance.now()
  }

  /** After the message is durable; the sender waits for nothing of this. */
  messageStored(notice: StoredNotice): void {
    const running = this.#enqueue(notice)
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'Webhooks could not be told of a message'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running)
  }

  async #enqueue({ mailboxId, messageId, receivedAt }: StoredNotice): Promise<void> {
    const { webhooks, deliveries, findApiMailbox, clock } = this.#deps
    if (!(await this.#anyExist())) return
    const mailbox = await findApiMailbox(mailboxId)
    if (!mailbox) return
    const listening = await webhooks.listening(mailboxId, mailbox.owner)
    const data = { mailboxId: mailbox.id, messageId, receivedAt: new Date(receivedAt).toISOString() }
    await deliveries.enqueue(listening, { type: 'message.received', timestamp: new Date(clock()).toISOString(), data })
  }

  async #anyExist(): Promise<boolean> {
    if (performance.now() - this.#lookedAt >= LOOK_AGAIN_MS) {
      this.#lookedAt = performance.now()
      this.#mayListen = await this.#deps.webhooks.exist()
    }
    return this.#mayListen
  }
}

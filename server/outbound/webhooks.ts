/** Opens webhooks, and creates their deliveries for new mail: ids and times, never content. */
import type { DatabaseAccess } from '#server/database/database.ts'
import { ExistenceCheck } from '#server/database/existence-check.ts'
import type { Arrival, SettleArrival } from '#server/mail/delivery/envelope.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import { toIso } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { createLogInterval } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId, MailStore } from '#server/store/store.ts'
import { RequestTargets } from './guarded-request.ts'
import { type MessageReference, WebhookDeliveries } from './webhook-deliveries.ts'
import { WebhookRegistry } from './webhook-registry.ts'

type WebhooksDeps = {
  readonly config: Pick<Config, 'webhookAllowPrivate' | 'proxy'>
  readonly findApiMailbox: FindApiMailbox
  readonly store: Pick<MailStore, 'readMessage'>
  readonly isLive: (mailboxId: MailboxId) => Promise<boolean>
  readonly telemetry: Telemetry
}

export type OpenWebhooks = ReturnType<typeof openWebhooks>

export function openWebhooks(access: DatabaseAccess, { config, findApiMailbox, store, isLive, telemetry }: WebhooksDeps) {
  const targets = new RequestTargets(config.webhookAllowPrivate, { proxy: config.proxy })
  const registry = new WebhookRegistry({ ...access, targets, isLive })
  const hasMail = async ({ mailboxId, messageId }: MessageReference) => (await store.readMessage(mailboxId, messageId, 0)) !== undefined
  const deliveries = new WebhookDeliveries({ ...access, registry, targets, hasMail, telemetry })
  const events = new MessageEvents({ ...access, registry, deliveries, findApiMailbox })
  const recovered = deliveries
    .recover()
    .catch((error: unknown) => access.log.error({ err: error }, 'Webhooks of an earlier process could not be recovered'))
  return {
    registry,
    deliveries,
    events,
    async [Symbol.asyncDispose]() {
      await recovered
      await events[Symbol.asyncDispose]()
      await deliveries[Symbol.asyncDispose]()
    },
  }
}

/** `apiKeyId`: the key that made it, unless an API token did. */
type ApiMailbox = { readonly id: string; readonly owner: string; readonly apiKeyId: string | undefined; readonly expiresAt: number }
type FindApiMailbox = (mailboxId: MailboxId) => Promise<ApiMailbox | undefined>
type MessageEventsDeps = DatabaseAccess & {
  readonly registry: WebhookRegistry
  readonly deliveries: WebhookDeliveries
  readonly findApiMailbox: FindApiMailbox
}

/** How long a mail waits for the database of the webhooks. */
const PATIENCE_MS = 2000
/** One slow database, not one mail. */
const LOG_EVERY_MS = 10_000
const NOT_TOLD = 'Webhooks could not be told of a message'

class MessageEvents implements AsyncDisposable {
  readonly #deps: MessageEventsDeps
  readonly #existence: ExistenceCheck
  readonly #background: BackgroundWork
  readonly #atIntervals = createLogInterval(LOG_EVERY_MS)

  constructor(deps: MessageEventsDeps) {
    this.#deps = deps
    this.#existence = new ExistenceCheck(() => deps.registry.exist())
    this.#background = new BackgroundWork(deps.log)
  }

  /** Call when this process created a webhook; others notice within two seconds. */
  webhookCreated(): void {
    this.#existence.created()
  }

  /** Whether `enqueueArrival` does anything now. */
  get mayEnqueueArrivals(): boolean {
    return this.#existence.mayExist
  }

  /**
   * Keeps what has to be sent before the message is stored: a process that is killed in between leaves it behind, and the next one sends it
   * if the message is there. Mail does not wait for a database that is away: its webhooks are then lost, which is logged.
   */
  enqueueArrival(arrival: Arrival): Promise<SettleArrival | undefined> | undefined {
    if (!this.mayEnqueueArrivals) return undefined
    const { promise, resolve } = Promise.withResolvers<SettleArrival | undefined>()
    const timer = setTimeout(() => {
      const late = `Webhooks of messages are not sent: the database takes more than ${PATIENCE_MS} ms`
      // Most deployments have no webhook, so that nothing is lost.
      if (this.#existence.lastAnswer !== false) this.#atIntervals(() => this.#deps.log.error(late))
      resolve(undefined)
    }, PATIENCE_MS)
    const done = () => {
      clearTimeout(timer)
      resolve(undefined)
    }
    void this.#background.run(this.#enqueue(arrival).then(resolve), NOT_TOLD).then(done)
    return promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#background.idle()
  }

  async #enqueue({ mailboxId, messageId, receivedAt, envelopeTo }: Arrival): Promise<SettleArrival | undefined> {
    const { registry, deliveries, findApiMailbox, clock } = this.#deps
    if (!(await this.#existence.exist())) return undefined
    const mailbox = await findApiMailbox(mailboxId)
    if (!mailbox) return undefined
    const listening = await registry.listening(mailboxId, mailbox)
    const data = { mailboxId: mailbox.id, messageId, receivedAt: toIso(receivedAt) }
    const eventFor = (webhookId: string) => ({
      type: 'message.received',
      timestamp: toIso(clock()),
      data: listening.get(webhookId)?.knowsAddress ? { ...data, envelopeTo } : data,
    })
    const about = { mailboxId, messageId, owner: mailbox.owner, expiresAt: mailbox.expiresAt }
    const ids = await deliveries.enqueue([...listening.keys()], eventFor, about)
    if (ids.length === 0) return undefined
    return isStored => void this.#background.run(isStored ? deliveries.confirm(ids) : deliveries.withdraw(ids), NOT_TOLD)
  }
}

import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import type { Log } from '#server/log.ts'
import { type Attempted, sendWebhook } from './send.ts'
import { signatureHeaders } from './signature.ts'
import type { WebhookTargets } from './target.ts'
import type { WebhookRow, Webhooks } from './webhooks.ts'

/** Pauses after each failed attempt; after the last one the delivery is dead. Together about four hours. */
const PAUSES_SECONDS = [5, 30, 120, 600, 1800, 3600, 7200] as const
/** Up to a fifth is added, so that what failed together is not sent together again. */
const JITTER = 0.2
/** Attempts in a row, of any of its deliveries, after which a webhook is disabled. */
const FAILURES_MAX = 20
/** Deliveries of one webhook that wait. A receiver that is slow, or mail that comes faster than it takes, must not fill the disk. */
const WAITING_MAX = 1000
/** While one process sends, no other takes the same delivery; longer than one attempt may take. */
const LEASE_MS = 60_000
/** Connections of one process, one per webhook: a receiver that is slow holds up nobody else. */
const SENDERS_MAX = 8
const POLL_MS = 2000
const HTTP_GONE = 410

type Deps = {
  readonly database: Pick<Database, 'db' | 'dialect'>
  readonly secretBox: SecretBox
  readonly clock: Clock
  readonly log: Log
  readonly webhooks: Webhooks
  readonly targets: WebhookTargets
}

type DeliveryRow = { id: string; webhook_id: string; sealed_body: string; attempts: number }

/** What has to be sent: rows that survive a restart, taken by one process at a time, tried again with growing pauses. */
export class WebhookDeliveries implements AsyncDisposable {
  readonly #deps: Deps
  readonly #timer: NodeJS.Timeout
  readonly #senders = new Set<Promise<void>>()
  /** Each webhook gets one request at a time from each process. */
  readonly #busy = new Set<string>()
  /** Senders claim one after the other, so that two never claim of one webhook. */
  #claiming: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.kick(), POLL_MS)
    this.#timer.unref()
  }

  /** Durable when it resolves; left out for a webhook that has too many waiting, whose owner finds `queue_full` as its last failure. */
  async enqueue(webhookIds: readonly string[], event: object): Promise<void> {
    if (webhookIds.length === 0) return
    const full = await this.#full(webhookIds)
    const now = this.#deps.clock()
    const rows = webhookIds
      .filter(id => !full.has(id))
      .map(webhookId => {
        const id = `msg_${randomUUID()}`
        return {
          id,
          webhook_id: webhookId,
          sealed_body: this.#seal(id, JSON.stringify(event)),
          attempts: 0,
          next_attempt_at: now,
          created_at: now,
        }
      })
    if (rows.length > 0) await this.#deps.database.db.insertInto('webhook_deliveries').values(rows).execute()
    this.kick()
  }

  /** One attempt at once, outside the queue, with an event of its own. */
  async test(webhook: WebhookRow): Promise<Attempted> {
    const event = { type: 'webhook.test', timestamp: new Date(this.#deps.clock()).toISOString(), data: { webhookId: webhook.id } }
    return await this.#send(webhook, `msg_${randomUUID()}`, JSON.stringify(event))
  }

  /** Starts a sender more, unless there are enough. */
  kick(): void {
    if (this.#isClosed || this.#senders.size >= SENDERS_MAX) return
    const sender = this.#work()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'The queue of webhooks could not be read'))
      .finally(() => this.#senders.delete(sender))
    this.#senders.add(sender)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all(this.#senders)
  }

  async #full(webhookIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { db } = this.#deps.database
    const waiting = db.selectFrom('webhook_deliveries').select('webhook_id').where('webhook_id', 'in', webhookIds).groupBy('webhook_id')
    const rows = await waiting.having(db.fn.countAll(), '>=', WAITING_MAX).execute()
    const full = rows.map(({ webhook_id: id }) => id)
    if (full.length > 0) await db.updateTable('webhooks').set({ last_reason: 'queue_full' }).where('id', 'in', full).execute()
    return new Set(full)
  }

  async #work(): Promise<void> {
    while (!this.#isClosed) {
      const row = await this.#claimNext()
      if (!row) return
      // There may be more for others meanwhile.
      this.kick()
      try {
        await this.#deliver(row)
      } finally {
        this.#busy.delete(row.webhook_id)
      }
    }
  }

  async #claimNext(): Promise<DeliveryRow | undefined> {
    const claimed = this.#claiming.then(async () => {
      const row = await this.#claim()
      if (row) this.#busy.add(row.webhook_id)
      return row
    })
    this.#claiming = claimed.catch(() => undefined)
    return await claimed
  }

  /** Takes one that is due; PostgreSQL passes over those that another process is taking. */
  async #claim(): Promise<DeliveryRow | undefined> {
    const { clock, database } = this.#deps
    const now = clock()
    let due = database.db.selectFrom('webhook_deliveries').select('id').where('next_attempt_at', '<=', now)
    if (this.#busy.size > 0) due = due.where('webhook_id', 'not in', [...this.#busy])
    due = due.orderBy('next_attempt_at').orderBy('id').limit(1)
    if (database.dialect === 'postgres') due = due.forUpdate().skipLocked()
    return await database.db
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: now + LEASE_MS, attempts: sql`attempts + 1` })
      .where('id', '=', due)
      .where('next_attempt_at', '<=', now)
      .returning(['id', 'webhook_id', 'sealed_body', 'attempts'])
      .executeTakeFirst()
  }

  async #deliver(row: DeliveryRow): Promise<void> {
    const { database, secretBox } = this.#deps
    const webhook = await database.db.selectFrom('webhooks').selectAll().where('id', '=', row.webhook_id).executeTakeFirst()
    const body = secretBox.open(row.id, Buffer.from(row.sealed_body, 'base64'))?.toString()
    if (!webhook || webhook.disabled_reason !== null || body === undefined) return await this.#remove(row.id)
    const attempted = await this.#send(webhook, row.id, body)
    const isDisabled = await this.#note(webhook, attempted)
    if (attempted.isDelivered || isDisabled) return await this.#remove(row.id)
    const pauseSeconds = PAUSES_SECONDS[row.attempts - 1]
    this.#deps.log.info({ webhookId: webhook.id, attempts: row.attempts, reason: attempted.reason }, 'a webhook was not taken')
    if (pauseSeconds === undefined) return await this.#remove(row.id)
    await this.#postpone(row, pauseSeconds * (1000 + randomInt(0, JITTER * 1000)))
  }

  async #send(webhook: WebhookRow, id: string, body: string): Promise<Attempted> {
    const { webhooks, targets, clock } = this.#deps
    const opened = webhooks.open(webhook)
    if (!opened) return { isDelivered: false, status: undefined, reason: 'sealed_under_another_secret' }
    const headers = signatureHeaders(opened.secrets, id, Math.floor(clock() / 1000), body)
    return await sendWebhook({ url: opened.url, headers, body }, targets)
  }

  /** Counted in the database: several processes may send for one webhook at the same time. `true` when this attempt disabled it. */
  async #note(webhook: WebhookRow, { isDelivered, status, reason }: Attempted): Promise<boolean> {
    if (isDelivered && webhook.failures === 0) return false
    const own = this.#deps.database.db.updateTable('webhooks').where('id', '=', webhook.id)
    if (isDelivered) {
      await own.set({ failures: 0, last_reason: null }).execute()
      return false
    }
    const counted = own.set({ failures: sql`failures + 1`, last_reason: reason }).returning('failures')
    const { failures } = (await counted.executeTakeFirst()) ?? { failures: 0 }
    const disabledReason = status === HTTP_GONE ? 'gone' : failures >= FAILURES_MAX ? 'too_many_failures' : undefined
    if (disabledReason === undefined) return false
    await own.set({ disabled_reason: disabledReason }).execute()
    return true
  }

  async #postpone({ id }: DeliveryRow, pauseMs: number): Promise<void> {
    const changes = { next_attempt_at: Math.ceil(this.#deps.clock() + pauseMs) }
    await this.#deps.database.db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
  }

  async #remove(id: string): Promise<void> {
    await this.#deps.database.db.deleteFrom('webhook_deliveries').where('id', '=', id).execute()
  }

  #seal(id: string, body: string): string {
    return this.#deps.secretBox.seal(id, Buffer.from(body)).toString('base64')
  }
}

import { randomInt, randomUUID } from 'node:crypto'
import { setImmediate as nextTask } from 'node:timers/promises'
import { sql } from 'kysely'
import type { DatabaseAccess } from '#server/database/database.ts'
import { hashMailbox } from '#server/database/mailbox-rows.ts'
import { suspendedAmong } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { toIso } from '#server/platform/clock.ts'
import { serve } from '#server/platform/limits/clients.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { type Attempted, postOnce, type RequestTargets, shownReason } from './guarded-request.ts'
import { signatureHeaders, type WebhookRegistry, type WebhookRow } from './webhook-registry.ts'
import { type Lane, SLOW_MS_MIN, WebhookTurns } from './webhook-turns.ts'

/** Pauses after each failed attempt; after the last one the delivery is dead. Together about four hours, if the mailbox lives that long. */
const PAUSES_SECONDS = [5, 30, 120, 600, 1800, 3600, 7200] as const
/** Up to a fifth is added, so that what failed together is not sent together again. */
const JITTER = 0.2
/** Attempts in a row, of any of its deliveries, after which a webhook is disabled. */
const FAILURES_MAX = 20
/** Deliveries of one webhook that wait. A receiver that is slow, or mail that comes faster than it takes, must not fill the disk. */
const WAITING_MAX = 1000
/** While one process sends, no other takes the same delivery; longer than one attempt may take. */
const LEASE_MS = 60_000
/** A delivery that nobody confirmed is checked after this long: storing a mail takes less, unless the process was killed. */
const CONFIRMED_WITHIN_MS = 60_000
const POLL_MS = 2000
/** What became due so long before the last look is looked for again: another process may have written it late. */
const LOOK_BACK_MS = 10_000
/** Each process that shares its database looks at everything that is due once a minute, since their clocks may differ. */
const LOOKS_PER_WHOLE = 30
/** When the server stops, running attempts may take this much longer. What is cut off then is sent again after the restart. */
const CLOSE_MS = 1000
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Mayfly-Webhooks/1' } as const
const HTTP_GONE = 410

type Deps = DatabaseAccess & {
  readonly registry: WebhookRegistry
  readonly targets: RequestTargets
  /** Whether the mail store has this message. Rejects when it cannot tell. */
  readonly hasMail: (mail: MessageReference) => Promise<boolean>
  readonly telemetry: Telemetry
}

export type MessageReference = { readonly mailboxId: MailboxId; readonly messageId: MessageId }
/** The mail that a delivery is about, whose it is, and when its mailbox expires. */
type AnnouncedMail = MessageReference & { readonly owner: string; readonly expiresAt: number }
type SealedBody = { readonly event: object; readonly mail: MessageReference }
/** The columns that say whose turn a webhook takes. */
const OF_WEBHOOK = ['owner', 'api_key_id', 'failures'] as const
const DELIVERY_COLUMNS = ['id', 'webhook_id', 'account', 'sealed_body', 'is_confirmed', 'attempts', 'expires_at'] as const
type DeliveryRow = Pick<DatabaseSchema['webhook_deliveries'], (typeof DELIVERY_COLUMNS)[number]>
type Claimed = { readonly lane: Lane; readonly row: DeliveryRow; readonly webhook: WebhookRow | undefined; readonly isSuspended: boolean }

/** What has to be sent: rows that survive a restart, taken by one process at a time, tried again with growing pauses. */
export class WebhookDeliveries implements AsyncDisposable {
  readonly #deps: Deps
  readonly #timer: NodeJS.Timeout
  readonly #senders = new Set<Promise<void>>()
  readonly #turns = new WebhookTurns()
  /** Rows that are done with. They are removed together, since each commit waits for the disk. */
  readonly #ended: string[] = []
  /** One round follows the other, so that the database has one statement of them at a time. */
  #rounds: Promise<void> | undefined
  /** Something may be due, or a place free, since the last round began. */
  #isAgain = false
  /** Whether the next round looks for what this process was not told of. */
  #mustLook = false
  #looks = 0
  #lookedAtMs = 0
  #isClosed = false
  readonly #cut = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.kick(), POLL_MS)
    this.#timer.unref()
  }

  /**
   * Durable when it resolves, to the ids of what has to be sent; left out for a webhook that has too many waiting, whose owner finds
   * `queue_full` as its last failure. They wait for `confirm`, or until the mail is found in the store.
   */
  async enqueue(
    webhookIds: readonly string[],
    eventFor: (webhookId: string) => object,
    { owner, expiresAt, ...mail }: AnnouncedMail,
  ): Promise<string[]> {
    if (webhookIds.length === 0) return []
    const full = await this.#full(webhookIds)
    const { db, dialect, clock, secretBox } = this.#deps
    const rows = webhookIds
      .filter(id => !full.has(id))
      .map(webhookId => {
        const id = `msg_${randomUUID()}`
        return {
          id,
          webhook_id: webhookId,
          account: owner,
          mailbox_hash: hashMailbox(secretBox, 'webhook_deliveries', mail.mailboxId),
          sealed_body: this.#seal(id, { event: eventFor(webhookId), mail }),
          is_confirmed: 0,
          attempts: 0,
          next_attempt_at: clock() + CONFIRMED_WITHIN_MS,
          expires_at: expiresAt,
        }
      })
    return await db.transaction().execute(async step => {
      // One that was removed meanwhile must not keep the others from being told.
      const present = step.selectFrom('webhooks').select('id').where('id', 'in', webhookIds).where('owner', '!=', '')
      const there = new Set((await (dialect === 'postgres' ? present.forKeyShare() : present).execute()).map(({ id }) => id))
      const kept = rows.filter(row => there.has(row.webhook_id))
      if (kept.length > 0) await step.insertInto('webhook_deliveries').values(kept).execute()
      return kept.map(({ id }) => id)
    })
  }

  /** After a start: on a database of this process alone, whatever is not confirmed was left by a process that was killed. */
  async recover(): Promise<void> {
    const { db, dialect, clock } = this.#deps
    if (dialect !== 'sqlite') return
    const left = db.updateTable('webhook_deliveries').where('is_confirmed', '=', 0)
    await left.set({ next_attempt_at: clock() }).execute()
  }

  /** The mail is stored: they are sent. */
  async confirm(ids: readonly string[]): Promise<void> {
    await this.#markConfirmed(ids)
  }

  /** The mail was not stored, or had been before. */
  async withdraw(ids: readonly string[]): Promise<void> {
    await this.#deps.db.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute()
  }

  /** One attempt at once, outside the queue, with an event of its own. `reason`: as shown to the owner. */
  async test(webhook: WebhookRow): Promise<Attempted> {
    const event = { type: 'webhook.test', timestamp: toIso(this.#deps.clock()), data: { webhookId: webhook.id } }
    const attempted = await this.#send(webhook, `msg_${randomUUID()}`, JSON.stringify(event))
    if (!attempted.isDelivered) this.#deps.log.info({ webhookId: webhook.id, reason: attempted.reason }, 'A webhook did not take its test')
    return { ...attempted, reason: shownReason(attempted) }
  }

  /** Sends what is due, whoever enqueued it. */
  kick(): void {
    this.#mustLook = true
    this.#next()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const cutting = setTimeout(() => this.#cut.abort(), CLOSE_MS)
    await this.#rounds
    await Promise.all(this.#senders)
    clearTimeout(cutting)
    await this.#removeEnded().catch(this.#noteFailure)
  }

  async #full(webhookIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { db } = this.#deps
    const waiting = db.selectFrom('webhook_deliveries').select('webhook_id').where('webhook_id', 'in', webhookIds).groupBy('webhook_id')
    const rows = await waiting.having(db.fn.countAll(), '>=', WAITING_MAX).execute()
    const full = rows.map(({ webhook_id: id }) => id)
    if (full.length > 0) await db.updateTable('webhooks').set({ last_reason: 'queue_full' }).where('id', 'in', full).execute()
    return new Set(full)
  }

  #next(): void {
    this.#isAgain = true
    if (this.#isClosed || this.#rounds) return
    this.#rounds = serve([], () => this.#work())
      .catch((error: unknown) => {
        // The timer starts the next round.
        this.#isAgain = false
        this.#noteFailure(error)
      })
      .finally(() => {
        this.#rounds = undefined
        if (this.#isAgain) this.#next()
      })
  }

  readonly #noteFailure = (error: unknown) => this.#deps.log.error({ err: error }, 'The queue of webhooks could not be read')

  async #work(): Promise<void> {
    while (this.#isAgain && !this.#isClosed) {
      this.#isAgain = false
      await this.#removeEnded()
      if (this.#mustLook) await this.#look()
      const lanes = this.#turns.take()
      for (const claimed of await this.#claim(lanes)) this.#start(claimed)
      if (lanes.length > 0) this.#isAgain = true
      // Everybody else goes on, and what ends meanwhile shares the next statements.
      await nextTask()
    }
  }

  #start({ lane, ...claimed }: Claimed): void {
    const ageing = setTimeout(() => this.#next(), SLOW_MS_MIN)
    let attempt: { isFailing: boolean | undefined } | undefined
    const sending = () => {
      attempt = { isFailing: undefined }
    }
    // Each account waits with its own statements.
    const sender = serve([lane.account], () => this.#deliver(claimed, sending))
      .then(isDelivered => {
        if (attempt && isDelivered !== undefined) attempt.isFailing = !isDelivered
      })
      .catch(this.#noteFailure)
      .finally(() => {
        clearTimeout(ageing)
        this.#turns.end(lane, attempt)
        this.#senders.delete(sender)
        this.#next()
      })
    this.#senders.add(sender)
  }

  /** Pauses that are over, and what other processes left. Each row is read when it becomes due, and not again for each claim. */
  async #look(): Promise<void> {
    const { db, dialect, clock } = this.#deps
    this.#mustLook = false
    const now = clock()
    const isWhole = now < this.#lookedAtMs || (dialect === 'postgres' && this.#looks % LOOKS_PER_WHOLE === 0)
    const due = db.selectFrom('webhook_deliveries as delivery').innerJoin('webhooks as webhook', 'webhook.id', 'delivery.webhook_id')
    const since = isWhole ? 0 : this.#lookedAtMs - LOOK_BACK_MS
    const found = due.where('next_attempt_at', '>=', since).where('next_attempt_at', '<=', now)
    for (const row of await found
      .select(['webhook_id', 'account', ...OF_WEBHOOK])
      .distinct()
      .execute())
      this.#turns.add(toLane(row))
    this.#looks++
    this.#lookedAtMs = now
  }

  /** The first due delivery of each, in one statement. PostgreSQL skips those that another process is taking. */
  async #claim(lanes: readonly Lane[]): Promise<Claimed[]> {
    if (lanes.length === 0) return []
    const { db } = this.#deps
    try {
      // Before they are taken: a read that fails costs no attempt.
      const ids = lanes.map(({ webhookId }) => webhookId)
      const webhooks = await db.selectFrom('webhooks').selectAll().where('id', 'in', ids).execute()
      const suspended = await suspendedAmong(db, [...new Set(lanes.map(({ account }) => account))])
      const rows = new Map((await this.#take(lanes)).map(row => [row.webhook_id, row]))
      for (const lane of lanes) if (!rows.has(lane.webhookId)) this.#turns.end(lane)
      return lanes.flatMap(lane => {
        const row = rows.get(lane.webhookId)
        if (!row) return []
        const webhook = webhooks.find(({ id }) => id === lane.webhookId)
        // More may be due.
        this.#turns.add({ ...lane, isFailing: (webhook?.failures ?? 0) > 0 })
        return [{ lane, row, webhook, isSuspended: suspended.has(row.account) }]
      })
    } catch (error) {
      for (const lane of lanes) {
        this.#turns.end(lane)
        this.#turns.add(lane)
      }
      throw error
    }
  }

  async #take(lanes: readonly Lane[]): Promise<DeliveryRow[]> {
    const { db, dialect, clock } = this.#deps
    const now = clock()
    const ids = lanes.map(({ webhookId }) => webhookId)
    return await db
      .with('first', query =>
        query
          .selectFrom('webhooks')
          .where('webhooks.id', 'in', ids)
          .select(of => {
            const own = of.selectFrom('webhook_deliveries').select('webhook_deliveries.id').whereRef('webhook_id', '=', 'webhooks.id')
            const first = own.where('next_attempt_at', '<=', now).orderBy('next_attempt_at').orderBy('webhook_deliveries.id').limit(1)
            return (dialect === 'postgres' ? first.forUpdate().skipLocked() : first).as('delivery_id')
          }),
      )
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: now + LEASE_MS, attempts: sql`attempts + 1` })
      .where('id', 'in', query => query.selectFrom('first').select('delivery_id').$castTo<string>())
      .where('next_attempt_at', '<=', now)
      .returning(DELIVERY_COLUMNS)
      .execute()
  }

  /** Whether it was delivered. `undefined` if nothing was sent. Calls `sending` before the request. */
  async #deliver({ row, webhook, isSuspended }: Omit<Claimed, 'lane'>, sending: () => void): Promise<boolean | undefined> {
    const opened = this.#deps.secretBox.open(row.id, Buffer.from(row.sealed_body, 'base64'))?.toString()
    // A mail that arrived while its account was suspended may have enqueued it.
    const now = this.#deps.clock()
    if (!webhook || opened === undefined || isSuspended || Math.min(row.expires_at, webhook.expires_at ?? now + 1) <= now)
      return this.#end(row)
    if (webhook.disabled_reason !== null) return await this.#removeDisabled(webhook)
    const { event, mail }: SealedBody = JSON.parse(opened)
    if (!row.is_confirmed) return await this.#settle(row, mail)
    sending()
    const attempted = await this.#send(webhook, row.id, JSON.stringify(event))
    if (this.#cut.signal.aborted && attempted.status === undefined) return await this.#putBack(row)
    const isDisabled = await this.#note(webhook, attempted)
    const pauseSeconds = PAUSES_SECONDS[row.attempts - 1]
    if (!attempted.isDelivered)
      this.#deps.log.info({ webhookId: webhook.id, attempts: row.attempts, reason: attempted.reason }, 'A webhook was not taken')
    if (attempted.isDelivered || isDisabled || pauseSeconds === undefined) this.#end(row)
    else await this.#postpone(row, pauseSeconds * (1000 + randomInt(0, JITTER * 1000)))
    return attempted.isDelivered
  }

  /** The process that enqueued it was killed before it could confirm or withdraw it, so the store is asked for the mail. */
  async #settle({ id }: DeliveryRow, mail: MessageReference): Promise<undefined> {
    const { db, hasMail, clock, log } = this.#deps
    try {
      if (!(await hasMail(mail))) return this.#end({ id })
    } catch (error) {
      log.warn({ err: error }, 'A webhook waits until the mail store can be asked')
      const own = db.updateTable('webhook_deliveries').where('id', '=', id).where('is_confirmed', '=', 0)
      await own.set({ next_attempt_at: clock() + CONFIRMED_WITHIN_MS }).execute()
      return undefined
    }
    await this.#markConfirmed([id])
    return undefined
  }

  /** Due at once, with all attempts left. Once only: another process may have confirmed it, and be sending it. */
  async #markConfirmed(ids: readonly string[]): Promise<void> {
    const { db, clock } = this.#deps
    const own = db.updateTable('webhook_deliveries').where('id', 'in', ids).where('is_confirmed', '=', 0)
    const confirmed = await own
      .set({ is_confirmed: 1, attempts: 0, next_attempt_at: clock() })
      .returning(['webhook_id', 'account'])
      .execute()
    if (confirmed.length === 0) return
    const webhookIds = confirmed.map(row => row.webhook_id)
    const webhooks = await db
      .selectFrom('webhooks')
      .select(['id', ...OF_WEBHOOK])
      .where('id', 'in', webhookIds)
      .execute()
    const byId = new Map(webhooks.map(webhook => [webhook.id, webhook]))
    for (const row of confirmed) this.#turns.add(toLane({ ...row, ...byId.get(row.webhook_id) }))
    this.#next()
  }

  async #send(webhook: WebhookRow, id: string, body: string): Promise<Attempted> {
    const { registry, targets, clock } = this.#deps
    const opened = registry.open(webhook)
    if (!opened) return { isDelivered: false, status: undefined, reason: 'sealed_under_another_secret' }
    const headers = signatureHeaders(opened.secrets, id, Math.floor(clock() / 1000), body)
    return await postOnce({ url: opened.url, headers: { ...HEADERS, ...headers }, body }, targets, { signal: this.#cut.signal })
  }

  /** Counted in the database: several processes may send for one webhook at the same time. `true` when this attempt disabled it. */
  async #note(webhook: WebhookRow, attempted: Attempted): Promise<boolean> {
    const { isDelivered, status } = attempted
    if (isDelivered && webhook.failures === 0) return false
    const own = this.#deps.db.updateTable('webhooks').where('id', '=', webhook.id)
    if (isDelivered) {
      await own.set({ failures: 0, last_reason: null }).execute()
      return false
    }
    const counted = own.set({ failures: sql`failures + 1`, last_reason: shownReason(attempted) }).returning('failures')
    const { failures } = (await counted.executeTakeFirst()) ?? { failures: 0 }
    const disabledReason = status === HTTP_GONE ? 'gone' : failures >= FAILURES_MAX ? 'too_many_failures' : undefined
    if (disabledReason === undefined) return false
    await own.set({ disabled_reason: disabledReason }).execute()
    return true
  }

  async #postpone({ id }: DeliveryRow, pauseMs: number): Promise<void> {
    this.#deps.telemetry.sendingRetried('webhook')
    const changes = { next_attempt_at: Math.ceil(this.#deps.clock() + pauseMs) }
    await this.#deps.db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
  }

  /** Cut off by a stop: due at once, and no failed attempt. */
  async #putBack({ id, attempts }: DeliveryRow): Promise<undefined> {
    const changes = { attempts: attempts - 1, next_attempt_at: this.#deps.clock() }
    await this.#deps.db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
    return undefined
  }

  /** All that are due, and are being sent, unless it was enabled meanwhile. Whoever enables it soon gets those that pause. */
  async #removeDisabled({ id }: WebhookRow): Promise<undefined> {
    const { db } = this.#deps
    const disabled = db.selectFrom('webhooks').select('id').where('id', '=', id).where('disabled_reason', 'is not', null)
    const due = db.deleteFrom('webhook_deliveries').where('webhook_id', 'in', disabled)
    await due.where('next_attempt_at', '<=', this.#deps.clock() + LEASE_MS).execute()
    return undefined
  }

  #end({ id }: Pick<DeliveryRow, 'id'>): undefined {
    this.#ended.push(id)
  }

  async #removeEnded(): Promise<void> {
    const ids = this.#ended.splice(0)
    if (ids.length === 0) return
    try {
      await this.#deps.db.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute()
    } catch (error) {
      this.#ended.push(...ids)
      throw error
    }
  }

  #seal(id: string, body: SealedBody): string {
    return this.#deps.secretBox.seal(id, Buffer.from(JSON.stringify(body))).toString('base64')
  }
}

type DueRow = { readonly webhook_id: string; readonly account: string } & Partial<Pick<WebhookRow, (typeof OF_WEBHOOK)[number]>>

/** A webhook that belongs to another than the account of the mail belongs to the mailbox. */
function toLane({ webhook_id: webhookId, account, owner = account, api_key_id: apiKeyId, failures = 0 }: DueRow): Lane {
  const isOfMailbox = owner !== account
  const [group, holder] = isOfMailbox
    ? [`mailboxes of ${account}`, `mailbox ${owner}`]
    : [`keys of ${account}`, `key ${apiKeyId ?? account}`]
  return { webhookId, account, group, holder, isFailing: failures > 0 }
}

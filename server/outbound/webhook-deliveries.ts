import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseAccess } from '#server/database/database.ts'
import { hashMailbox } from '#server/database/mailbox-rows.ts'
import { isSuspended } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import { toIso } from '#server/platform/clock.ts'
import { serve } from '#server/platform/limits/clients.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { type Attempted, postOnce, type RequestTargets, shownReason } from './guarded-request.ts'
import { signatureHeaders, type WebhookRegistry, type WebhookRow } from './webhook-registry.ts'

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
/** Requests of one process that have run for less than `SLOW_MS_MIN`, one per webhook. */
const SENDERS_MAX = 32
/** Connections for the mail of one account or API token, so that its slow receivers delay nobody else. */
const SENDERS_PER_ACCOUNT_MAX = 2
/** Connections for failing webhooks and for slow owners, so that dead and slow receivers of many accounts do not delay working ones. */
const SLOW_SENDERS_MAX = 16
/**
 * An owner is slow when one of its requests has run for this long, or all of the last minutes together have: some forty ordinary ones.
 * A request that has run for as long takes no place of `SENDERS_MAX` any more.
 */
const SLOW_MS_MIN = 2000
/** Requests end after 15 s, so that `SENDERS_MAX` new ones in each `SLOW_MS_MIN` stay below this. */
const CONNECTIONS_MAX = 256
/** The time that an owner used counts half after this long, so that neither a pause nor a few fast requests make it forgotten. */
const USED_HALF_LIFE_MS = 600_000
const OWNERS_KEPT_MAX = 2000
/** A delivery that nobody confirmed is checked after this long: storing a mail takes less, unless the process was killed. */
const CONFIRMED_WITHIN_MS = 60_000
const POLL_MS = 2000
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
const DELIVERY_COLUMNS = ['id', 'webhook_id', 'account', 'sealed_body', 'is_confirmed', 'attempts', 'expires_at'] as const
type DeliveryRow = Pick<DatabaseSchema['webhook_deliveries'], (typeof DELIVERY_COLUMNS)[number]>
type Claimed = { readonly row: DeliveryRow; readonly webhook: WebhookRow | undefined }
type Owners = { readonly only?: readonly string[]; readonly except?: readonly string[] }
type Sending = { readonly owner: string; readonly isSlow: boolean; readonly startedMs: number }

/** What has to be sent: rows that survive a restart, taken by one process at a time, tried again with growing pauses. */
export class WebhookDeliveries implements AsyncDisposable {
  readonly #deps: Deps
  readonly #timer: NodeJS.Timeout
  readonly #senders = new Set<Promise<void>>()
  /** Each webhook gets one request at a time from each process. */
  readonly #busy = new Map<string, Sending>()
  readonly #used = new BoundedMap<string, { readonly owner: string; readonly ms: number; readonly atMs: number }>(OWNERS_KEPT_MAX)
  /** Senders claim one after the other, so that two never claim of one webhook. */
  #claiming: Promise<unknown> = Promise.resolve()
  /** Whether a sender waits for its turn to claim: it finds whatever was enqueued until then. */
  #isKicked = false
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
  async enqueue(webhookIds: readonly string[], event: object, { owner, expiresAt, ...mail }: AnnouncedMail): Promise<string[]> {
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
          sealed_body: this.#seal(id, { event, mail }),
          is_confirmed: 0,
          attempts: 0,
          next_attempt_at: clock() + CONFIRMED_WITHIN_MS,
          expires_at: expiresAt,
        }
      })
    return await db.transaction().execute(async step => {
      // One that was removed meanwhile must not keep the others from being told.
      const present = step.selectFrom('webhooks').select('id').where('id', 'in', webhookIds)
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
    this.kick()
  }

  /** The mail was not stored, or had been before. */
  async withdraw(ids: readonly string[]): Promise<void> {
    await this.#deps.db.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute()
  }

  /** One attempt at once, outside the queue, with an event of its own. `reason`: as shown to the owner. */
  async test(webhook: WebhookRow): Promise<Attempted> {
    const event = { type: 'webhook.test', timestamp: toIso(this.#deps.clock()), data: { webhookId: webhook.id } }
    const attempted = await this.#send(webhook, `msg_${randomUUID()}`, JSON.stringify(event))
    return { ...attempted, reason: shownReason(attempted) }
  }

  /** Starts another sender, unless there are enough or one is about to look. */
  kick(): void {
    if (this.#isClosed || this.#isKicked || this.#senders.size >= CONNECTIONS_MAX) return
    this.#isKicked = true
    const sender = serve([], () => this.#work())
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'The queue of webhooks could not be read'))
      .finally(() => this.#senders.delete(sender))
    this.#senders.add(sender)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const cutting = setTimeout(() => this.#cut.abort(), CLOSE_MS)
    await Promise.all(this.#senders)
    clearTimeout(cutting)
  }

  async #full(webhookIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { db } = this.#deps
    const waiting = db.selectFrom('webhook_deliveries').select('webhook_id').where('webhook_id', 'in', webhookIds).groupBy('webhook_id')
    const rows = await waiting.having(db.fn.countAll(), '>=', WAITING_MAX).execute()
    const full = rows.map(({ webhook_id: id }) => id)
    if (full.length > 0) await db.updateTable('webhooks').set({ last_reason: 'queue_full' }).where('id', 'in', full).execute()
    return new Set(full)
  }

  async #work(): Promise<void> {
    while (!this.#isClosed) {
      const claimed = await this.#claimNext()
      if (!claimed) return
      // Deliveries of other webhooks may wait.
      this.kick()
      const ageing = setTimeout(() => this.kick(), SLOW_MS_MIN)
      try {
        await this.#deliver(claimed)
      } finally {
        clearTimeout(ageing)
        this.#release(claimed.row.webhook_id)
      }
    }
  }

  async #claimNext(): Promise<Claimed | undefined> {
    const claimed = this.#claiming.then(async () => {
      this.#isKicked = false
      const slowOwners = this.#slowOwners()
      const row = await this.#claim(slowOwners)
      if (!row) return undefined
      const webhook = await this.#deps.db.selectFrom('webhooks').selectAll().where('id', '=', row.webhook_id).executeTakeFirst()
      const isSlow = slowOwners.includes(row.account) || (webhook?.failures ?? 0) > 0
      this.#busy.set(row.webhook_id, { owner: row.account, isSlow, startedMs: performance.now() })
      return { row, webhook }
    })
    this.#claiming = claimed.catch(() => undefined)
    return await claimed
  }

  #release(webhookId: string): void {
    const sending = this.#busy.get(webhookId)
    this.#busy.delete(webhookId)
    if (!sending) return
    const [{ owner, startedMs }, atMs] = [sending, performance.now()]
    this.#used.set(owner, { owner, ms: this.#usedBy(owner, atMs) + atMs - startedMs, atMs })
  }

  #usedBy(owner: string, nowMs: number): number {
    const used = this.#used.get(owner)
    return used ? used.ms * 2 ** ((used.atMs - nowMs) / USED_HALF_LIFE_MS) : 0
  }

  /** The one that used least first. */
  #slowOwners(): string[] {
    const nowMs = performance.now()
    const sending = [...this.#busy.values()].filter(({ startedMs }) => nowMs - startedMs >= SLOW_MS_MIN).map(({ owner }) => owner)
    const used = [...this.#used.values()].map(({ owner }) => owner).filter(owner => this.#usedBy(owner, nowMs) >= SLOW_MS_MIN)
    return [...new Set([...sending, ...used])].sort((a, b) => this.#usedBy(a, nowMs) - this.#usedBy(b, nowMs))
  }

  /**
   * One that is due and whose account and webhook may have another sender. Slow owners have places of their own and take turns in them by
   * what they used. Of all others those that have no sender go first, however long others wait.
   */
  async #claim(slowOwners: readonly string[]): Promise<DeliveryRow | undefined> {
    const nowMs = performance.now()
    const sendings = [...this.#busy.values()]
    const busyOwners = Map.groupBy(sendings, ({ owner }) => owner)
    const full = [...busyOwners].filter(([, { length }]) => length >= SENDERS_PER_ACCOUNT_MAX).map(([owner]) => owner)
    const isSlowFull = sendings.filter(({ isSlow }) => isSlow).length >= SLOW_SENDERS_MAX
    const isFull = sendings.filter(({ isSlow, startedMs }) => !isSlow && nowMs - startedMs < SLOW_MS_MIN).length >= SENDERS_MAX
    const take = (owners: Owners) => this.#take(owners, isSlowFull)
    if (!isFull) {
      const first = await take({ except: [...slowOwners, ...busyOwners.keys()] })
      if (first) return first
      const other = full.length < busyOwners.size && (await take({ except: [...slowOwners, ...full] }))
      if (other) return other
    }
    const slow = isSlowFull ? [] : slowOwners.filter(owner => !full.includes(owner))
    const waiting = slow.length > 0 ? await this.#due({ only: slow }, false).select('account').distinct().execute() : []
    for (const owner of slow) {
      const taken = waiting.some(({ account }) => account === owner) && (await take({ only: [owner] }))
      if (taken) return taken
    }
    return undefined
  }

  #due({ only = [], except = [] }: Owners, withoutFailing: boolean) {
    const { db, clock } = this.#deps
    let due = db.selectFrom('webhook_deliveries').where('next_attempt_at', '<=', clock())
    if (this.#busy.size > 0) due = due.where('webhook_id', 'not in', [...this.#busy.keys()])
    if (only.length > 0) due = due.where('account', 'in', only)
    if (except.length > 0) due = due.where('account', 'not in', except)
    if (withoutFailing) due = due.where('webhook_id', 'in', db.selectFrom('webhooks').select('id').where('failures', '=', 0))
    return due
  }

  /** PostgreSQL skips those that another process is taking. */
  async #take(owners: Owners, withoutFailing: boolean): Promise<DeliveryRow | undefined> {
    const { db, dialect, clock } = this.#deps
    const now = clock()
    const first = this.#due(owners, withoutFailing).select('id').orderBy('next_attempt_at').orderBy('id').limit(1)
    return await db
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: now + LEASE_MS, attempts: sql`attempts + 1` })
      .where('id', '=', dialect === 'postgres' ? first.forUpdate().skipLocked() : first)
      .where('next_attempt_at', '<=', now)
      .returning(DELIVERY_COLUMNS)
      .executeTakeFirst()
  }

  async #deliver({ row, webhook }: Claimed): Promise<void> {
    const opened = this.#deps.secretBox.open(row.id, Buffer.from(row.sealed_body, 'base64'))?.toString()
    if (!webhook || webhook.disabled_reason !== null || opened === undefined) return await this.#remove(row.id)
    if (row.expires_at <= this.#deps.clock()) return await this.#remove(row.id)
    const { event, mail }: SealedBody = JSON.parse(opened)
    if (!row.is_confirmed) return await this.#settle(row, mail)
    // A mail that arrived while its account was suspended may have enqueued it.
    if (await isSuspended(this.#deps.db, row.account)) return await this.#remove(row.id)
    const attempted = await this.#send(webhook, row.id, JSON.stringify(event))
    if (this.#cut.signal.aborted && attempted.status === undefined) return await this.#putBack(row)
    const isDisabled = await this.#note(webhook, attempted)
    if (attempted.isDelivered || isDisabled) return await this.#remove(row.id)
    const pauseSeconds = PAUSES_SECONDS[row.attempts - 1]
    this.#deps.log.info({ webhookId: webhook.id, attempts: row.attempts, reason: attempted.reason }, 'A webhook was not taken')
    if (pauseSeconds === undefined) return await this.#remove(row.id)
    this.#deps.telemetry.sendingRetried('webhook')
    const pauseMs = pauseSeconds * (1000 + randomInt(0, JITTER * 1000))
    await this.#postpone(row, pauseMs)
  }

  /** The process that enqueued it was killed before it could confirm or withdraw it, so the store is asked for the mail. */
  async #settle({ id }: DeliveryRow, mail: MessageReference): Promise<void> {
    const { db, hasMail, clock, log } = this.#deps
    try {
      if (!(await hasMail(mail))) return await this.#remove(id)
    } catch (error) {
      log.warn({ err: error }, 'A webhook waits until the mail store can be asked')
      const own = db.updateTable('webhook_deliveries').where('id', '=', id).where('is_confirmed', '=', 0)
      await own.set({ next_attempt_at: clock() + CONFIRMED_WITHIN_MS }).execute()
      return
    }
    await this.#markConfirmed([id])
  }

  /** Due at once, with all attempts left. Once only: another process may have confirmed it, and be sending it. */
  async #markConfirmed(ids: readonly string[]): Promise<void> {
    const { db, clock } = this.#deps
    const own = db.updateTable('webhook_deliveries').where('id', 'in', ids).where('is_confirmed', '=', 0)
    await own.set({ is_confirmed: 1, attempts: 0, next_attempt_at: clock() }).execute()
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
    const changes = { next_attempt_at: Math.ceil(this.#deps.clock() + pauseMs) }
    await this.#deps.db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
  }

  /** Cut off by a stop: due at once, and no failed attempt. */
  async #putBack({ id, attempts }: DeliveryRow): Promise<void> {
    const changes = { attempts: attempts - 1, next_attempt_at: this.#deps.clock() }
    await this.#deps.db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
  }

  async #remove(id: string): Promise<void> {
    await this.#deps.db.deleteFrom('webhook_deliveries').where('id', '=', id).execute()
  }

  #seal(id: string, body: SealedBody): string {
    return this.#deps.secretBox.seal(id, Buffer.from(JSON.stringify(body))).toString('base64')
  }
}

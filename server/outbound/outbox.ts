import { sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import { networksServed, serve } from '#server/platform/limits/clients.ts'
import { registeredDomain } from '#server/platform/net/registered-domain.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailOut, OutgoingMail } from './mail-out.ts'

const CONTEXT = 'outbox'

const storedMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.optional(z.string()),
  replyTo: z.optional(z.string()),
  link: z.optional(z.string()),
  enclosed: z.optional(z.string()),
})

/** Outgoing mail as stored in the database, sealed because confirmation mails contain live tokens. Base64. */
function sealMail(secretBox: SecretBox, mail: OutgoingMail): string {
  const enclosed = mail.enclosed && Buffer.from(mail.enclosed).toString('base64')
  return secretBox.seal(CONTEXT, Buffer.from(JSON.stringify({ ...mail, enclosed }))).toString('base64')
}

/** `undefined` if it was sealed under another secret. */
function openMail(secretBox: SecretBox, sealed: string): OutgoingMail | undefined {
  const bytes = secretBox.open(CONTEXT, Buffer.from(sealed, 'base64'))
  if (!bytes) return undefined
  const { enclosed, ...mail } = z.parse(storedMail, JSON.parse(bytes.toString()))
  return { ...mail, enclosed: enclosed === undefined ? undefined : Buffer.from(enclosed, 'base64') }
}

/** Mails that one process sends at once. */
const SENDERS_MAX = 4
/** For those that one network caused. For one recipient domain there is one. */
const SENDERS_PER_NETWORK_MAX = 2
/** For networks and domains with a slow sending lately, so that they leave room for others. */
const SLOW_SENDERS_MAX = SENDERS_MAX / 2
/** Relays that ask the recipient's server before they reply take longer than this. */
const SLOW_MS_MIN = 2000
const SLOW_FOR_MS = 10 * 60_000
const LATELY_SERVED_KEPT_MAX = 10_000
/** So short that it names neither a network nor a domain: about 64 IPv4 networks share each of its values. */
const MARK_CHARS = 3
/** While one process sends a mail, no other takes it. Longer than all time-outs of the relay together. */
const LEASE_MS = 5 * 60_000
const BACKOFF_MS = { first: 30_000, max: 6 * HOUR_MS } as const
/** How often to look for mail that another process left behind. */
const POLL_MS = 60_000
/** When the server stops, the mail under way may take this much longer. What is cut off then is sent again after the restart. */
const CLOSE_MS = 1000

type EnqueueOptions = { readonly givesUpAfterMs: number; readonly contactMessageId?: number | undefined }
type OutboxDeps = DatabaseAccess & { readonly mailOut: MailOut; readonly telemetry: Telemetry }
type OutboxRow = {
  id: number
  sealed: string
  attempts: number
  gives_up_at: number
  contact_message_id: number | null
  network: string
}
/** The mails to one domain, and the network that caused the first of them. Both are marks. */
type Lane = { readonly network: string; readonly domain: string }
type Sending = Lane & { readonly row: OutboxRow; readonly isSlow: boolean; readonly startMs: number }

/**
 * Outgoing mail. Stored sealed, so that it survives a restart, and retried with growing pauses until the relay accepts it or it is too old.
 * The networks that cause it take turns, because a relay that asks the recipient's server first may take a minute for each mail.
 */
export class Outbox implements AsyncDisposable {
  readonly #deps: OutboxDeps
  readonly #timer: NodeJS.Timeout
  readonly #senders = new Set<Promise<void>>()
  readonly #sendings = new Set<Sending>()
  /** When each network was last served, by its mark. */
  readonly #servedMs = new BoundedMap<string, number>(LATELY_SERVED_KEPT_MAX)
  /** When the last slow sending for each network and each domain ended, by their marks. */
  readonly #networkSlowMs = new BoundedMap<string, number>(LATELY_SERVED_KEPT_MAX)
  readonly #domainSlowMs = new BoundedMap<string, number>(LATELY_SERVED_KEPT_MAX)
  /** Senders claim one after the other, so that each sees what the others send. */
  #claiming: Promise<unknown> = Promise.resolve()
  /** A mail may have become due since the last claim began. */
  #isAgain = false
  #isClosed = false
  readonly #cut = new AbortController()

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.#kick(), POLL_MS)
    this.#timer.unref()
  }

  /**
   * Durable when it resolves. `contactMessageId` is marked as forwarded when the relay has accepted the mail. With `within` it is part of
   * that transaction, and the caller flushes after the commit.
   */
  async enqueue(mail: OutgoingMail, options: EnqueueOptions, within?: Transaction<DatabaseSchema>): Promise<void> {
    const { db, secretBox, clock } = this.#deps
    const now = clock()
    const times = { next_attempt_at: now, gives_up_at: now + options.givesUpAfterMs }
    await (within ?? db)
      .insertInto('outbox')
      .values({
        sealed: sealMail(secretBox, mail),
        attempts: 0,
        ...times,
        contact_message_id: options.contactMessageId ?? null,
        ...markLane(secretBox, mail.to),
      })
      .execute()
    if (!within) this.#kick()
  }

  /** Tries everything that is due; resolves when nothing due is left. */
  async flush(): Promise<void> {
    this.#kick()
    while (this.#senders.size > 0) await Promise.all(this.#senders)
  }

  async waiting(): Promise<number> {
    const { db } = this.#deps
    const row = await db.selectFrom('outbox').select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    return Number(row.count)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const cutting = setTimeout(() => this.#cut.abort(), CLOSE_MS)
    await Promise.all(this.#senders)
    clearTimeout(cutting)
  }

  /** Starts another sender, unless there are enough. */
  #kick(): void {
    this.#isAgain = true
    if (this.#isClosed || this.#senders.size >= SENDERS_MAX) return
    const sender = serve([], () => this.#work())
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'The outbox could not be read'))
      .finally(() => {
        this.#senders.delete(sender)
        if (this.#isAgain) this.#kick()
      })
    this.#senders.add(sender)
  }

  async #work(): Promise<void> {
    while (this.#isAgain && !this.#isClosed) {
      this.#isAgain = false
      const sending = await this.#claimNext()
      if (!sending) continue
      // Another may wait, and again when this one has left its place.
      this.#kick()
      try {
        await this.#deliver(sending.row)
      } finally {
        this.#leave(sending)
      }
    }
  }

  #leave(sending: Sending): void {
    const now = performance.now()
    this.#sendings.delete(sending)
    this.#isAgain = true
    if (now - sending.startMs < SLOW_MS_MIN) return
    this.#networkSlowMs.set(sending.network, now)
    this.#domainSlowMs.set(sending.domain, now)
  }

  async #claimNext(): Promise<Sending | undefined> {
    const claimed = this.#claiming.then(async () => {
      for (const { domain, isSlow } of await this.#lanesInTurn()) {
        const row = await this.#claim(domain)
        if (!row) continue
        const { network } = row
        const sending = { network, domain, isSlow, row, startMs: performance.now() }
        this.#servedMs.set(network, sending.startMs)
        this.#sendings.add(sending)
        return sending
      }
      return undefined
    })
    this.#claiming = claimed.catch(() => undefined)
    return await claimed
  }

  /**
   * Lanes with a due mail that may be sent now: first those without a slow sending lately, of them those with a first attempt, and of them
   * whose network has waited longest for its turn. Within a lane mails keep their order, because the last link to an address is the one
   * that counts.
   */
  async #lanesInTurn(): Promise<(Lane & { readonly isSlow: boolean })[]> {
    const { db, clock } = this.#deps
    const isRetry = sql<number>`min(case when attempts > 0 then 1 else 0 end)`.as('is_retry')
    const due = db.selectFrom('outbox').where('next_attempt_at', '<=', clock()).groupBy(['network', 'domain'])
    const causes = await due.select(({ fn }) => ['network', 'domain', isRetry, fn.min('next_attempt_at').as('due_at')]).execute()
    const firstOf = Map.groupBy(causes, ({ domain }) => domain).values()
    const lanes = firstOf.map(ofDomain =>
      ofDomain.reduce((a, b) => (compareInOrder([a.is_retry, Number(a.due_at)], [b.is_retry, Number(b.due_at)]) > 0 ? b : a)),
    )
    const now = performance.now()
    const isSlowSince = (ms: number | undefined) => ms !== undefined && now - ms < SLOW_FOR_MS
    const sendings = [...this.#sendings]
    const slow = sendings.filter(({ isSlow, startMs }) => isSlow || now - startMs >= SLOW_MS_MIN).length
    return [...lanes]
      .map(({ network, domain, is_retry, due_at }) => {
        const isSlow = isSlowSince(this.#networkSlowMs.get(network)) || isSlowSince(this.#domainSlowMs.get(domain))
        const order = [Number(isSlow), Number(is_retry), this.#servedMs.get(network) ?? 0, Number(due_at)]
        return { network, domain, isSlow, order }
      })
      .filter(({ network, domain, isSlow }) => {
        if (sendings.some(sending => sending.domain === domain) || (isSlow && slow >= SLOW_SENDERS_MAX)) return false
        return sendings.filter(sending => sending.network === network).length < SENDERS_PER_NETWORK_MAX
      })
      .sort((a, b) => compareInOrder(a.order, b.order))
  }

  /** Skips rows that another process is sending. */
  async #claim(domain: string): Promise<OutboxRow | undefined> {
    const { db, dialect, clock } = this.#deps
    const now = clock()
    const own = db.selectFrom('outbox').select('id').where('domain', '=', domain)
    const isRetry = sql`case when attempts > 0 then 1 else 0 end`
    const first = own.where('next_attempt_at', '<=', now).orderBy(isRetry).orderBy('next_attempt_at').orderBy('id').limit(1)
    const due = dialect === 'postgres' ? first.forUpdate().skipLocked() : first
    return db
      .updateTable('outbox')
      .set({ next_attempt_at: now + LEASE_MS, attempts: sql`attempts + 1` })
      .where('id', '=', due)
      .where('next_attempt_at', '<=', now)
      .returning(['id', 'sealed', 'attempts', 'gives_up_at', 'contact_message_id', 'network'])
      .executeTakeFirst()
  }

  async #deliver(row: OutboxRow): Promise<void> {
    const { secretBox, clock, log, mailOut } = this.#deps
    const mail = openMail(secretBox, row.sealed)
    if (!mail || row.gives_up_at <= clock()) {
      log.warn({ outboxId: row.id, attempts: row.attempts }, 'A mail was given up: too old, or sealed under another SECRET')
      return this.#remove(row.id)
    }
    try {
      await mailOut.send(mail, this.#cut.signal)
    } catch (error) {
      return this.#cut.signal.aborted ? this.#dueAt(row.id, clock()) : this.#postpone(row, error)
    }
    await this.#remove(row.id)
    if (row.contact_message_id !== null) await this.#markForwarded(row.contact_message_id)
  }

  async #postpone({ id, attempts }: OutboxRow, error: unknown): Promise<void> {
    const { clock, log, telemetry } = this.#deps
    const pauseMs = Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** Math.min(attempts - 1, 20))
    // The relay's text may quote the recipient, so only its code is logged.
    log.warn({ outboxId: id, attempts, pauseMs, reason: relayErrorCode(error) }, 'The relay did not take a mail; trying again later')
    telemetry.sendingRetried('mail')
    await this.#dueAt(id, clock() + pauseMs)
  }

  async #dueAt(id: number, next_attempt_at: number): Promise<void> {
    await this.#deps.db.updateTable('outbox').set({ next_attempt_at }).where('id', '=', id).execute()
  }

  async #remove(id: number): Promise<void> {
    await this.#deps.db.deleteFrom('outbox').where('id', '=', id).execute()
  }

  async #markForwarded(contactMessageId: number): Promise<void> {
    const { db, clock } = this.#deps
    await db.updateTable('contact_messages').set({ forwarded_at: clock() }).where('id', '=', contactMessageId).execute()
  }
}

/** The largest network around the client that is served now, a /24 or a /48, and the domain that is to get the mail. */
function markLane(secretBox: SecretBox, to: string): Lane {
  const mark = (kind: string, value: string) => secretBox.hash(`${CONTEXT}/${kind}`, value).slice(0, MARK_CHARS)
  const domain = registeredDomain(to.slice(to.lastIndexOf('@') + 1))
  return { network: mark('network', networksServed().at(-1) ?? ''), domain: mark('domain', domain) }
}

function compareInOrder(a: readonly number[], b: readonly number[]): number {
  return a.map((value, place) => value - (b[place] ?? 0)).find(difference => difference !== 0) ?? 0
}

function relayErrorCode(error: unknown): string {
  if (error instanceof Error && 'responseCode' in error) return String(error.responseCode)
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** If the relay is down for two weeks, the operator can still read the message with the command. */
const FORWARDING_GIVES_UP_AFTER_MS = 14 * DAY_MS

export type Forwarding = ReturnType<typeof createForwarding>

/** Mail to the operator, at CONTACT_TO. Without a relay there is none: the operator reads messages with the command. */
export function createForwarding(outbox: Outbox, { to, siteName }: { readonly to: string; readonly siteName: string }) {
  return {
    /** See `Outbox.enqueue`. */
    async enqueue({ subject, ...mail }: Omit<OutgoingMail, 'to'>, within?: Transaction<DatabaseSchema>, contactMessageId?: number) {
      const options = { givesUpAfterMs: FORWARDING_GIVES_UP_AFTER_MS, contactMessageId }
      await outbox.enqueue({ to, subject: `[${siteName}] ${subject}`, ...mail }, options, within)
    },
    flush: () => void outbox.flush(),
  }
}

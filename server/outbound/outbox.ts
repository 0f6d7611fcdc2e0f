import { sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { SecretBox } from '#server/platform/cryptography.ts'
import { networksServed, serve } from '#server/platform/limits/clients.ts'
import { FairQueue } from '#server/platform/limits/fair-queue.ts'
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
const LATELY_SLOW_KEPT_MAX = 10_000
/** Where those of slow networks and domains begin. */
const SLOW_TURNS = 2
/** So short that it names neither a network nor a domain: about 64 IPv4 networks share each of its values. */
const MARK_CHARS = 3
/** While one process sends a mail, no other takes it. Longer than all time-outs of the relay together. */
const LEASE_MS = 5 * 60_000
const BACKOFF_MS = { first: 30_000, max: 6 * HOUR_MS } as const
/** How often to look for pauses that are over, and for mail that another process left behind. */
const POLL_MS = 60_000
/** Mail that became due so long before the last look is looked for again: a transaction may have been under way. */
const LOOK_BACK_MS = 10_000
/** Processes that share their database look at everything that is due every ten minutes, since their clocks may differ. */
const LOOKS_PER_WHOLE = 10
/** When the server stops, the mail under way may take this much longer. What is cut off then is sent again after the restart. */
const CLOSE_MS = 1000

type EnqueueOptions = { readonly givesUpAfterMs: number; readonly contactMessageId?: number | undefined }
type OutboxDeps = DatabaseAccess & { readonly mailOut: MailOut; readonly telemetry: Telemetry }
type OutboxRow = { id: number; sealed: string; attempts: number; gives_up_at: number; contact_message_id: number | null; network: string }
/** The domain of a mail, and the network that caused it. Both are marks. */
type Lane = { readonly network: string; readonly domain: string }
/** The first due mail of a domain, or another of the same domain that became due after it. */
type Head = Lane & { readonly isRetry: boolean }
type Sending = Lane & { readonly row: OutboxRow; readonly isSlow: boolean; readonly startMs: number }

/**
 * Outgoing mail. Stored sealed, so that it survives a restart, and retried with growing pauses until the relay accepts it or it is too old.
 * The networks that cause it take turns, because a relay that asks the recipient's server first may take a minute for each mail. Whose turn
 * it is, is known in memory, so that a mail costs the same however many wait.
 */
export class Outbox implements AsyncDisposable {
  readonly #deps: OutboxDeps
  readonly #timer: NodeJS.Timeout
  readonly #senders = new Set<Promise<void>>()
  /** By domain. */
  readonly #sendings = new Map<string, Sending>()
  /** By domain, unless one of its mails is being sent. There are as many as marks, at most. */
  readonly #heads = new Map<string, Head>()
  /** First attempts, retries, and both again of those that were slow lately. A head that is no longer in `#heads` is ignored. */
  readonly #turns = Array.from({ length: 2 * SLOW_TURNS }, () => new FairQueue<Head>())
  /** When the last slow sending for each network and each domain ended, by their marks. */
  readonly #networkSlowMs = new BoundedMap<string, number>(LATELY_SLOW_KEPT_MAX)
  readonly #domainSlowMs = new BoundedMap<string, number>(LATELY_SLOW_KEPT_MAX)
  /** Senders claim one after the other, so that each sees what the others send. */
  #claiming: Promise<unknown> = Promise.resolve()
  /** A mail may have become due since the last claim began. */
  #isAgain = false
  /** Whether the next claim looks for mail that this process was not told of. */
  #mustLook = true
  /** Whether it then looks at all that is due: after a fault, what waited may be forgotten. */
  #mustLookAtAll = true
  #looks = 0
  #lookedAtMs = 0
  #isClosed = false
  readonly #cut = new AbortController()

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.flush(), POLL_MS)
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
    const lane = markLane(secretBox, mail.to)
    await (within ?? db)
      .insertInto('outbox')
      .values({
        sealed: sealMail(secretBox, mail),
        attempts: 0,
        is_retry: 0,
        ...times,
        contact_message_id: options.contactMessageId ?? null,
        ...lane,
      })
      .execute()
    if (within) return
    this.#wait({ ...lane, isRetry: false })
    this.#kick()
  }

  /** Tries everything that is due; resolves when nothing due is left. */
  async flush(): Promise<void> {
    this.#mustLook = true
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
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'The outbox could not be read')
        this.#mustLookAtAll = true
      })
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
        await this.#leave(sending)
      }
    }
  }

  async #leave({ network, domain, startMs }: Sending): Promise<void> {
    const now = performance.now()
    if (now - startMs >= SLOW_MS_MIN) {
      this.#networkSlowMs.set(network, now)
      this.#domainSlowMs.set(domain, now)
    }
    this.#sendings.delete(domain)
    const next = this.#isClosed ? undefined : await this.#firstDue(domain)
    if (next) this.#wait({ domain, ...next })
    this.#isAgain = true
  }

  /** Within a domain mails keep their order, because the last link to an address is the one that counts; but first attempts go first. */
  #wait(head: Head): void {
    const { network, domain, isRetry } = head
    const known = this.#heads.get(domain)
    if (this.#sendings.has(domain) || (known && Number(known.isRetry) <= Number(isRetry))) return
    this.#heads.set(domain, head)
    this.#turns[this.#turnOf(head)]?.push([network], head)
  }

  /** Which of `#turns`. */
  #turnOf({ network, domain, isRetry }: Head): number {
    const slowSince = performance.now() - SLOW_FOR_MS
    const isSlow = [this.#networkSlowMs.get(network), this.#domainSlowMs.get(domain)].some(ms => ms !== undefined && ms > slowSince)
    return Number(isRetry) + (isSlow ? SLOW_TURNS : 0)
  }

  async #claimNext(): Promise<Sending | undefined> {
    const claimed = this.#claiming.then(async () => {
      if (this.#mustLook) await this.#look()
      for (let next = this.#takeNext(); next; next = this.#takeNext()) {
        const { domain, isSlow } = next
        const row = await this.#claim(domain)
        if (!row) continue
        const sending = { network: row.network, domain, isSlow, row, startMs: performance.now() }
        this.#sendings.set(domain, sending)
        return sending
      }
      return undefined
    })
    this.#claiming = claimed.catch(() => undefined)
    return await claimed
  }

  /** A domain with a due mail that may be sent now: first those without a slow sending lately, and of them those with a first attempt. */
  #takeNext(): { readonly domain: string; readonly isSlow: boolean } | undefined {
    const now = performance.now()
    const sendings = [...this.#sendings.values()]
    const slow = sendings.filter(({ isSlow, startMs }) => isSlow || now - startMs >= SLOW_MS_MIN).length
    const isPresent = (head: Head) => this.#heads.get(head.domain) === head
    const hasPlace = ({ network }: Head) => sendings.filter(sending => sending.network === network).length < SENDERS_PER_NETWORK_MAX
    for (const [turn, queue] of this.#turns.entries()) {
      const isSlow = turn >= SLOW_TURNS
      if (isSlow && slow >= SLOW_SENDERS_MAX) return undefined
      const take = () => queue.shift(first => !isPresent(first) || hasPlace(first))
      for (let head = take(); head; head = take()) {
        if (!isPresent(head)) continue
        this.#heads.delete(head.domain)
        // One that was claimed meanwhile waits again when its mail is sent.
        if (this.#sendings.has(head.domain)) continue
        if (isSlow || this.#turnOf(head) === turn) return { domain: head.domain, isSlow }
        // It was not slow yet when it began to wait.
        this.#wait(head)
      }
    }
    return undefined
  }

  /** Pauses that are over, and what this process was not told of. Each mail is read when it becomes due, and not again for each claim. */
  async #look(): Promise<void> {
    const { db, dialect, clock } = this.#deps
    this.#mustLook = false
    const now = clock()
    const isWhole = this.#mustLookAtAll || now < this.#lookedAtMs || (dialect === 'postgres' && this.#looks % LOOKS_PER_WHOLE === 0)
    this.#mustLookAtAll = false
    const since = isWhole ? 0 : this.#lookedAtMs - LOOK_BACK_MS
    const due = db.selectFrom('outbox').where('next_attempt_at', '>=', since).where('next_attempt_at', '<=', now)
    const heads = due.select(['network', 'domain', 'is_retry']).groupBy(['network', 'domain', 'is_retry'])
    for (const { network, domain, is_retry } of await heads.orderBy(({ fn }) => fn.min('next_attempt_at')).execute())
      this.#wait({ network, domain, isRetry: is_retry === 1 })
    this.#looks++
    this.#lookedAtMs = now
  }

  #dueOf(domain: string, isRetry: boolean) {
    const { db, clock } = this.#deps
    const own = db.selectFrom('outbox').where('domain', '=', domain).where('is_retry', '=', Number(isRetry))
    return own.where('next_attempt_at', '<=', clock()).orderBy('next_attempt_at').orderBy('id').limit(1)
  }

  async #firstDue(domain: string): Promise<Omit<Head, 'domain'> | undefined> {
    for (const isRetry of [false, true]) {
      const first = await this.#dueOf(domain, isRetry).select('network').executeTakeFirst()
      if (first) return { ...first, isRetry }
    }
    return undefined
  }

  /** `undefined` if there is none, or another process is sending it, which sends the others after it. */
  async #claim(domain: string): Promise<OutboxRow | undefined> {
    const { db, dialect, clock } = this.#deps
    const now = clock()
    for (const isRetry of [false, true]) {
      const first = this.#dueOf(domain, isRetry).select('id')
      const row = await db
        .updateTable('outbox')
        .set({ next_attempt_at: now + LEASE_MS, attempts: sql`attempts + 1`, is_retry: 1 })
        .where('id', '=', dialect === 'postgres' ? first.forUpdate().skipLocked() : first)
        .where('next_attempt_at', '<=', now)
        .returning(['id', 'sealed', 'attempts', 'gives_up_at', 'contact_message_id', 'network'])
        .executeTakeFirst()
      if (row) return row
    }
    return undefined
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

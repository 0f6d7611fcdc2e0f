import { sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { serve } from '#server/platform/limits/clients.ts'
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

/** While one process sends a mail, no other takes it. Longer than all time-outs of the relay together. */
const LEASE_MS = 5 * 60_000
const BACKOFF_MS = { first: 30_000, max: 6 * HOUR_MS } as const
/** How often to look for mail that another process left behind. */
const POLL_MS = 60_000
/** When the server stops, the mail under way may take this much longer. What is cut off then is sent again after the restart. */
const CLOSE_MS = 1000

type EnqueueOptions = { readonly givesUpAfterMs: number; readonly contactMessageId?: number | undefined }
type OutboxDeps = DatabaseAccess & { readonly mailOut: MailOut; readonly telemetry: Telemetry }
type OutboxRow = { id: number; sealed: string; attempts: number; gives_up_at: number; contact_message_id: number | null }

/**
 * Outgoing mail. Stored sealed, so that it survives a restart, and retried with growing pauses until the relay accepts it or it is too old.
 */
export class Outbox implements AsyncDisposable {
  readonly #deps: OutboxDeps
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined
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
      .values({ sealed: sealMail(secretBox, mail), attempts: 0, ...times, contact_message_id: options.contactMessageId ?? null })
      .execute()
    if (!within) this.#kick()
  }

  /** Tries everything that is due; resolves when nothing due is left. */
  flush(): Promise<void> {
    this.#isAgain = true
    this.#running ??= serve([], () => this.#drain()).finally(() => {
      this.#running = undefined
    })
    return this.#running
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
    await this.#running
    clearTimeout(cutting)
  }

  #kick(): void {
    if (!this.#isClosed) void this.flush()
  }

  async #drain(): Promise<void> {
    try {
      while (this.#isAgain && !this.#isClosed) {
        this.#isAgain = false
        while (!this.#isClosed) {
          const row = await this.#claim()
          if (!row) break
          await this.#deliver(row)
        }
      }
    } catch (error) {
      this.#deps.log.error({ err: error }, 'The outbox could not be read')
    }
  }

  /** Skips rows that another process is sending. */
  async #claim(): Promise<OutboxRow | undefined> {
    const { db, dialect, clock } = this.#deps
    const now = clock()
    const first = db.selectFrom('outbox').select('id').where('next_attempt_at', '<=', now).orderBy('next_attempt_at').limit(1)
    const due = dialect === 'postgres' ? first.forUpdate().skipLocked() : first
    return db
      .updateTable('outbox')
      .set({ next_attempt_at: now + LEASE_MS, attempts: sql`attempts + 1` })
      .where('id', '=', due)
      .where('next_attempt_at', '<=', now)
      .returning(['id', 'sealed', 'attempts', 'gives_up_at', 'contact_message_id'])
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

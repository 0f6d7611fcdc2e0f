import { type Kysely, sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import type { MailOut, OutgoingMail } from '#server/mail-out/mail-out.ts'
import type { SiteSchema } from './schema.ts'
import type { Vault } from './vault.ts'

/** While one process sends, no other takes the same mail; longer than the relay's time limits together. */
const LEASE_MS = 5 * 60_000
const BACKOFF_MS = { first: 30_000, max: 6 * 3_600_000 } as const
/** How often to look for mail that another process left behind. */
const LOOK_MS = 60_000
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

/** Mail to send survives a relay that is down and a restart: stored sealed, tried again with growing pauses until it is taken or too old. */
export interface Outbox extends AsyncDisposable {
  /**
   * Durable when it resolves. `contactMessageId` is marked as forwarded when the relay has taken the mail.
   * With `within` it is a part of that transaction, and the caller flushes after the commit.
   */
  enqueue(mail: OutgoingMail, options: EnqueueOptions, within?: Transaction<SiteSchema>): Promise<void>
  /** Tries everything that is due now; resolves when nothing due is left. */
  flush(): Promise<void>
  waiting(): Promise<number>
}

export type EnqueueOptions = { readonly givesUpAfterMs: number; readonly contactMessageId?: number }
type OutboxParts = { db: Kysely<SiteSchema>; vault: Vault; clock: Clock; log: Log; mailOut: MailOut }
type Row = { id: number; sealed: string; attempts: number; gives_up_at: number; contact_message_id: number | null }

export function createOutbox({ db, vault, clock, log, mailOut }: OutboxParts): Outbox {
  let running: Promise<void> | undefined
  let isAgain = false
  let isClosed = false
  const timer = setInterval(kick, LOOK_MS)
  timer.unref()

  function kick(): void {
    if (!isClosed) void flush()
  }

  function flush(): Promise<void> {
    isAgain = true
    running ??= drain().finally(() => {
      running = undefined
    })
    return running
  }

  async function drain(): Promise<void> {
    try {
      while (isAgain && !isClosed) {
        isAgain = false
        for (let row = await claim(); row; row = await claim()) await deliver(row)
      }
    } catch (error) {
      log.error({ err: error }, 'The outbox could not be read')
    }
  }

  async function claim(): Promise<Row | undefined> {
    const now = clock()
    const due = db.selectFrom('outbox').select('id').where('next_attempt_at', '<=', now).orderBy('next_attempt_at').limit(1)
    return db
      .updateTable('outbox')
      .set({ next_attempt_at: now + LEASE_MS, attempts: sql`attempts + 1` })
      .where('id', '=', due)
      .where('next_attempt_at', '<=', now)
      .returning(['id', 'sealed', 'attempts', 'gives_up_at', 'contact_message_id'])
      .executeTakeFirst()
  }

  async function deliver(row: Row): Promise<void> {
    const opened = vault.open(CONTEXT, Buffer.from(row.sealed, 'base64'))
    if (!opened || row.gives_up_at <= clock()) {
      log.warn({ outboxId: row.id, attempts: row.attempts }, 'A mail was given up: too old, or sealed under another SECRET')
      await remove(row.id)
      return
    }
    try {
      await mailOut.send(unpack(opened))
    } catch (error) {
      const pauseMs = Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** Math.min(row.attempts - 1, 20))
      // The relay's own words may quote the recipient: its code is enough.
      log.warn(
        { outboxId: row.id, attempts: row.attempts, pauseMs, reason: codeOf(error) },
        'The relay did not take a mail; trying again later',
      )
      await db
        .updateTable('outbox')
        .set({ next_attempt_at: clock() + pauseMs })
        .where('id', '=', row.id)
        .execute()
      return
    }
    await remove(row.id)
    if (row.contact_message_id !== null) {
      await db.updateTable('contact_messages').set({ forwarded_at: clock() }).where('id', '=', row.contact_message_id).execute()
    }
  }

  async function remove(id: number): Promise<void> {
    await db.deleteFrom('outbox').where('id', '=', id).execute()
  }

  return {
    async enqueue(mail, { givesUpAfterMs, contactMessageId }, within) {
      const now = clock()
      const sealed = vault.seal(CONTEXT, pack(mail)).toString('base64')
      const times = { next_attempt_at: now, gives_up_at: now + givesUpAfterMs }
      await (within ?? db)
        .insertInto('outbox')
        .values({ sealed, attempts: 0, ...times, contact_message_id: contactMessageId ?? null })
        .execute()
      if (!within) kick()
    },
    flush,
    async waiting() {
      const row = await db.selectFrom('outbox').select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return Number(row.count)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

function pack(mail: OutgoingMail): Buffer {
  const enclosed = mail.enclosed && Buffer.from(mail.enclosed).toString('base64')
  return Buffer.from(JSON.stringify({ ...mail, enclosed }))
}

function unpack(bytes: Buffer): OutgoingMail {
  const { enclosed, ...mail } = z.parse(storedMail, JSON.parse(bytes.toString()))
  return { ...mail, enclosed: enclosed === undefined ? undefined : Buffer.from(enclosed, 'base64') }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'responseCode' in error) return String(error.responseCode)
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

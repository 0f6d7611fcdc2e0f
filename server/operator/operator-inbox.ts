import { type Kysely, sql } from 'kysely'
import { MIB } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'
import type { Vault } from '#server/database/secret-box.ts'
import { contentHashOf, forwardLetter, type OperatorMail, openOperatorMail, sealOperatorMail } from './operator-mail.ts'
import type { Outbox } from './outbox.ts'

export type OperatorInboxLimits = { readonly messageBytesMax: number; readonly messagesMax: number; readonly allBytesMax: number }

/** A report with its evidence fits; nobody needs to send the postmaster a film. */
const LIMITS: OperatorInboxLimits = { messageBytesMax: 5 * MIB, messagesMax: 1000, allBytesMax: 100 * MIB }
const GIVES_UP_AFTER_MS = 14 * 86_400_000

/** `head` is left out when the mail was sealed under another secret. Times in milliseconds since the epoch. */
type OperatorMailRow = {
  readonly id: number
  readonly receivedAt: number
  readonly readAt: number | null
  readonly bytes: number
  readonly head?: Omit<OperatorMail, 'raw'>
}

/** Mail to postmaster and abuse of our domains (decision 4): for the operator, who reads it with the command, and forwarded when a relay is set. */
export interface OperatorInbox {
  /**
   * Durable when it resolves with `'stored'`; the same bytes to the same address twice are one message.
   * When the inbox is full, read messages go first, then the oldest: a flood must not shut out the report about it.
   */
  receive(mail: OperatorMail): Promise<'stored' | 'message_too_large'>
  /** Newest first. */
  list(limit: number): Promise<OperatorMailRow[]>
  /** Marks it as read. `undefined` when there is none, `'sealed'` when it was sealed under another secret and stays unread. */
  read(id: number): Promise<OperatorMail | 'sealed' | undefined>
}

type Parts = {
  db: Kysely<SiteSchema>
  vault: Vault
  clock: Clock
  outbox: Outbox
  forwardTo: string | undefined
  siteName: string
  limits?: OperatorInboxLimits | undefined
}

export function createOperatorInbox(parts: Parts): OperatorInbox {
  const { db, vault, clock, outbox, limits = LIMITS } = parts
  return {
    async receive(mail) {
      if (mail.raw.length > limits.messageBytesMax) return 'message_too_large'
      await store(parts, mail)
      void outbox.flush()
      await makeRoom(db, limits)
      return 'stored'
    },

    async list(limit) {
      const rows = await db.selectFrom('operator_messages').selectAll().orderBy('id', 'desc').limit(limit).execute()
      return rows.map(row => {
        const mail = openOperatorMail(vault, row.sealed)
        const head = mail && { head: { recipient: mail.recipient, envelopeFrom: mail.envelopeFrom } }
        return { id: row.id, receivedAt: row.received_at, readAt: row.read_at, bytes: row.bytes, ...head }
      })
    },

    async read(id) {
      const row = await db.selectFrom('operator_messages').select('sealed').where('id', '=', id).executeTakeFirst()
      if (!row) return undefined
      const mail = openOperatorMail(vault, row.sealed)
      if (!mail) return 'sealed'
      await db.updateTable('operator_messages').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
      return mail
    },
  }
}

/** Stored and queued in one step, and the same bytes once: a sender who lost our reply, or was told to come again, makes no second message. */
async function store({ db, vault, clock, outbox, forwardTo, siteName }: Parts, mail: OperatorMail): Promise<void> {
  const sealed = sealOperatorMail(vault, mail)
  const row = { sealed, bytes: mail.raw.length, received_at: clock(), read_at: null, content_hash: contentHashOf(vault, mail) }
  await db.transaction().execute(async step => {
    const isNew = await step
      .insertInto('operator_messages')
      .values(row)
      .onConflict(conflict => conflict.column('content_hash').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!isNew || forwardTo === undefined) return
    await outbox.enqueue(forwardLetter(mail, forwardTo, siteName), { givesUpAfterMs: GIVES_UP_AFTER_MS }, step)
  })
}

async function makeRoom(db: Kysely<SiteSchema>, limits: OperatorInboxLimits): Promise<void> {
  const kept = sql<number>`sum(bytes) over (order by read_at is not null, id desc)`
  const place = sql<number>`row_number() over (order by read_at is not null, id desc)`
  const ranked = db.selectFrom('operator_messages').select(['id', kept.as('kept'), place.as('place')])
  const surplus = db
    .selectFrom(ranked.as('ranked'))
    .select('id')
    .where(is => is.or([is('kept', '>', limits.allBytesMax), is('place', '>', limits.messagesMax)]))
  await db.deleteFrom('operator_messages').where('id', 'in', surplus).execute()
}

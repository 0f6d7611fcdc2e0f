import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { MIB } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import type { OutgoingMail } from '#server/mail-out/mail-out.ts'
import { oneLine } from '#server/mail-out/one-line.ts'
import type { Outbox } from './outbox.ts'
import type { SiteSchema } from './schema.ts'
import type { Vault } from './vault.ts'

export type OperatorInboxLimits = { readonly messageBytesMax: number; readonly messagesMax: number; readonly allBytesMax: number }

/** A report with its evidence fits; nobody needs to send the postmaster a film. */
const LIMITS: OperatorInboxLimits = { messageBytesMax: 5 * MIB, messagesMax: 1000, allBytesMax: 100 * MIB }
const GIVES_UP_AFTER_MS = 14 * 86_400_000
const CONTEXT = 'operator-message'

export type OperatorMail = { readonly recipient: string; readonly envelopeFrom: string; readonly raw: Uint8Array }
/** `head` is left out when the mail was sealed under another secret. Times in milliseconds since the epoch. */
export type OperatorMailRow = {
  readonly id: number
  readonly receivedAt: number
  readonly readAt: number | null
  readonly bytes: number
  readonly head?: Omit<OperatorMail, 'raw'>
}

/** Mail to postmaster and abuse of our domains (decision 4): for the operator, who reads it with the command, and forwarded when a relay is set. */
export interface OperatorInbox {
  /** Durable when it resolves with `'stored'`; the same bytes to the same address twice are one message. When the inbox is full, read messages go first, then the oldest: a flood must not shut out the report about it. */
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

const headSchema = z.object({ recipient: z.string(), envelopeFrom: z.string() })

export function createOperatorInbox({ db, vault, clock, outbox, forwardTo, siteName, limits = LIMITS }: Parts): OperatorInbox {
  /** Sealed like everything at rest: a line of JSON, then the mail byte for byte. */
  function seal({ recipient, envelopeFrom, raw }: OperatorMail): Buffer {
    return vault.seal(CONTEXT, Buffer.concat([Buffer.from(`${JSON.stringify({ recipient, envelopeFrom })}\n`), raw]))
  }

  function unseal(sealed: Uint8Array): OperatorMail | undefined {
    const bytes = vault.open(CONTEXT, sealed)
    if (!bytes) return undefined
    const end = bytes.indexOf('\n')
    return { ...z.parse(headSchema, JSON.parse(bytes.toString('utf8', 0, end))), raw: bytes.subarray(end + 1) }
  }

  function contentHash({ recipient, raw }: OperatorMail): string {
    return vault.hash(CONTEXT, createHash('sha256').update(`${recipient.toLowerCase()}\n`).update(raw).digest('hex'))
  }

  function letterOf({ recipient, envelopeFrom, raw }: OperatorMail, to: string): OutgoingMail {
    const text = `Mail for ${oneLine(recipient)} from <${oneLine(envelopeFrom)}>, enclosed as it arrived.\n`
    return { to, subject: `[${siteName}] Mail for ${oneLine(recipient)}`, text, enclosed: raw }
  }

  async function makeRoom(): Promise<void> {
    const kept = sql<number>`sum(bytes) over (order by read_at is not null, id desc)`
    const place = sql<number>`row_number() over (order by read_at is not null, id desc)`
    const ranked = db.selectFrom('operator_messages').select(['id', kept.as('kept'), place.as('place')])
    const surplus = db
      .selectFrom(ranked.as('ranked'))
      .select('id')
      .where(is => is.or([is('kept', '>', limits.allBytesMax), is('place', '>', limits.messagesMax)]))
    await db.deleteFrom('operator_messages').where('id', 'in', surplus).execute()
  }

  return {
    async receive(mail) {
      if (mail.raw.length > limits.messageBytesMax) return 'message_too_large'
      const row = { sealed: seal(mail), bytes: mail.raw.length, received_at: clock(), read_at: null, content_hash: contentHash(mail) }
      // Stored and queued in one step, and the same bytes once: a sender who lost our reply, or was told to come again, makes no second message.
      await db.transaction().execute(async step => {
        const isNew = await step
          .insertInto('operator_messages')
          .values(row)
          .onConflict(conflict => conflict.column('content_hash').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (isNew && forwardTo !== undefined) {
          await outbox.enqueue(letterOf(mail, forwardTo), { givesUpAfterMs: GIVES_UP_AFTER_MS }, step)
        }
      })
      void outbox.flush()
      await makeRoom()
      return 'stored'
    },

    async list(limit) {
      const rows = await db.selectFrom('operator_messages').selectAll().orderBy('id', 'desc').limit(limit).execute()
      return rows.map(row => {
        const mail = unseal(row.sealed)
        const head = mail && { head: { recipient: mail.recipient, envelopeFrom: mail.envelopeFrom } }
        return { id: row.id, receivedAt: row.received_at, readAt: row.read_at, bytes: row.bytes, ...head }
      })
    },

    async read(id) {
      const row = await db.selectFrom('operator_messages').select('sealed').where('id', '=', id).executeTakeFirst()
      if (!row) return undefined
      const mail = unseal(row.sealed)
      if (!mail) return 'sealed'
      await db.updateTable('operator_messages').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
      return mail
    },
  }
}

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { MIB } from '#contract/limits.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { OperatorMail } from '#server/mail/delivery/envelope.ts'
import { oneLine } from '#server/outbound/mail-out.ts'
import type { Forwarding } from '#server/outbound/outbox.ts'
import type { SecretBox } from '#server/platform/cryptography.ts'
import { fairIds, makeRoom, networkMark } from './fair-room.ts'

const CONTEXT = 'operator-message'

const headSchema = z.object({ recipient: z.string(), envelopeFrom: z.string() })

/** A line of JSON, then the raw mail, sealed together. */
function sealOperatorMail(secretBox: SecretBox, { recipient, envelopeFrom, raw }: OperatorMail): Buffer {
  return secretBox.seal(CONTEXT, Buffer.concat([Buffer.from(`${JSON.stringify({ recipient, envelopeFrom })}\n`), raw]))
}

/** `undefined` if it was sealed under another secret. */
function openOperatorMail(secretBox: SecretBox, sealed: Uint8Array): OperatorMail | undefined {
  const bytes = secretBox.open(CONTEXT, sealed)
  if (!bytes) return undefined
  const end = bytes.indexOf('\n')
  return { ...z.parse(headSchema, JSON.parse(bytes.toString('utf8', 0, end))), raw: bytes.subarray(end + 1) }
}

/** Recognises a retry. Keyed, so that it reveals nothing about the mail. */
function operatorMailHash(secretBox: SecretBox, { recipient, raw }: OperatorMail): string {
  return secretBox.hash(CONTEXT, createHash('sha256').update(`${recipient}\n`).update(raw).digest('hex'))
}

function forwardedMail({ recipient, envelopeFrom, raw }: OperatorMail) {
  const text = `Mail for ${oneLine(recipient)} from <${oneLine(envelopeFrom)}>, enclosed as it arrived.\n`
  return { subject: `Mail for ${oneLine(recipient)}`, text, enclosed: raw }
}

export type OperatorInboxLimits = { readonly messageBytesMax: number; readonly messagesMax: number; readonly allBytesMax: number }

/** Enough for a report with its evidence. */
const LIMITS: OperatorInboxLimits = { messageBytesMax: 5 * MIB, messagesMax: 1000, allBytesMax: 100 * MIB }

const IS_READ = sql`read_at is not null`
/** SQLite knows this from the head of a row, without reading the pages of the mail, which lie before the column `bytes`. */
const SEALED_BYTES = sql`length(sealed)`

/** `head` is missing if the mail was sealed under another secret. Times in milliseconds since the epoch. */
type OperatorMailRow = {
  readonly id: number
  readonly receivedAt: number
  readonly readAt: number | null
  readonly bytes: number
  readonly head?: Omit<OperatorMail, 'raw'>
}

/** `limits`: smaller ones for tests. */
type OperatorInboxDeps = DatabaseAccess & { readonly forwarding: Forwarding | undefined; readonly limits?: OperatorInboxLimits | undefined }

/**
 * Mail to postmaster, abuse and the service's other addresses. The operator reads it with the command; it is forwarded if a relay is set.
 */
export class OperatorInbox {
  readonly #deps: OperatorInboxDeps

  constructor(deps: OperatorInboxDeps) {
    this.#deps = deps
  }

  /**
   * Durable when it resolves with `'stored'`. The same bytes to the same address are stored once. When the inbox is full, read messages are
   * deleted first, then those of the network with the most: a flood must not keep out the report about it.
   */
  async receive(mail: OperatorMail): Promise<'stored' | 'message_too_large'> {
    const { db, forwarding, limits = LIMITS } = this.#deps
    if (mail.raw.length > limits.messageBytesMax) return 'message_too_large'
    await this.#store(mail)
    forwarding?.flush()
    const { messagesMax, allBytesMax } = limits
    await makeRoom(db, 'operator_messages', { rowsMax: messagesMax, last: IS_READ, bytes: SEALED_BYTES, bytesMax: allBytesMax })
    return 'stored'
  }

  /** Newest first. When there are more than `limit`, the networks take turns, and read mail gives way. */
  async list(limit: number): Promise<OperatorMailRow[]> {
    const { db, secretBox } = this.#deps
    const listed = fairIds('operator_messages', { rowsMax: limit, last: IS_READ })
    const rows = await db.selectFrom('operator_messages').selectAll().where('id', 'in', listed).orderBy('id', 'desc').execute()
    return rows.map(row => {
      const mail = openOperatorMail(secretBox, row.sealed)
      const head = mail && { head: { recipient: mail.recipient, envelopeFrom: mail.envelopeFrom } }
      return { id: row.id, receivedAt: row.received_at, readAt: row.read_at, bytes: row.bytes, ...head }
    })
  }

  /** Marks it as read. `undefined` if there is none; `'sealed'` if it was sealed under another secret, and stays unread. */
  async read(id: number): Promise<OperatorMail | 'sealed' | undefined> {
    const { db, secretBox, clock } = this.#deps
    const row = await db.selectFrom('operator_messages').select('sealed').where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const mail = openOperatorMail(secretBox, row.sealed)
    if (!mail) return 'sealed'
    await db.updateTable('operator_messages').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
    return mail
  }

  /** Stored and queued in one transaction, and the same bytes only once, in case the sender missed our reply and sends again. */
  async #store(mail: OperatorMail): Promise<void> {
    const { db, secretBox, clock, forwarding } = this.#deps
    const sealed = sealOperatorMail(secretBox, mail)
    const row = {
      sealed,
      bytes: mail.raw.length,
      received_at: clock(),
      read_at: null,
      content_hash: operatorMailHash(secretBox, mail),
      network: networkMark(secretBox),
    }
    await db.transaction().execute(async step => {
      const isNew = await step
        .insertInto('operator_messages')
        .values(row)
        .onConflict(conflict => conflict.column('content_hash').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (isNew) await forwarding?.enqueue(forwardedMail(mail), step)
    })
  }
}

/** All that people write to the operator: mail to the service's own addresses, reports of abuse, contact messages; and the replies. */
import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Language } from '#contract/languages.ts'
import { DAY_MS, MIB } from '#contract/limits.ts'
import { type AbuseReport, abuseReportSchema, type ContactForm } from '#contract/site.ts'
import { ONE_LINE } from '#contract/text-patterns.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError, invalid } from '#server/errors.ts'
import type { OperatorMail } from '#server/mail/delivery/envelope.ts'
import { oneLine } from '#server/outbound/mail-out.ts'
import type { Forwarding, Outbox } from '#server/outbound/outbox.ts'
import type { SecretBox } from '#server/platform/cryptography.ts'
import { networksServed } from '#server/platform/limits/clients.ts'
import type { OperatorNotices } from './notices.ts'

/** In a text, line ends and tabs are allowed; other controls are not. */
const CONTROL_IN_TEXT = /[^\P{Cc}\t\n\r]/u

/** So short that it names nobody: 64 IPv4 networks share each of its values, which is fair enough to tell a flood from everybody else. */
const MARK_CHARS = 3

/** A mark of the largest network around the client that is served now, a /24 or a /48. */
function networkMark(secretBox: SecretBox): string {
  return secretBox.hash('operator-message-network', networksServed().at(-1) ?? '').slice(0, MARK_CHARS)
}

type FairTable = 'contact_messages' | 'abuse_reports' | 'operator_messages'

/** `last`: the rows that are worth least: deleted first, and listed when there is room for them. `bytes`: the size of a row. */
type Room = {
  readonly rowsMax: number
  readonly last?: RawBuilder<unknown>
  readonly bytes?: RawBuilder<unknown>
  readonly bytesMax?: number
}

/** When a table is full, the network with the most rows loses its oldest, so that a flood pushes out itself. */
async function makeRoom(db: Kysely<DatabaseSchema>, table: FairTable, room: Room): Promise<void> {
  const { rowsMax, bytes = sql`0`, bytesMax = 0 } = room
  // Nearly always there is room, and to learn this costs far less than to put all rows in order.
  const isFull = sql`select count(*) > ${rowsMax} or sum(${bytes}) > ${bytesMax} as "isFull" from ${sql.table(table)}`
  const { rows } = await sql<{ isFull: unknown }>`${isFull}`.execute(db)
  if (!rows[0]?.isFull) return
  await sql`delete from ${sql.table(table)} where id not in ${fairIds(table, room)}`.execute(db)
}

/** The ids of the rows that fit into `room` when networks take turns: first the newest row of each, then the second of each, and so on. */
function fairIds(table: FairTable, { rowsMax, last = sql`false`, bytes = sql`0`, bytesMax = 0 }: Room): RawBuilder<number> {
  const rows = sql`select id, network, ${last} as is_last, ${bytes} as size from ${sql.table(table)}`
  const turns = sql`select *, row_number() over (partition by network order by is_last, id desc) as turn from (${rows}) as all_rows`
  const order = sql`over (order by is_last, turn, id desc)`
  const placed = sql`select id, row_number() ${order} as place, sum(size) ${order} as total from (${turns}) as in_turn`
  return sql`(select id from (${placed}) as placed where place <= ${rowsMax} and total <= ${bytesMax})`
}

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

const REPORT_CONTEXT = 'abuse-report'
/** A flood must not fill the disk. Closed reports are deleted first. */
const ROOM = { rowsMax: 2000, last: sql`closed_at is not null` }

type StoredReport = {
  readonly id: number
  readonly receivedAt: number
  readonly isRead: boolean
  readonly isClosed: boolean
  /** Missing if it was sealed under another secret. */
  readonly report?: AbuseReport
}

type AbuseReportsDeps = DatabaseAccess & { readonly notices: OperatorNotices | undefined }

/** Abuse reports from third parties, sealed because they name people. */
export class AbuseReports {
  readonly #deps: AbuseReportsDeps

  constructor(deps: AbuseReportsDeps) {
    this.#deps = deps
  }

  /** Durable when it resolves, with the mail to the operator if one is sent. AppError `invalid_request` for control characters. */
  async receive(report: AbuseReport): Promise<void> {
    const { db, secretBox, clock, notices } = this.#deps
    if (!ONE_LINE.test(report.address + (report.email ?? '')) || CONTROL_IN_TEXT.test(report.message)) {
      throw invalid('Control characters are not taken.')
    }
    const row = {
      sealed: secretBox.seal(REPORT_CONTEXT, Buffer.from(JSON.stringify(report))),
      received_at: clock(),
      read_at: null,
      closed_at: null,
      network: networkMark(secretBox),
    }
    const { kind, address, email, message } = report
    const text = `Kind: ${kind}\nAddress: ${address}\nFrom: ${email ?? '-'}\n\n${message}\n`
    const told = { kind: 'abuse_report', subject: `Report of abuse: ${kind}`, text, replyTo: email } as const
    const notice = await notices?.admitReport(told, row.network)
    await db.transaction().execute(async step => {
      await step.insertInto('abuse_reports').values(row).execute()
      await notice?.mail(step)
    })
    notice?.send()
    await makeRoom(db, 'abuse_reports', ROOM)
  }

  /** Newest first, open ones before closed ones. When there are more than `limit`, the networks take turns. */
  async list(limit: number): Promise<StoredReport[]> {
    const rows = await this.#deps.db
      .selectFrom('abuse_reports')
      .selectAll()
      .where('id', 'in', fairIds('abuse_reports', { ...ROOM, rowsMax: limit }))
      .orderBy(ROOM.last)
      .orderBy('id', 'desc')
      .execute()
    return rows.map(row => ({
      id: row.id,
      receivedAt: row.received_at,
      isRead: row.read_at !== null,
      isClosed: row.closed_at !== null,
      ...this.#open(row.sealed),
    }))
  }

  /** Marks it as read. `undefined` if there is none, or it was sealed under another secret. */
  async read(id: number): Promise<AbuseReport | undefined> {
    const { db, clock } = this.#deps
    await db.updateTable('abuse_reports').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
    const row = await db.selectFrom('abuse_reports').select('sealed').where('id', '=', id).executeTakeFirst()
    return row && this.#open(row.sealed).report
  }

  /** `false` if there is none, or it is already closed. */
  async close(id: number): Promise<boolean> {
    const { db, clock } = this.#deps
    const open = db.updateTable('abuse_reports').set({ closed_at: clock() }).where('id', '=', id).where('closed_at', 'is', null)
    return (await open.returning('id').executeTakeFirst()) !== undefined
  }

  #open(sealed: Uint8Array): { report?: AbuseReport } {
    const bytes = this.#deps.secretBox.open(REPORT_CONTEXT, sealed)
    const parsed = bytes && z.safeParse(abuseReportSchema, JSON.parse(bytes.toString()))
    return parsed?.success ? { report: parsed.data } : {}
  }
}

/** A flood must not fill the disk: about 10 MB. */
const MESSAGES_MAX = 5000
export type ContactMessage = Omit<Selectable<DatabaseSchema['contact_messages']>, 'network'>

type ContactMessagesDeps = DatabaseAccess & { readonly forwarding: Forwarding | undefined }

export class ContactMessages {
  readonly #deps: ContactMessagesDeps

  constructor(deps: ContactMessagesDeps) {
    this.#deps = deps
  }

  /** Durable when it resolves; forwarded soon after if forwarding is configured. AppError `invalid_request`. */
  async receive(form: ContactForm, language: Language): Promise<void> {
    refuseControls(form)
    const { db, clock, secretBox, forwarding } = this.#deps
    // Stored and queued in one transaction: a failed request left nothing behind, so a retry creates no second message.
    await db.transaction().execute(async step => {
      const row = { ...form, language, received_at: clock(), read_at: null, forwarded_at: null, network: networkMark(secretBox) }
      const { id } = await step.insertInto('contact_messages').values(row).returning('id').executeTakeFirstOrThrow()
      await forwarding?.enqueue(forwardedForm(form, language), step, id)
    })
    forwarding?.flush()
    await makeRoom(db, 'contact_messages', { rowsMax: MESSAGES_MAX })
  }

  /** Newest first. When there are more than `limit`, the networks take turns. */
  list(limit: number): Promise<ContactMessage[]> {
    const listed = fairIds('contact_messages', { rowsMax: limit })
    return this.#deps.db.selectFrom('contact_messages').selectAll().where('id', 'in', listed).orderBy('id', 'desc').execute()
  }

  /** Marks it as read. `undefined` if there is none. */
  async read(id: number): Promise<ContactMessage | undefined> {
    const { db, clock } = this.#deps
    await db.updateTable('contact_messages').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
    return db.selectFrom('contact_messages').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Its queued copy goes with it. `false` if there is none. */
  async remove(id: number): Promise<boolean> {
    const removed = this.#deps.db.deleteFrom('contact_messages').where('id', '=', id)
    return (await removed.returning('id').executeTakeFirst()) !== undefined
  }
}

function forwardedForm(form: ContactForm, language: Language) {
  const head = `Written with the contact form, by anybody.\n\nName: ${form.name}\nE-mail: ${form.email}\nLanguage: ${language}`
  // Without these words a stranger's subject could be that of a mail about an account, which has the same sender.
  return { subject: `Contact form: ${oneLine(form.subject)}`, text: `${head}\n\n${form.message}\n`, replyTo: form.email }
}

function refuseControls(form: ContactForm): void {
  // In a one-line field they can only be header injection, or reorder what stands beside it.
  const isBad = ![form.name, form.email, form.subject].every(value => ONE_LINE.test(value)) || CONTROL_IN_TEXT.test(form.message)
  if (isBad) throw invalid('Control characters are not taken.')
}

const REPLY_GIVES_UP_AFTER_MS = 3 * DAY_MS
const SUBJECT_CHARS_MAX = 200
const answerable = z.string().check(z.maxLength(255), z.email())

export type ReplyTo = { readonly to: string; readonly subject: string }

/** The operator's replies, sent through the relay. */
export class OperatorReplies {
  readonly #outbox: Outbox
  /** Without a relay nothing can be sent from here. */
  readonly canSend: boolean
  readonly #siteName: string

  constructor(outbox: Outbox, { canSend, siteName }: { canSend: boolean; siteName: string }) {
    this.#outbox = outbox
    this.canSend = canSend
    this.#siteName = siteName
  }

  /** Durable when it resolves. AppError `unavailable` without a relay, `invalid_request` if the sender has no valid address. */
  async send({ to, subject }: ReplyTo, text: string): Promise<void> {
    if (!this.canSend) throw new AppError('unavailable', { detail: 'No relay is set: SMTP_RELAY_URL.' })
    if (!answerable.safeParse(to).success) throw invalid('The sender gave no address that can be answered.')
    const about = oneLine(subject)
      .replace(/^(?:re: *)+/i, '')
      .slice(0, SUBJECT_CHARS_MAX)
    await this.#outbox.enqueue(
      { to, subject: `Re: ${about} [${this.#siteName}]`, text: `${text}\n` },
      { givesUpAfterMs: REPLY_GIVES_UP_AFTER_MS },
    )
  }
}

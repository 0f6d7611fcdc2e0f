import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import type { Language } from '#contract/languages.ts'
import { DAY_MS } from '#contract/limits.ts'
import type { ContactForm } from '#contract/site.ts'
import { ONE_LINE } from '#contract/text-patterns.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError, invalid } from '#server/errors.ts'
import { oneLine } from '#server/outbound/mail-out.ts'
import type { Forwarding, Outbox } from '#server/outbound/outbox.ts'
import { fairIds, makeRoom, networkMark } from './fair-room.ts'

/** A flood must not fill the disk: about 10 MB. */
const MESSAGES_MAX = 5000
/** In the text, line ends and tabs are allowed; other controls are not. */
const CONTROL_IN_TEXT = /[^\P{Cc}\t\n\r]/u

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
      await forwarding?.enqueue(forwardedMail(form, language), step, id)
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

function forwardedMail(form: ContactForm, language: Language) {
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

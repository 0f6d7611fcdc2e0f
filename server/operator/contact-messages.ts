import type { Kysely, Selectable } from 'kysely'
import type { Language } from '#contract/languages.ts'
import type { ContactForm } from '#contract/site.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { type OutgoingMail, oneLine } from '#server/outbound/mail-out.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Forwarding } from './forwarding.ts'

/** If the relay is down for two weeks, the operator can still read the message with the command. */
const GIVES_UP_AFTER_MS = 14 * 86_400_000
/** A flood must not fill the disk: only the newest are kept, about 10 MB. */
const MESSAGES_MAX = 5000
/** Line ends and controls in a one-line field can only be header injection. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** In the text, line ends and tabs are allowed; other controls are not. */
const CONTROL_IN_TEXT = /[^\P{Cc}\t\n\r]/u

export type ContactMessage = Selectable<DatabaseSchema['contact_messages']>

type ContactMessagesDeps = { db: Kysely<DatabaseSchema>; clock: Clock; forwarding?: Forwarding | undefined }

/** Messages of the contact form. */
export class ContactMessages {
  readonly #deps: ContactMessagesDeps

  constructor(deps: ContactMessagesDeps) {
    this.#deps = deps
  }

  /** Durable when it resolves; forwarded soon after if forwarding is configured. AppError `invalid_request`. */
  async receive(form: ContactForm, language: Language): Promise<void> {
    refuseControls(form)
    const { db, clock, forwarding } = this.#deps
    // Stored and queued in one transaction: a failed request left nothing behind, so a retry creates no second message.
    const newest = await db.transaction().execute(async step => {
      const row = { ...form, language, received_at: clock(), read_at: null, forwarded_at: null }
      const { id } = await step.insertInto('contact_messages').values(row).returning('id').executeTakeFirstOrThrow()
      if (forwarding) {
        const options = { givesUpAfterMs: GIVES_UP_AFTER_MS, contactMessageId: id }
        await forwarding.outbox.enqueue(forwardingMail(form, language, forwarding), options, step)
      }
      return id
    })
    void forwarding?.outbox.flush()
    await db
      .deleteFrom('contact_messages')
      .where('id', '<=', newest - MESSAGES_MAX)
      .execute()
  }

  /** Newest first. */
  list(limit: number): Promise<ContactMessage[]> {
    return this.#deps.db.selectFrom('contact_messages').selectAll().orderBy('id', 'desc').limit(limit).execute()
  }

  /** Marks it as read. `undefined` if there is none. */
  async read(id: number): Promise<ContactMessage | undefined> {
    const { db, clock } = this.#deps
    await db.updateTable('contact_messages').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
    return db.selectFrom('contact_messages').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Also deletes its queued copy. `false` if there is none. */
  remove(id: number): Promise<boolean> {
    return this.#deps.db.transaction().execute(async step => {
      await step.deleteFrom('outbox').where('contact_message_id', '=', id).execute()
      return (await step.deleteFrom('contact_messages').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
    })
  }
}

function forwardingMail(form: ContactForm, language: Language, { to, siteName }: Forwarding): OutgoingMail {
  const text = `Name: ${form.name}\nE-mail: ${form.email}\nLanguage: ${language}\n\n${form.message}\n`
  return { to, subject: `[${siteName}] ${oneLine(form.subject)}`, text, replyTo: form.email }
}

function refuseControls(form: ContactForm): void {
  const isBad = [form.name, form.email, form.subject].some(value => CONTROL.test(value)) || CONTROL_IN_TEXT.test(form.message)
  if (isBad) throw new AppError('invalid_request', { detail: 'Control characters are not taken.' })
}

import type { Kysely, Selectable } from 'kysely'
import type { Language } from '#contract/limits.ts'
import type { ContactForm } from '#contract/site.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { OutgoingMail } from '#server/mail-out/mail-out.ts'
import { oneLine } from '#server/mail-out/one-line.ts'
import type { Outbox } from './outbox.ts'

/** After two weeks of a relay that is down, the operator reads the message with the command instead. */
const GIVES_UP_AFTER_MS = 14 * 86_400_000
/** A flood is kept from filling the disk; the newest are kept. About 10 MB. */
const MESSAGES_MAX = 5000
/** Line ends and controls in a one-line field can only be an attempt at header injection (case W29). */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** In the text, line ends and tabs are the writer's; other controls are not. */
const CONTROL_IN_TEXT = /[^\P{Cc}\t\n\r]/u

export type ContactMessage = Selectable<SiteSchema['contact_messages']>

export interface ContactMessages {
  /** Durable when it resolves; forwarded soon after when a relay and an operator's address are configured. AppError `invalid_request`. */
  receive(form: ContactForm, language: Language): Promise<void>
  /** Newest first, without the text of the message being marked as read. */
  list(limit: number): Promise<ContactMessage[]>
  /** Marks it as read. `undefined` when there is none. */
  read(id: number): Promise<ContactMessage | undefined>
}

type Parts = { db: Kysely<SiteSchema>; clock: Clock; outbox: Outbox; forwardTo: string | undefined; siteName: string }

export function createContactMessages({ db, clock, outbox, forwardTo, siteName }: Parts): ContactMessages {
  function letterOf(form: ContactForm, language: Language, to: string): OutgoingMail {
    const text = `Name: ${form.name}\nE-mail: ${form.email}\nLanguage: ${language}\n\n${form.message}\n`
    return { to, subject: `[${siteName}] ${oneLine(form.subject)}`, text, replyTo: form.email }
  }

  return {
    async receive(form, language) {
      refuseControls(form)
      // Stored and queued in one step: what is answered with a failure left nothing behind, so trying again makes no second message.
      const newest = await db.transaction().execute(async step => {
        const row = { ...form, language, received_at: clock(), read_at: null, forwarded_at: null }
        const { id } = await step.insertInto('contact_messages').values(row).returning('id').executeTakeFirstOrThrow()
        if (forwardTo !== undefined) {
          await outbox.enqueue(letterOf(form, language, forwardTo), { givesUpAfterMs: GIVES_UP_AFTER_MS, contactMessageId: id }, step)
        }
        return id
      })
      void outbox.flush()
      await db
        .deleteFrom('contact_messages')
        .where('id', '<=', newest - MESSAGES_MAX)
        .execute()
    },

    list: limit => db.selectFrom('contact_messages').selectAll().orderBy('id', 'desc').limit(limit).execute(),

    async read(id) {
      await db.updateTable('contact_messages').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
      return db.selectFrom('contact_messages').selectAll().where('id', '=', id).executeTakeFirst()
    },
  }
}

function refuseControls(form: ContactForm): void {
  const isBad = [form.name, form.email, form.subject].some(value => CONTROL.test(value)) || CONTROL_IN_TEXT.test(form.message)
  if (isBad) throw new AppError('invalid_request', { detail: 'Control characters are not taken.' })
}

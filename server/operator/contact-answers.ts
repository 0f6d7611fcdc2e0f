import * as z from 'zod/mini'
import { AppError } from '#server/errors.ts'
import { oneLine } from '#server/outbound/mail-out.ts'
import type { Outbox } from '#server/outbound/outbox.ts'

const GIVES_UP_AFTER_MS = 3 * 86_400_000
const SUBJECT_CHARS_MAX = 200
const address = z.string().check(z.maxLength(255), z.email())

export type ReplyTo = { readonly to: string; readonly subject: string }

/** The operator's replies, sent through the relay. */
export class ContactAnswers {
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
    if (!address.safeParse(to).success)
      throw new AppError('invalid_request', { detail: 'The sender gave no address that can be answered.' })
    const about = oneLine(subject)
      .replace(/^(?:re: *)+/i, '')
      .slice(0, SUBJECT_CHARS_MAX)
    await this.#outbox.enqueue(
      { to, subject: `Re: ${about} [${this.#siteName}]`, text: `${text}\n` },
      { givesUpAfterMs: GIVES_UP_AFTER_MS },
    )
  }
}

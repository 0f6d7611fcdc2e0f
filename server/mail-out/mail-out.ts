/** Mail that leaves the house: confirmation and reset links, contact messages and operator mail on their way to the operator. */

/** Every field is plain text of ours or of a stranger; an adapter must never read it as a file name, URL or header line. */
export type OutgoingMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
  /** One valid address, or left out. */
  readonly replyTo?: string | undefined
  /** The link the mail exists for. Without a relay it is printed for the operator, and nothing else of the mail. */
  readonly link?: string | undefined
  /** A whole mail handed on, byte for byte, as `message/rfc822`. */
  readonly enclosed?: Uint8Array | undefined
}

export interface MailOut extends AsyncDisposable {
  /** Resolves when the relay has taken the mail over. Rejects when it has not: the caller keeps the mail and tries again. */
  send(mail: OutgoingMail): Promise<void>
}

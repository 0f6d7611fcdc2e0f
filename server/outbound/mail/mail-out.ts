/** Outgoing mail: confirmation and reset links, contact messages, and mail forwarded to the operator. */

/** Every field is plain text, some of it untrusted. An adapter must never read one as a file name, URL or header line. */
export type OutgoingMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
  /** One valid address. */
  readonly replyTo?: string | undefined
  /** The link that the mail is for. Without a relay it is printed for the operator, and nothing else of the mail. */
  readonly link?: string | undefined
  /** A forwarded mail, byte for byte, as `message/rfc822`. */
  readonly enclosed?: Uint8Array | undefined
}

export interface MailOut extends AsyncDisposable {
  /** Resolves when the relay has accepted the mail. Otherwise rejects, and the caller keeps the mail and tries again. */
  send(mail: OutgoingMail): Promise<void>
}

/** Who a mail is for and where it comes from, and the events of its arrival. */
import type { PlannedFailure } from '#contract/mailbox.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'

/** Who a message is for, as found at RCPT. `address` is the spelling used there. */
export type Recipient =
  | {
      readonly kind: 'mailbox'
      readonly address: string
      /** The name of our domain that takes its mail. */
      readonly domain: string
      readonly mailboxId: MailboxId
      readonly publicKey: Uint8Array
      /** Milliseconds since the epoch, both. A later mailbox of the same name has another `createdAt`; `expiresAt` may be later by now. */
      readonly createdAt: number
      readonly expiresAt: number
      readonly failure?: PlannedFailure | undefined
    }
  /** `normalised`: the address without its tag, in a canonical spelling. */
  | { readonly kind: 'operator'; readonly address: string; readonly normalised: string }

/** The SMTP envelope and what is known about the connection. */
export type Envelope = {
  /** Reverse path; empty for `MAIL FROM:<>`. */
  readonly from: string
  readonly recipients: readonly Recipient[]
  readonly clientAddress: string
  /** The EHLO name as the client gave it: untrusted. */
  readonly helo: string
  readonly isEncrypted: boolean
}

/** Mail to the operator. `recipient` is the normalised address that makes it the operator's. */
export type OperatorMail = { readonly recipient: string; readonly envelopeFrom: string; readonly raw: Uint8Array }

/** The event that a message arrives, before it is stored. `receivedAt`: milliseconds since the epoch. */
export type Arrival = {
  readonly mailboxId: MailboxId
  readonly messageId: MessageId
  readonly receivedAt: number
  readonly envelopeTo: readonly string[]
}

/** To be called with the outcome; not called if the outcome is unknown, as after a store that failed in the middle. */
export type SettleArrival = (isStored: boolean) => void

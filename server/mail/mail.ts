/**
 * What the core offers to its edges (SMTP, HTTP, accounts, commands). The edges know sockets and codes; the core knows neither.
 * Implemented by `createMail` in this room; wired in server/app.ts only.
 */
import type { Delivery, MessageSummary, ParseStatus } from '#contract/mailbox.ts'
import type { FailureCode, mailFailures } from '#server/errors.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'

/** Who a message is for, as found at RCPT. `address` is as it was given there. */
export type Recipient =
  | {
      readonly kind: 'mailbox'
      readonly address: string
      readonly mailboxId: MailboxId
      readonly publicKey: Uint8Array
      /** Milliseconds since the epoch; the name is not given to another mailbox before. */
      readonly expiresAt: number
    }
  /** `normalised`: the address it is filed under, without tag and in one spelling. */
  | { readonly kind: 'operator'; readonly address: string; readonly normalised: string }

/** The SMTP envelope and what is known of the connection. */
export type Envelope = {
  /** Reverse path; empty for `MAIL FROM:<>`. */
  readonly from: string
  readonly recipients: readonly Recipient[]
  readonly clientAddress: string
  /** The EHLO name, as the peer gave it: hostile. */
  readonly helo: string
  readonly secure: boolean
}

export type MailFailure =
  | keyof typeof mailFailures
  | Extract<FailureCode, 'mailbox_not_found' | 'domain_not_served' | 'storage_full' | 'unavailable'>

/** Opens one mailbox; made only from its token, held only as long as a request. Never log it, never store it. */
export type OpenMailbox = {
  readonly mailboxId: MailboxId
  readonly email: string
  /** Milliseconds since the epoch, both. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly privateKey: Uint8Array
}

/** Who reads. Omitted: the server itself; only the mailbox's own limit applies. */
export type Reader = {
  /** What shares are counted by: see `HttpEnv`. */
  readonly network?: string
  /** Aborts when nobody waits for the result any more. */
  readonly signal?: AbortSignal
}

export type NewAddress = {
  /** Whose share of the disk its mail counts in when room gets low: a network or an account. */
  readonly creator?: string | undefined
  /** One of the configured domains; the first when left out. Else AppError `domain_not_served`. */
  readonly domain?: string | undefined
  /** Pro only. AppError `local_part_reserved` or `local_part_taken`. */
  readonly localPart?: string | undefined
  readonly lifetimeSeconds: number
}

/** The bytes of one attachment, made safe to send. */
export type AttachmentBytes = { readonly filename: string; readonly contentType: string; readonly bytes: Uint8Array }

/** Parts of a message that only the whole message holds; both match as case-insensitive substrings. */
export type MessageFilter = {
  /** A recipient of `To` or `Cc`, e.g. `box+signup@`. */
  readonly to?: string | undefined
  /** The text, or the HTML where there is no text. */
  readonly body?: string | undefined
}

/** Opens one attachment without the token until `expiresAt`, milliseconds since the epoch. URL-safe. */
export type AttachmentCapability = { readonly capability: string; readonly expiresAt: number }

/** What happened after a cursor, as the owner may see it. */
export type MailboxChange =
  | { readonly type: 'message'; readonly cursor: number; readonly message: MessageSummary }
  | { readonly type: 'removed'; readonly cursor: number; readonly id: MessageId }

/** What `changesSince` gives at once: whoever reads slowly keeps no more than this in memory. */
export const CHANGES_PER_STEP = 25

export interface Mail extends AsyncDisposable {
  createAddress(request: NewAddress): Promise<{ mailboxId: MailboxId; email: string; token: string; createdAt: number; expiresAt: number }>
  /** `undefined` for a wrong, an expired and a never-issued token alike. */
  openMailbox(token: string): Promise<OpenMailbox | undefined>
  /** Of several at once one gets `true`: for the others it was gone already. */
  destroyMailbox(mailbox: Pick<OpenMailbox, 'mailboxId'>): Promise<boolean>

  /** For the operator: ends a mailbox by its address. `undefined` when no live mailbox has it. */
  destroyAddress(address: string): Promise<MailboxId | undefined>

  /** At RCPT: who mail for this address is for. The same failure for an address that never was and an expired one. */
  checkRecipient(address: string): Promise<Recipient | MailFailure>
  /** After the final dot. `'delivered'` only when every recipient's copy is durable. */
  receive(envelope: Envelope, raw: Uint8Array): Promise<'delivered' | MailFailure>

  /** All live messages, newest first, and the cursor after them. `undefined` when the mailbox is gone. */
  listMessages(mailbox: OpenMailbox, reader?: Reader): Promise<{ messages: MessageSummary[]; cursor: number } | undefined>
  /** At most `CHANGES_PER_STEP` changes after `cursor`, oldest first; fewer are all there are. `undefined` when the mailbox is gone. */
  changesSince(mailbox: OpenMailbox, cursor: number, reader?: Reader): Promise<MailboxChange[] | undefined>
  watch(mailboxId: MailboxId, signal: AbortSignal): AsyncIterable<void>
  /** Tells those who look at these mailboxes right now what the mail port sees for them. */
  tellDelivery(recipients: readonly Recipient[], delivery: Delivery): void
  /** Calls `onDelivery` with what the mail port sees for this mailbox, until `signal` aborts. */
  watchDeliveries(mailboxId: MailboxId, onDelivery: (delivery: Delivery) => void, signal: AbortSignal): void
  /**
   * Everything is read in turns, of the mailbox and of the network; a reader who disconnects gives up a turn that has not come yet.
   * AppError `rate_limited` when too many of one mailbox wait.
   * Gives `Message` of contract/mailbox.ts as JSON: one of many megabytes is never an object on the main thread.
   */
  readMessage(mailbox: OpenMailbox, id: string, reader?: Reader): Promise<Uint8Array | undefined>
  /** The same when the message matches, else `undefined`. `size` as its row has it: a small one need not wait behind large ones. */
  readMatchingMessage(
    mailbox: OpenMailbox,
    message: Pick<MessageSummary, 'id' | 'size'>,
    filter: MessageFilter,
    reader?: Reader,
  ): Promise<Uint8Array | undefined>
  /** The message, byte for byte what arrived. */
  readRaw(mailbox: OpenMailbox, id: string, reader?: Reader): Promise<Uint8Array | undefined>
  readAttachment(mailbox: OpenMailbox, id: string, index: number, reader?: Reader): Promise<AttachmentBytes | undefined>
  removeMessage(mailbox: OpenMailbox, id: string): Promise<boolean>

  /** A capability for one attachment that holds no token: sealed under the server's secret, dead after 60 s or with the mailbox. */
  createAttachmentLink(mailbox: OpenMailbox, id: string, index: number, reader?: Reader): Promise<AttachmentCapability | undefined>
  openAttachmentLink(capability: string, reader?: Reader): Promise<AttachmentBytes | undefined>
}

export type { ParseStatus }

/**
 * The interface of the mail core for SMTP, HTTP, accounts and commands. The core knows neither sockets nor status codes. `createMailCore`
 * implements it; server/app.ts wires it.
 */
import type { DeliveryProgress, MessageSummary, PlannedFailure } from '#contract/mailbox.ts'
import type { AttachmentBytes, PlainText } from '#reader/read-mail.ts'
import type { MailFailure } from '#server/errors.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import type { MessageCondition } from './message/message-condition.ts'

/** Who a message is for, as found at RCPT. `address` is the spelling used there. */
export type Recipient =
  | {
      readonly kind: 'mailbox'
      readonly address: string
      /** The name of our domain that takes its mail. */
      readonly domain: string
      readonly mailboxId: MailboxId
      readonly publicKey: Uint8Array
      /** Milliseconds since the epoch; until then no other mailbox gets the name. */
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

/** Opens one mailbox. Created only from its token and kept only for one request. Never log it, never store it. */
export type OpenMailbox = {
  readonly mailboxId: MailboxId
  readonly email: string
  /** Milliseconds since the epoch, both. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly privateKey: Uint8Array
}

/** Who reads. */
export type Reader = {
  /** Whose shares it uses. */
  readonly networks: Holder
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal
}

export type NewAddress = {
  /** Whose share of the disk its mail counts against when space is low: an account, or a visitor's networks. */
  readonly creator?: Holder | undefined
  /** One of those offered, by default the first. Otherwise AppError `domain_not_served`. See `MailDomains`. */
  readonly domain?: string | undefined
  /** Without `domain`: the one offered after this one. */
  readonly insteadOf?: string | undefined
  /** Pro only. AppError `local_part_reserved` or `local_part_taken`. */
  readonly localPart?: string | undefined
  readonly lifetimeSeconds: number
  readonly failure?: PlannedFailure | undefined
}

/** Times are milliseconds since the epoch. */
export type CreatedAddress = {
  readonly mailboxId: MailboxId
  readonly email: string
  readonly token: string
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * Called before these are created, so that whoever has to destroy them knows them first; what it rejects with ends the creation. Called
 * again with other addresses for those that could not be created.
 */
export type ReserveAddresses = (drafts: readonly CreatedAddress[]) => Promise<void>

/** A change after a cursor, decrypted for the owner. */
export type MailboxChange =
  | { readonly type: 'message'; readonly cursor: number; readonly message: MessageSummary }
  | { readonly type: 'removed'; readonly cursor: number; readonly id: MessageId }

export type ChangesStep = { readonly changes: readonly MailboxChange[]; readonly cursor: number; readonly isMore: boolean }

/** `message`: JSON, as `readMessage` returns it, if one matched. Otherwise the search goes on after `cursor`. */
export type FoundMessage = { readonly message?: Uint8Array | undefined; readonly cursor: number }

export interface MailCore extends AsyncDisposable {
  createAddress(request: NewAddress): Promise<CreatedAddress>
  /** Resolves to all of them. When it rejects, some of those that were reserved may exist. */
  createAddresses(request: NewAddress, count: number, reserve?: ReserveAddresses): Promise<CreatedAddress[]>
  /** `undefined` for a wrong, an expired and a never-issued token alike. */
  openMailbox(token: string): Promise<OpenMailbox | undefined>
  /** Of several simultaneous calls one resolves to `true`. */
  destroyMailbox(mailbox: Pick<OpenMailbox, 'mailboxId'>): Promise<boolean>
  /**
   * Destroys it; one that does not exist yet cannot be created any more by a request under way. Leaves a mailbox of somebody else with this
   * name. No listener is told: the caller removes what lists it.
   */
  destroyForGood(mailbox: Omit<CreatedAddress, 'email' | 'token'>): Promise<'destroyed' | 'absent' | 'of_another'>
  /** Asks the store, so it knows of a destruction by any process. */
  isLive(mailboxId: MailboxId): Promise<boolean>

  /** For the operator: destroys a mailbox by its address. `undefined` if no live mailbox has it. */
  destroyAddress(address: string): Promise<MailboxId | undefined>

  /** Called at RCPT: finds the recipient of an address. An address that never existed and an expired one fail in the same way. */
  checkRecipient(address: string): Promise<Recipient | MailFailure>
  /** Called after the final dot. `'delivered'` only when every recipient's copy is durable. */
  receive(envelope: Envelope, raw: Uint8Array): Promise<'delivered' | MailFailure>
  /** Whether mail was refused with `unavailable` in the last 30 seconds because storing it failed. */
  isRefusing(): boolean
  /** A mail to the operator as plain text, read in a mail thread. Of one that cannot be parsed, the text as it is. */
  plainText(raw: Uint8Array, envelopeFrom: string): Promise<PlainText>

  /** All live messages, newest first, and the cursor after them. `undefined` when the mailbox is gone. */
  listMessages(mailbox: OpenMailbox, reader: Reader): Promise<{ messages: MessageSummary[]; cursor: number } | undefined>
  /**
   * Some changes after `cursor`, oldest first, without messages that cannot be decrypted, and the cursor after them. `isMore`: there may be
   * others. `undefined` when the mailbox is gone.
   */
  changesSince(mailbox: OpenMailbox, cursor: number, reader: Reader): Promise<ChangesStep | undefined>
  watch(mailboxId: MailboxId, signal: AbortSignal): AsyncIterable<void>
  /** Tells readers who have these mailboxes open what the SMTP server is doing for them. */
  publishDeliveryProgress(recipients: readonly Recipient[], progress: DeliveryProgress): void
  /** The same for what is meant for no mailbox yet: to readers of `watchLocalProgress`. */
  publishLocalProgress(progress: DeliveryProgress): void
  /** Calls `onProgress` with what fails for clients of this machine and of private networks, until `signal` aborts. This process only. */
  watchLocalProgress(onProgress: (progress: DeliveryProgress) => void, signal: AbortSignal): void
  /** Calls `onProgress` with what the SMTP server is doing for this mailbox, until `signal` aborts. */
  watchDeliveryProgress(mailboxId: MailboxId, onProgress: (progress: DeliveryProgress) => void, signal: AbortSignal): void

  /**
   * Reads wait in a queue per mailbox and per network; a reader who disconnects leaves it. AppError `rate_limited` if too many of one
   * mailbox wait. Returns `Message` of contract/mailbox.ts as JSON, so that one of many megabytes is never an object on the main thread.
   */
  readMessage(mailbox: OpenMailbox, id: string, reader: Reader): Promise<Uint8Array | undefined>
  /** The first message that matches among the next changes after `cursor`. `undefined` when the mailbox is gone. */
  findMessage(mailbox: OpenMailbox, cursor: number, condition: MessageCondition, reader: Reader): Promise<FoundMessage | undefined>
  /** The message, byte for byte what arrived. */
  readRaw(mailbox: OpenMailbox, id: string, reader: Reader): Promise<Uint8Array | undefined>
  deleteMessage(mailbox: OpenMailbox, id: string): Promise<boolean>

  readAttachment(mailbox: OpenMailbox, id: string, index: number, reader: Reader): Promise<AttachmentBytes | undefined>
  /**
   * `link` opens one attachment without the token. It is URL-safe, encrypted under the server's secret, and works for 60 s, until
   * `expiresAt` (milliseconds since the epoch), or until the mailbox expires.
   */
  createAttachmentLink(
    mailbox: OpenMailbox,
    id: string,
    index: number,
    reader: Reader,
  ): Promise<{ link: string; expiresAt: number } | undefined>
  openAttachmentLink(link: string, reader: Reader): Promise<AttachmentBytes | undefined>
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

/** Learns of new mail and destroyed mailboxes, for webhooks and notifications. */
export interface MailListener {
  /** Whether `enqueueArrival` does anything now. */
  readonly mayEnqueueArrivals: boolean
  /**
   * Records the event for webhooks before the message is stored, so that it is not lost if the process is killed right after. The sender
   * waits for the promise, but not for what settling it does.
   */
  enqueueArrival(arrival: Arrival): Promise<SettleArrival | undefined> | undefined
  /** Called for each message that was stored in a mailbox. Returns at once; nobody waits for its work. */
  mailStored(mailboxId: MailboxId): void
  /**
   * Called for each mailbox that was destroyed before it expired, whoever did it. Resolves when nothing lists it any more; a failure is
   * only logged.
   */
  mailboxDestroyed(mailboxId: MailboxId): Promise<void>
}

/** Receives mail to the operator. Resolves to `'stored'` when it is durable; rejects with AppError when it cannot be stored now. */
export type OperatorMailReceiver = { receive(mail: OperatorMail): Promise<'stored' | 'message_too_large'> }

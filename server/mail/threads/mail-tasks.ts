/**
 * The jobs of the mail threads: everything that parses, encrypts or decrypts a message. Each takes plain arguments and byte arrays, and
 * returns a plain value and byte arrays in pieces. Each byte array has a name, and is passed in shared memory (see
 * server/platform/threads/).
 */
import { hash } from 'node:crypto'
import type { Authentication, Message, MessageList, MessageSummary } from '#contract/mailbox.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { type AttachmentHead, attachmentAt, type PlainText, readPlainText, unparsedText } from '#reader/read-mail.ts'
import { summarise, unparsedSummary } from '#reader/summary.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { TaskResult } from '#server/platform/threads/batch.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { type OwnSite, siteClaim } from '../authentication/sender-verdict.ts'
import { isUnsigned, NO_AUTHORS, type ShownAuthors, shownAuthors } from '../authentication/shown-authors.ts'
import type { HeldResults } from '../authentication/unsigned-results.ts'
import type { AttachmentKey } from '../keys/attachment-link.ts'
import {
  type BoundTo,
  importSealingKey,
  type Opener,
  Openers,
  openSealed,
  openWithMessageKey,
  type SealingKey,
  SenderContexts,
  sealAuthentication,
  sealMessage,
} from '../keys/seal.ts'
import { deriveMessageId } from '../keys/secret.ts'
import { toMessage, toMessageSummary, toShownSummary, unparsedMessage } from '../message/message.ts'
import {
  type ContentCondition,
  type MessageCondition,
  matchesContent,
  matchesRow,
  type RowCondition,
} from '../message/message-condition.ts'
import {
  decodeAuthentication,
  decodeSummary,
  encodeAuthentication,
  encodeSummary,
  type ShownSummary,
  type StoredRow,
  type StoredSummary,
} from '../message/stored-summary.ts'

/** Imported public keys that are cached: importing one takes 20 of the 100 µs that sealing takes. */
const SEALING_KEYS_KEPT_MAX = 1000

type Raw = readonly [{ readonly raw: Uint8Array }]
type SealedRaw = readonly [{ readonly sealedRaw: Uint8Array }]
type SealedRow = { readonly sealedSummary: Uint8Array; readonly sealedAuthentication?: Uint8Array | undefined }
type SealedRowAndRaw = SealedRow & { readonly sealedRaw: Uint8Array }
type OpenedRow = ReturnType<typeof openRow>
type Owner = { readonly mailboxId: MailboxId; readonly privateKey: Uint8Array }
/** `shown`: what its readers will see, if they are connected, without what differs in each copy. */
type Sealed = {
  readonly messageIds: readonly MessageId[]
  readonly prepared: Prepared | undefined
  readonly shown: ShownSummary | undefined
  readonly sender: SenderOfMail
}
/** `results`: those that are sealed with the message. `isUnsigned`: they depend on the authors and the connection alone. */
export type SenderOfMail = { readonly results?: Authentication | undefined; readonly authors: ShownAuthors; readonly isUnsigned: boolean }
type RecipientKey = { readonly mailboxId: MailboxId; readonly publicKey: Uint8Array }
/** `envelopeTo`: its addresses in the envelope. Nobody else's copy names them. */
type CopyRecipient = RecipientKey & { readonly envelopeTo: readonly string[] }

type Parsing = {
  /** Set when the parser failed on the message before: only what needs no parser is returned. */
  readonly isUnparsed?: boolean
}
/** What is the same for every recipient of a mail, so that it is computed only once. */
export type Prepared = { readonly digest: Uint8Array; readonly read?: MailRead | undefined }
type MailRead = Omit<SenderOfMail, 'results'> & { readonly summary: StoredSummary }
export type SealArgs = Parsing & {
  readonly recipients: readonly CopyRecipient[]
  readonly envelopeFrom: string
  /** Without it, nobody says that they are this site. */
  readonly site?: OwnSite | undefined
  readonly prepared?: Prepared | undefined
  /** For each recipient, if the message is large. */
  readonly memories?: readonly SharedArrayBuffer[] | undefined
  /** More groups of recipients follow, so return `prepared`. */
  readonly isMore?: boolean
  /** What `Authenticator.held` knows about the mail's connection. */
  readonly heldResults?: readonly HeldResults[] | undefined
  /** A reader of a recipient is connected, so return `shown`. */
  readonly isWatched?: boolean
}
type ReadArgs = Parsing & { readonly owner: Owner; readonly row: StoredRow; readonly filter: ContentCondition }
/**
 * `unreadable`: how many rows could not be decrypted. `isInterrupted`: a message cost the thread of the first attempt. The caller then
 * reads them one by one, so that only the guilty one stays unparsed.
 */
type Search = { readonly unreadable: number; readonly isInterrupted: boolean }
type FindArgs = Parsing & { readonly owner: Owner; readonly rows: readonly (StoredRow & Parsing)[]; readonly condition: MessageCondition }
/** `rows`: newest first. `cursor`: the mailbox's, after all of them. */
type ListArgs = {
  readonly owner: Owner
  readonly rows: readonly StoredRow[]
  readonly cursor: number
  readonly condition: RowCondition
  readonly limit: number
}
type AuthenticationArgs = { readonly recipient: RecipientKey; readonly messageId: MessageId; readonly authentication: Authentication }

const openers = new Openers()

/** In place of bytes that a task must have. */
function throwMissing(): never {
  throw new Error('bytes are missing from the task')
}

export type MailTasks = ReturnType<typeof createMailTasks>

export function createMailTasks(messageIdKey: Uint8Array) {
  const sealingKeys = new BoundedMap<string, SealingKey>(SEALING_KEYS_KEPT_MAX)
  const senders = new SenderContexts()

  function getSealingKey(publicKey: Uint8Array): SealingKey {
    const name = Buffer.from(publicKey).toString('latin1')
    const known = sealingKeys.get(name)
    if (known) return known
    const imported = importSealingKey(publicKey)
    sealingKeys.set(name, imported)
    return imported
  }

  return {
    /** Bytes out: one copy for each recipient. */
    seal(
      { recipients, envelopeFrom, site, prepared, memories, isMore, heldResults, isWatched, isUnparsed }: SealArgs,
      [{ raw }]: Raw,
    ): TaskResult<Sealed, 'sealedSummary' | 'sealedRaw'> {
      const digest = prepared?.digest ?? hashMessage(raw)
      const read: MailRead = prepared?.read ?? (isUnparsed ? readNothing(raw, envelopeFrom) : readMail(raw, envelopeFrom, site))
      const { summary: _, ...sender } = read
      const isHeld = sender.isUnsigned && !sender.authors.areSeveral
      const results = isHeld ? heldResults?.find(({ author }) => author === sender.authors.author)?.results : undefined
      const summary = results ? { ...read.summary, authentication: results } : read.summary
      const copies = recipients.map(({ mailboxId, publicKey, envelopeTo }, i) => {
        const messageId = deriveMessageId(messageIdKey, mailboxId, digest)
        const options = { senderFor: senders.senderFor, memory: memories?.[i] }
        const own = encodeSummary({ ...summary, envelopeTo: [...envelopeTo] })
        return { messageId, sealed: sealMessage(getSealingKey(publicKey), { mailboxId, messageId }, own, raw, options) }
      })
      const value = {
        messageIds: copies.map(({ messageId }) => messageId),
        prepared: isMore ? { digest, read } : undefined,
        shown: isWatched ? toShownSummary(decodeSummary(encodeSummary(summary))) : undefined,
        sender: { ...sender, results },
      }
      return { value, bytes: copies.map(({ sealed: [sealedSummary, sealedRaw] }) => ({ sealedSummary, sealedRaw })) }
    },

    digest(_args: Parsing, [{ raw }]: Raw): TaskResult<Uint8Array> {
      return { value: hashMessage(raw) }
    },

    list,
    summaries,
    firstMatch,
    message,

    raw({ owner, messageId }: { owner: Owner; messageId: MessageId }, [{ sealedRaw }]: SealedRaw): TaskResult<undefined, 'raw'> {
      const raw = openSealed(openers.openerFor(owner.privateKey), 'raw', { mailboxId: owner.mailboxId, messageId }, sealedRaw)
      return { value: undefined, bytes: [{ raw: [raw] }] }
    },

    attachment(
      { mailboxId, messageId, messageKey, index, isUnparsed }: AttachmentKey & Parsing,
      [{ sealedRaw }]: SealedRaw,
    ): TaskResult<AttachmentHead | undefined, 'content'> {
      if (isUnparsed) return { value: undefined }
      const raw = openWithMessageKey(messageKey, 'raw', { mailboxId, messageId }, sealedRaw)
      const found = attachmentAt(raw, index)
      if (!found) return { value: undefined }
      const { bytes, ...head } = found
      return { value: head, bytes: [{ content: [bytes] }], freeable: raw }
    },

    /** This is a mail to the operator: no part of it is ever markup on the operator's page, and strangers write to postmaster. */
    plainText({ envelopeFrom, isUnparsed }: Parsing & { readonly envelopeFrom: string }, [{ raw }]: Raw): TaskResult<PlainText> {
      return { value: isUnparsed ? unparsedText(raw, envelopeFrom) : readPlainText(raw, envelopeFrom) }
    },

    sealAuthentication({
      recipient: { mailboxId, publicKey },
      messageId,
      authentication,
    }: AuthenticationArgs): TaskResult<undefined, 'sealedAuthentication'> {
      const sealedAuthentication = sealAuthentication(
        getSealingKey(publicKey),
        { mailboxId, messageId },
        encodeAuthentication(authentication),
        senders.senderFor,
      )
      return { value: undefined, bytes: [{ sealedAuthentication }] }
    },
  }
}

/** Bytes out: `Message` as JSON, or nothing if it does not match. */
function message({ owner, row, filter, isUnparsed }: ReadArgs, [sealed]: readonly [SealedRowAndRaw]): TaskResult<undefined, 'json'> {
  const keys = openers.openerFor(owner.privateKey)
  const opened = openRow(keys, owner, row, sealed)
  const raw = openSealed(keys, 'raw', { mailboxId: owner.mailboxId, messageId: row.messageId }, sealed.sealedRaw)
  const json = toMatchingJson(opened, raw, filter, isUnparsed)
  return { value: undefined, bytes: json ? [{ json: [json] }] : [], freeable: raw }
}

/**
 * Bytes out: the first message that matches, as `message` returns it, or nothing. Rows that do not match cost no more than their summary.
 */
function firstMatch(
  { owner, rows, condition, isUnparsed = false }: FindArgs,
  sealed: readonly SealedRowAndRaw[],
): TaskResult<Search, 'json'> {
  if (isUnparsed) return { value: { unreadable: 0, isInterrupted: true } }
  const keys = openers.openerFor(owner.privateKey)
  let unreadable = 0
  for (const [i, row] of rows.entries()) {
    const message = sealed[i] ?? throwMissing()
    const opened = openReadableRow(keys, owner, row, message)
    if (!opened) unreadable += 1
    if (!opened || !matchesRow(opened.summary, condition)) continue
    const raw = openSealed(keys, 'raw', { mailboxId: owner.mailboxId, messageId: row.messageId }, message.sealedRaw)
    const json = toMatchingJson(opened, raw, condition, row.isUnparsed)
    if (json) return { value: { unreadable, isInterrupted: false }, bytes: [{ json: [json] }], freeable: raw }
  }
  return { value: { unreadable, isInterrupted: false }, bytes: [] }
}

/** A row that cannot be decrypted is left out, so that it does not take the others with it. */
function summaries(
  { owner, rows }: { owner: Owner; rows: readonly StoredRow[] },
  sealed: readonly SealedRow[],
): TaskResult<MessageSummary[]> {
  const keys = openers.openerFor(owner.privateKey)
  const value = rows.flatMap((row, i) => {
    const opened = openReadableRow(keys, owner, row, sealed[i] ?? throwMissing())
    return opened ? [opened.summary] : []
  })
  return { value }
}

/** Bytes out: `MessageList` as JSON, with at most `limit` rows that match. `value` counts rows before the last that do not open. */
function list({ owner, rows, cursor, condition, limit }: ListArgs, sealed: readonly SealedRow[]): TaskResult<number, 'json'> {
  const keys = openers.openerFor(owner.privateKey)
  const messages: MessageSummary[] = []
  let unreadable = 0
  for (const [i, row] of rows.entries()) {
    if (messages.length === limit) break
    const opened = openReadableRow(keys, owner, row, sealed[i] ?? throwMissing())
    if (!opened) unreadable += 1
    else if (matchesRow(opened.summary, condition)) messages.push(opened.summary)
  }
  return { value: unreadable, bytes: [{ json: [Buffer.from(JSON.stringify({ messages, cursor: String(cursor) } satisfies MessageList))] }] }
}

/** The message is parsed once for both. */
function readMail(raw: Uint8Array, envelopeFrom: string, site: OwnSite | undefined): MailRead {
  try {
    const parsed = parseMessage(raw)
    const summary = summarise(raw, envelopeFrom, parsed)
    const claim = site && siteClaim(summary.from, site)
    return { summary: { ...summary, ...(claim && { siteClaim: claim }) }, authors: shownAuthors(parsed), isUnsigned: isUnsigned(raw) }
  } catch {
    return readNothing(raw, envelopeFrom)
  }
}

function readNothing(raw: Uint8Array, envelopeFrom: string): MailRead {
  return { summary: unparsedSummary(raw, envelopeFrom), authors: NO_AUTHORS, isUnsigned: false }
}

/** SHA-256 of the message, from which its ids are derived. */
const hashMessage = (raw: Uint8Array): Buffer => hash('sha256', raw, 'buffer')

function openRow(keys: Opener, owner: Owner, row: StoredRow, { sealedSummary, sealedAuthentication }: SealedRow) {
  const boundTo = { mailboxId: owner.mailboxId, messageId: row.messageId }
  const stored = decodeSummary(openSealed(keys, 'summary', boundTo, sealedSummary))
  // What was known when the message arrived is in its summary.
  const authentication = sealedAuthentication ? openAuthentication(keys, boundTo, sealedAuthentication) : stored.authentication
  return { summary: toMessageSummary(row, { ...stored, authentication }), envelopeFrom: stored.envelopeFrom }
}

/** `undefined` if it cannot be decrypted. */
function openReadableRow(...args: Parameters<typeof openRow>): OpenedRow | undefined {
  try {
    return openRow(...args)
  } catch {
    return undefined
  }
}

/** `Message` as JSON, or `undefined` if it does not match. */
function toMatchingJson({ summary, envelopeFrom }: OpenedRow, raw: Uint8Array, filter: ContentCondition, isUnparsed: boolean | undefined) {
  const message: Message = isUnparsed ? unparsedMessage(summary, envelopeFrom, raw) : toMessage(summary, envelopeFrom, raw)
  return matchesContent(message, filter) ? Buffer.from(JSON.stringify(message)) : undefined
}

/** One that cannot be decrypted is ignored, like an incomplete one: the message itself can still be read. */
function openAuthentication(keys: Opener, boundTo: BoundTo, sealed: Uint8Array): Authentication | undefined {
  try {
    return decodeAuthentication(openSealed(keys, 'annotation', boundTo, sealed))
  } catch {
    return undefined
  }
}

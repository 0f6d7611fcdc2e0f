import { MIB } from '#contract/limits.ts'
import {
  type Change,
  type MailboxId,
  type MessageId,
  type Quota,
  REMOVALS_LISTED,
  type SealedMessage,
  type StoredMessage,
  type StoreResult,
} from '../store.ts'
import { RAW_PIECES_MAX } from './schema.ts'
import { idFromBytes, idToBytes, type KnownRow, type LiveMailboxRow, type MessageRow, type Statements } from './statements.ts'

/** The arguments of a query, with the time of its request. */
export type At<Args> = Readonly<Args> & { readonly now: number }

/** Bytes of mail removed since they were last counted: zeroing them went through the log too. */
export type Freed = { bytes: number }

type MessageAt = { mailboxId: MailboxId; messageId: MessageId }
type WholeMessageAt = MessageAt & { rawBytesMax: number | undefined }
type Delivery = { mailboxId: MailboxId; message: SealedMessage; quota: Quota; createdAt: number }
type ChangesAfter = { mailboxId: MailboxId; cursor: number; limit: number; rawBytesMax: number | undefined }
type AuthenticationOf = MessageAt & { sealedAuthentication: Uint8Array; createdAt: number }

export function createMessageQueries(statements: Statements, freed: Freed) {
  /** Moves the mailbox to its next cursor, with so many messages and bytes more. */
  function advance(mailboxNo: number, cursor: number, more: { readonly messages: number; readonly bytes: number }): void {
    statements.advance.run(cursor, more.messages, more.bytes, mailboxNo)
  }

  return {
    deliver({ now, mailboxId, message, quota, createdAt }: At<Delivery>): StoreResult {
      const mailbox = findLiveMailbox(statements, mailboxId, now)
      if (!mailbox || mailbox.created_at !== createdAt) return 'mailbox_not_found'
      const messageId = idToBytes(message.messageId)
      const known = statements.findKnown.get(mailbox.no, messageId) as KnownRow | undefined
      if (known && !known.is_removed) return 'duplicate'
      const rawBytes = message.sealedRaw.byteLength
      if (mailbox.message_count >= quota.messagesMax || mailbox.bytes + rawBytes > quota.bytesMax) return 'mailbox_full'
      if (known) statements.deleteMessage.run(known.seq)
      const { cursor, receivedAt } = arrival(mailbox, message.receivedAt)
      const { lastInsertRowid } = statements.addMessage.run(
        mailbox.no,
        cursor,
        cursor,
        messageId,
        receivedAt,
        rawBytes,
        message.sealedSummary,
      )
      addRaw(statements, Number(lastInsertRowid), message.sealedRaw)
      advance(mailbox.no, cursor, { messages: 1, bytes: rawBytes })
      return 'stored'
    },

    changesSince({ now, mailboxId, cursor, limit, rawBytesMax }: At<ChangesAfter>): Change[] | undefined {
      const mailbox = findLiveMailbox(statements, mailboxId, now)
      if (!mailbox) return undefined
      // A cursor from the future is from before a restored backup: the reader gets everything again.
      const after = cursor <= mailbox.cursor ? cursor : 0
      const rows = statements.changes.all(mailbox.no, after, after, limit) as MessageRow[]
      const isWithRaw = rawBytesMax !== undefined && rows.reduce((bytes, row) => bytes + row.raw_bytes, 0) <= rawBytesMax
      return rows.map(row => toChange(row, isWithRaw ? readRaw(statements, row.seq, row.raw_bytes) : undefined))
    },

    readMessage({ now, mailboxId, messageId, rawBytesMax = Number.POSITIVE_INFINITY }: At<WholeMessageAt>): StoredMessage | undefined {
      const found = findLiveMessage(statements, mailboxId, messageId, now)
      if (!found) return undefined
      const isLarger = found.message.raw_bytes > rawBytesMax
      const sealedRaw = isLarger ? undefined : readRaw(statements, found.message.seq, found.message.raw_bytes)
      if (!sealedRaw && !isLarger) return undefined
      return {
        messageId,
        arrivalCursor: found.message.arrival_cursor,
        receivedAt: found.message.received_at,
        sealedSummary: found.sealedSummary,
        sealedRaw,
        sealedAuthentication: found.message.sealed_annotation ?? undefined,
      }
    },

    deleteMessage({ now, mailboxId, messageId }: At<MessageAt>): boolean {
      const found = findLiveMessage(statements, mailboxId, messageId, now)
      if (!found) return false
      const cursor = found.mailbox.cursor + 1
      statements.deleteRaw.run(...pieceRange(found.message.seq))
      freed.bytes += found.message.raw_bytes
      statements.markRemoved.run(cursor, found.message.seq)
      statements.trimRemoved.run(found.mailbox.no, REMOVALS_LISTED)
      advance(found.mailbox.no, cursor, { messages: -1, bytes: -found.message.raw_bytes })
      return true
    },

    addAuthentication({ now, mailboxId, messageId, sealedAuthentication, createdAt }: At<AuthenticationOf>): boolean {
      const found = findLiveMessage(statements, mailboxId, messageId, now)
      if (!found || found.mailbox.created_at !== createdAt) return false
      const cursor = found.mailbox.cursor + 1
      statements.addAuthentication.run(cursor, sealedAuthentication, found.message.seq)
      advance(found.mailbox.no, cursor, { messages: 0, bytes: 0 })
      return true
    },
  }
}

/**
 * The cursor is at least the milliseconds since the mailbox was created. So a time follows from each cursor, and no two messages have the
 * same time.
 */
function arrival({ cursor, created_at: createdAt }: LiveMailboxRow, receivedAt: number): { cursor: number; receivedAt: number } {
  const next = Math.max(cursor + 1, receivedAt - createdAt + 1)
  return { cursor: next, receivedAt: createdAt + next - 1 }
}

function toChange(row: MessageRow, sealedRaw: Uint8Array | undefined): Change {
  const { cursor, arrival_cursor: arrivalCursor, received_at: receivedAt, sealed_summary: sealedSummary } = row
  const messageId = idFromBytes<MessageId>(row.message_id)
  if (!sealedSummary) return { type: 'removed', cursor, messageId }
  return {
    type: 'message',
    cursor,
    arrivalCursor,
    messageId,
    receivedAt,
    sealedSummary,
    sealedAuthentication: row.sealed_annotation ?? undefined,
    sealedRaw,
  }
}

/** Bytes of one piece: SQLite holds a copy of each value that it writes or reads. */
const PIECE_BYTES = MIB

type RawRow = { readonly piece: Uint8Array<ArrayBuffer> }

/** Raw messages on disk, in pieces. */
function addRaw(statements: Statements, seq: number, sealedRaw: Uint8Array): void {
  const [first] = pieceRange(seq)
  const pieces = Math.max(1, Math.ceil(sealedRaw.byteLength / PIECE_BYTES))
  if (pieces > RAW_PIECES_MAX) throw new RangeError('a message of more pieces than it may have')
  for (let i = 0; i < pieces; i++) statements.addRaw.run(first + i, sealedRaw.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES))
}

/** A large one comes in shared memory, so that the thread that opens it reads it where it is. */
function readRaw(statements: Statements, seq: number, bytes: number): Uint8Array | undefined {
  const [first, last] = pieceRange(seq)
  if (bytes <= PIECE_BYTES) return (statements.readRaw.get(first, last) as RawRow | undefined)?.piece
  const whole = new Uint8Array(new SharedArrayBuffer(bytes))
  let at = 0
  for (const { piece } of statements.readRaw.iterate(first, last) as NodeJS.Iterator<RawRow>) {
    whole.set(piece, at)
    at += piece.byteLength
    // Frees its memory now: the garbage collector would let 64 MB pile up.
    piece.buffer.transfer(0)
  }
  return at === bytes ? whole : undefined
}

/** The first and the last `no` that pieces of a message may have. */
export function pieceRange(seq: number): [number, number] {
  return [seq * RAW_PIECES_MAX, (seq + 1) * RAW_PIECES_MAX - 1]
}

export function findLiveMailbox(statements: Statements, mailboxId: MailboxId, now: number): LiveMailboxRow | undefined {
  return statements.findLive.get(idToBytes(mailboxId), now) as LiveMailboxRow | undefined
}

function findLiveMessage(statements: Statements, mailboxId: MailboxId, messageId: MessageId, now: number) {
  const mailbox = findLiveMailbox(statements, mailboxId, now)
  if (!mailbox) return undefined
  const message = statements.findMessage.get(mailbox.no, idToBytes(messageId)) as MessageRow | undefined
  return message?.sealed_summary ? { mailbox, message, sealedSummary: message.sealed_summary } : undefined
}

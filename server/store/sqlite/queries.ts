/**
 * The store's methods on an open database, all synchronous; the caller wraps them in transactions. `now` is milliseconds since the epoch.
 */
import type { DatabaseSync } from 'node:sqlite'
import { MIB } from '#contract/limits.ts'
import {
  type Change,
  type MailboxId,
  type MailboxRecord,
  type MessageId,
  type Quota,
  REMOVALS_LISTED,
  type SealedMessage,
  type StoredMailbox,
  type StoredMessage,
  type StoreResult,
} from '../store.ts'
import { PAGE_BYTES, RAW_PIECES_MAX } from './schema.ts'
import {
  idFromBytes,
  idToBytes,
  type KnownRow,
  type LiveMailboxRow,
  type MailboxRow,
  type MessageRow,
  prepare,
  type Statements,
} from './statements.ts'

export type Queries = ReturnType<typeof createQueries>

export function createQueries(db: DatabaseSync) {
  const statements = prepare(db)
  const freed: Freed = { bytes: 0 }
  return {
    ...createMailboxQueries(statements),
    ...createMessageQueries(statements, freed),
    ...createRemovalQueries(statements, freed),

    /** Bytes of mail removed since the last call; zeroing them was written to the log too. */
    takeFreedBytes(): number {
      const { bytes } = freed
      freed.bytes = 0
      return bytes
    },

    /** Rows changed since the database was opened. */
    changesSoFar(): number {
      return Number((statements.totalChanges.get() as { n: number }).n)
    },

    /** Free bytes inside the file, used before the file grows. */
    freeBytes(): number {
      return Number((statements.freePages.get() as { freelist_count: number }).freelist_count) * PAGE_BYTES
    },
  }
}

const NO_MAC = new Uint8Array(0)

function createMailboxQueries(statements: Statements) {
  return {
    createMailbox({ now, mailbox }: At<{ mailbox: MailboxRecord }>): 'created' | 'taken' {
      const id = idToBytes(mailbox.mailboxId)
      if (statements.isTaken.get(id, now)) return 'taken'
      statements.forgetName.run(id)
      const { tokenHash, publicKey, sealedAddress, createdAt, expiresAt, mac } = mailbox
      statements.createMailbox.run(id, tokenHash, publicKey, sealedAddress, createdAt, expiresAt, expiresAt, mac)
      return 'created'
    },

    extendMailbox({ now, mailbox: { mailboxId, createdAt, expiresAt, mac } }: At<{ mailbox: MailboxRecord }>): boolean {
      const live = findLiveMailbox(statements, mailboxId, now)
      if (live?.created_at !== createdAt) return false
      statements.extendMailbox.run(expiresAt, expiresAt, mac, live.no)
      return true
    },

    findMailbox({ now, mailboxId }: At<{ mailboxId: MailboxId }>): StoredMailbox | undefined {
      const row = statements.findMailbox.get(idToBytes(mailboxId), now) as MailboxRow | undefined
      return row && storedMailbox(mailboxId, row)
    },

    countMailboxes(now: number): number {
      return Number((statements.countMailboxes.get(now) as { live: number }).live)
    },
  }
}

function storedMailbox(mailboxId: MailboxId, row: MailboxRow): StoredMailbox {
  return {
    mailboxId,
    tokenHash: row.token_hash,
    publicKey: row.public_key,
    sealedAddress: row.sealed_address,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    mac: row.mac ?? NO_MAC,
    messageCount: row.message_count,
    bytes: row.bytes,
    cursor: row.cursor,
  }
}

/** Bytes that one step may zero and write to the log: about 5 ms of work, so that a delivery never waits longer for it. */
const SWEEP_BYTES_MAX = 2 * MIB
const SWEEP_MESSAGES_MAX = 100
/** Removing a row rewrites its page. With pages of 16 KiB, the rows of a small message are usually on two different pages. */
const PAGES_PER_MESSAGE = 2
/** What a sweep step removed, and whether there is more to do. */
type Swept = { readonly mailboxIds: readonly MailboxId[]; readonly isDone: boolean }

function createRemovalQueries(statements: Statements, freed: Freed) {
  function deleteMessages(no: number, messagesMax: number, bytesMax: number) {
    let messages = 0
    let bytes = 0
    for (const row of statements.messagesOf.all(no, Math.max(messagesMax, 0) + 1) as { seq: number; raw_bytes: number }[]) {
      if (messages >= messagesMax || bytes >= bytesMax) return { messages, bytes, isEmpty: false }
      statements.deleteRaw.run(...pieceRange(row.seq))
      statements.deleteMessage.run(row.seq)
      messages += 1
      bytes += row.raw_bytes
      freed.bytes += row.raw_bytes + PAGES_PER_MESSAGE * PAGE_BYTES
    }
    return { messages, bytes, isEmpty: true }
  }

  function takeName(mailboxId: MailboxId, now: number, until: number): void {
    const id = idToBytes(mailboxId)
    if (statements.isTaken.get(id, now)) return
    statements.forgetName.run(id)
    statements.takeName.run(id, now, until, until)
  }

  return {
    /** Wipes keys and address and hands the mail to the sweep; returns the mailbox's number for `sweepMailbox`. */
    destroyMailbox({ now, mailboxId, takenUntil = 0 }: At<{ mailboxId: MailboxId; takenUntil?: number | undefined }>): number | undefined {
      const mailbox = findLiveMailbox(statements, mailboxId, now)
      if (mailbox) statements.destroyMailbox.run(mailbox.no)
      else if (takenUntil > now) takeName(mailboxId, now, takenUntil)
      return mailbox?.no
    },

    /** One bounded step of removing a destroyed mailbox's mail; `true` when nothing of it is left. */
    sweepMailbox({ mailboxNumber: no }: At<{ mailboxNumber: number }>): boolean {
      const { isEmpty } = deleteMessages(no, SWEEP_MESSAGES_MAX, SWEEP_BYTES_MAX)
      if (isEmpty) statements.keepName.run(no)
      return isEmpty
    },

    sweep({ now, mailboxesMax }: At<{ mailboxesMax: number }>): Swept {
      let messagesLeft = SWEEP_MESSAGES_MAX
      let bytesLeft = SWEEP_BYTES_MAX
      const due = statements.dueMailboxes.all(now, mailboxesMax) as { no: number; mailbox_id: Uint8Array | null; expires_at: number }[]
      const mailboxIds: MailboxId[] = []
      for (const { no, mailbox_id: id, expires_at: expiresAt } of due) {
        const step = deleteMessages(no, messagesLeft, bytesLeft)
        messagesLeft -= step.messages
        bytesLeft -= step.bytes
        if (!step.isEmpty) return { mailboxIds, isDone: false }
        if (expiresAt > now) statements.keepName.run(no)
        else {
          statements.deleteMailbox.run(no)
          if (id) mailboxIds.push(idFromBytes<MailboxId>(id))
        }
      }
      return { mailboxIds, isDone: due.length < mailboxesMax }
    },

    /** After the clock went back: what had expired stays expired although its time is in the future again. */
    expireUntil(now: number, latest: number): void {
      statements.expireUntil.run(now, latest)
    },
  }
}

/** The arguments of a query, with the time of its request. */
type At<Args> = Readonly<Args> & { readonly now: number }

/** Bytes of mail removed since they were last counted: zeroing them went through the log too. */
type Freed = { bytes: number }

type MessageAt = { mailboxId: MailboxId; messageId: MessageId }
type WholeMessageAt = MessageAt & { rawBytesMax: number | undefined }
type Delivery = { mailboxId: MailboxId; message: SealedMessage; quota: Quota; createdAt: number }
type ChangesAfter = { mailboxId: MailboxId; cursor: number; limit: number; rawBytesMax: number | undefined }
type AuthenticationOf = MessageAt & { sealedAuthentication: Uint8Array; createdAt: number }

function createMessageQueries(statements: Statements, freed: Freed) {
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
const pieceRange = (seq: number): [number, number] => [seq * RAW_PIECES_MAX, (seq + 1) * RAW_PIECES_MAX - 1]

function findLiveMailbox(statements: Statements, mailboxId: MailboxId, now: number): LiveMailboxRow | undefined {
  return statements.findLive.get(idToBytes(mailboxId), now) as LiveMailboxRow | undefined
}

function findLiveMessage(statements: Statements, mailboxId: MailboxId, messageId: MessageId, now: number) {
  const mailbox = findLiveMailbox(statements, mailboxId, now)
  if (!mailbox) return undefined
  const message = statements.findMessage.get(mailbox.no, idToBytes(messageId)) as MessageRow | undefined
  return message?.sealed_summary ? { mailbox, message, sealedSummary: message.sealed_summary } : undefined
}

/** The store's verbs on one open database, each synchronous; the caller wraps them in transactions. `now` is milliseconds since the epoch. */

import type { DatabaseSync } from 'node:sqlite'
import {
  type Change,
  type Delivered,
  type MailboxId,
  type MailboxRecord,
  type MessageId,
  type Quota,
  REMOVALS_TOLD,
  type SealedMessage,
  type StoredMailbox,
} from '../store.ts'
import { PAGE_BYTES, RAW_PIECES_MAX } from './schema.ts'

/** What one sweeping step may zero and log: with 16 kB pages about 20 ms of work, so that a delivery never waits longer for it. */
const SWEEP_BYTES_MAX = 8 * 1024 * 1024
const SWEEP_MESSAGES_MAX = 1000
/** SQLite holds a copy of what it writes or reads: of this much. */
const PIECE_BYTES = 1024 * 1024

type MailboxRow = {
  no: number
  token_hash: Uint8Array
  public_key: Uint8Array
  sealed_address: Uint8Array
  created_at: number
  expires_at: number
  message_count: number
  bytes: number
  cursor: number
}
type MessageRow = {
  seq: number
  cursor: number
  message_id: Uint8Array
  received_at: number
  raw_bytes: number
  sealed_summary: Uint8Array | null
  sealed_annotation: Uint8Array | null
}

type RawRow = { readonly piece: Uint8Array<ArrayBuffer> }

export type Verbs = ReturnType<typeof createVerbs>
/** What a sweeping step removed for good, and whether there is more to do. */
export type Swept = { readonly mailboxIds: readonly MailboxId[]; readonly isDone: boolean }

export function createVerbs(db: DatabaseSync) {
  const statements = prepare(db)
  let freedBytes = 0

  function liveMailbox(mailboxId: MailboxId, now: number): MailboxRow | undefined {
    return statements.findMailbox.get(bytesOf(mailboxId), now) as MailboxRow | undefined
  }

  function liveMessage(mailboxId: MailboxId, messageId: MessageId, now: number) {
    const mailbox = liveMailbox(mailboxId, now)
    if (!mailbox) return undefined
    const message = statements.findMessage.get(mailbox.no, bytesOf(messageId)) as MessageRow | undefined
    return message?.sealed_summary ? { mailbox, message, sealedSummary: message.sealed_summary } : undefined
  }

  return {
    createMailbox(now: number, mailbox: MailboxRecord): 'created' | 'taken' {
      const id = bytesOf(mailbox.mailboxId)
      if (statements.isTaken.get(id, now)) return 'taken'
      statements.forgetName.run(id)
      const { tokenHash, publicKey, sealedAddress, createdAt, expiresAt } = mailbox
      statements.createMailbox.run(id, tokenHash, publicKey, sealedAddress, createdAt, expiresAt, expiresAt)
      return 'created'
    },

    findMailbox(now: number, mailboxId: MailboxId): StoredMailbox | undefined {
      const row = liveMailbox(mailboxId, now)
      return row && storedMailbox(mailboxId, row)
    },

    deliver(now: number, mailboxId: MailboxId, message: SealedMessage, quota: Quota): Delivered {
      const mailbox = liveMailbox(mailboxId, now)
      if (!mailbox) return { outcome: 'mailbox_not_found' }
      const messageId = bytesOf(message.messageId)
      const known = statements.findMessage.get(mailbox.no, messageId) as MessageRow | undefined
      if (known?.sealed_summary) return { outcome: 'duplicate' }
      const rawBytes = message.sealedRaw.byteLength
      if (mailbox.message_count >= quota.messagesMax || mailbox.bytes + rawBytes > quota.bytesMax) return { outcome: 'mailbox_full' }
      if (known) statements.deleteMessage.run(known.seq)
      const cursor = mailbox.cursor + 1
      const { lastInsertRowid } = statements.addMessage.run(
        mailbox.no,
        cursor,
        messageId,
        message.receivedAt,
        rawBytes,
        message.sealedSummary,
      )
      addRaw(Number(lastInsertRowid), message.sealedRaw)
      statements.fill.run(cursor, 1, rawBytes, mailbox.no)
      return { outcome: 'stored', cursor }
    },

    changesSince(now: number, mailboxId: MailboxId, cursor: number, limit: number): Change[] | undefined {
      const mailbox = liveMailbox(mailboxId, now)
      if (!mailbox) return undefined
      const after = cursor <= mailbox.cursor ? cursor : 0
      return (statements.changes.all(mailbox.no, after, after, limit) as MessageRow[]).map(changeOf)
    },

    readMessage(now: number, mailboxId: MailboxId, messageId: MessageId) {
      const found = liveMessage(mailboxId, messageId, now)
      const sealedRaw = found && readRaw(found.message.seq, found.message.raw_bytes)
      if (!found || !sealedRaw) return undefined
      return {
        messageId,
        receivedAt: found.message.received_at,
        sealedSummary: found.sealedSummary,
        sealedRaw,
        sealedAnnotation: found.message.sealed_annotation ?? undefined,
      }
    },

    removeMessage(now: number, mailboxId: MailboxId, messageId: MessageId): boolean {
      const found = liveMessage(mailboxId, messageId, now)
      if (!found) return false
      const cursor = found.mailbox.cursor + 1
      statements.deleteRaw.run(...piecesOf(found.message.seq))
      freedBytes += found.message.raw_bytes
      statements.markRemoved.run(cursor, found.message.seq)
      statements.trimRemoved.run(found.mailbox.no, REMOVALS_TOLD)
      statements.fill.run(cursor, -1, -found.message.raw_bytes, found.mailbox.no)
      return true
    },

    annotate(now: number, mailboxId: MailboxId, messageId: MessageId, sealedAnnotation: Uint8Array): boolean {
      const found = liveMessage(mailboxId, messageId, now)
      if (!found) return false
      const cursor = found.mailbox.cursor + 1
      statements.annotate.run(cursor, sealedAnnotation, found.message.seq)
      statements.fill.run(cursor, 0, 0, found.mailbox.no)
      return true
    },

    /** Wipes keys and address and hands the mail to the sweep; returns the mailbox's number for `clearMailbox`. */
    closeMailbox(now: number, mailboxId: MailboxId): number | undefined {
      const mailbox = liveMailbox(mailboxId, now)
      if (mailbox) statements.closeMailbox.run(mailbox.no)
      return mailbox?.no
    },

    /** One bounded step of removing a closed mailbox's mail; `true` when nothing of it is left. */
    clearMailbox(_now: number, no: number): boolean {
      const { isEmpty } = clearMessages(no, SWEEP_MESSAGES_MAX, SWEEP_BYTES_MAX)
      if (isEmpty) statements.keepName.run(no)
      return isEmpty
    },

    sweep(now: number, mailboxesMax: number): Swept {
      let messagesLeft = SWEEP_MESSAGES_MAX
      let bytesLeft = SWEEP_BYTES_MAX
      const due = statements.dueMailboxes.all(now, mailboxesMax) as { no: number; mailbox_id: Uint8Array | null; expires_at: number }[]
      const mailboxIds: MailboxId[] = []
      for (const { no, mailbox_id: id, expires_at: expiresAt } of due) {
        const step = clearMessages(no, messagesLeft, bytesLeft)
        messagesLeft -= step.messages
        bytesLeft -= step.bytes
        if (!step.isEmpty) return { mailboxIds, isDone: false }
        if (expiresAt > now) statements.keepName.run(no)
        else {
          statements.deleteMailbox.run(no)
          if (id) mailboxIds.push(idOf<MailboxId>(id))
        }
      }
      return { mailboxIds, isDone: due.length < mailboxesMax }
    },

    /** The clock went back (F08): what had expired stays dead although its time lies ahead again. */
    expireUntil(now: number, latest: number): void {
      statements.expireUntil.run(now, latest)
    },

    /** Bytes of mail removed since the last call: zeroing them went through the log too. */
    takeFreedBytes(): number {
      const bytes = freedBytes
      freedBytes = 0
      return bytes
    },

    /** Bytes of the file that no mail takes: they are written again before the file grows. */
    freeBytes(): number {
      return Number((statements.freePages.get() as { freelist_count: number }).freelist_count) * PAGE_BYTES
    },

    countMailboxes(now: number): number {
      return Number((statements.countMailboxes.get(now) as { live: number }).live)
    },
  }

  function addRaw(seq: number, sealedRaw: Uint8Array): void {
    const [first] = piecesOf(seq)
    const pieces = Math.max(1, Math.ceil(sealedRaw.byteLength / PIECE_BYTES))
    if (pieces > RAW_PIECES_MAX) throw new RangeError('a message of more pieces than it may have')
    for (let i = 0; i < pieces; i++) statements.addRaw.run(first + i, sealedRaw.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES))
  }

  /** A large one comes in shared memory, so that the thread that opens it reads it where it is. */
  function readRaw(seq: number, bytes: number): Uint8Array | undefined {
    const [first, last] = piecesOf(seq)
    if (bytes <= PIECE_BYTES) return (statements.readRaw.get(first, last) as RawRow | undefined)?.piece
    const whole = new Uint8Array(new SharedArrayBuffer(bytes))
    let at = 0
    for (const { piece } of statements.readRaw.iterate(first, last) as NodeJS.Iterator<RawRow>) {
      whole.set(piece, at)
      at += piece.byteLength
      // Gives its memory back now: the collector would let 64 MB of them gather.
      piece.buffer.transfer(0)
    }
    return at === bytes ? whole : undefined
  }

  function clearMessages(no: number, messagesMax: number, bytesMax: number) {
    let messages = 0
    let bytes = 0
    for (const row of statements.messagesOf.all(no, Math.max(messagesMax, 0) + 1) as { seq: number; raw_bytes: number }[]) {
      if (messages >= messagesMax || bytes >= bytesMax) return { messages, bytes, isEmpty: false }
      statements.deleteRaw.run(...piecesOf(row.seq))
      statements.deleteMessage.run(row.seq)
      messages += 1
      bytes += row.raw_bytes
      freedBytes += row.raw_bytes
    }
    return { messages, bytes, isEmpty: true }
  }
}

function prepare(db: DatabaseSync) {
  return {
    isTaken: db.prepare('SELECT 1 FROM mailbox WHERE mailbox_id = ? AND expires_at > ?'),
    // An expired namesake waits nameless for the sweep: a create never pays for the mail of the owner before (A17).
    forgetName: db.prepare('UPDATE mailbox SET mailbox_id = NULL WHERE mailbox_id = ?'),
    createMailbox: db.prepare(
      'INSERT INTO mailbox (mailbox_id, token_hash, public_key, sealed_address, created_at, expires_at, sweep_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    findMailbox: db.prepare(
      `SELECT no, token_hash, public_key, sealed_address, created_at, expires_at, message_count, bytes, cursor
       FROM mailbox WHERE mailbox_id = ? AND public_key IS NOT NULL AND expires_at > ?`,
    ),
    fill: db.prepare('UPDATE mailbox SET cursor = ?, message_count = message_count + ?, bytes = bytes + ? WHERE no = ?'),
    closeMailbox: db.prepare('UPDATE mailbox SET token_hash = NULL, public_key = NULL, sealed_address = NULL, sweep_at = 0 WHERE no = ?'),
    keepName: db.prepare('UPDATE mailbox SET sweep_at = expires_at, message_count = 0, bytes = 0 WHERE no = ?'),
    dueMailboxes: db.prepare('SELECT no, mailbox_id, expires_at FROM mailbox WHERE sweep_at <= ? ORDER BY sweep_at LIMIT ?'),
    deleteMailbox: db.prepare('DELETE FROM mailbox WHERE no = ?'),
    expireUntil: db.prepare('UPDATE mailbox SET expires_at = 0, sweep_at = 0 WHERE sweep_at > ? AND sweep_at <= ?'),
    freePages: db.prepare('PRAGMA freelist_count'),
    countMailboxes: db.prepare('SELECT count(*) AS live FROM mailbox WHERE sweep_at > ? AND public_key IS NOT NULL'),
    findMessage: db.prepare('SELECT * FROM message WHERE mailbox = ? AND message_id = ?'),
    addMessage: db.prepare(
      'INSERT INTO message (mailbox, cursor, message_id, received_at, raw_bytes, sealed_summary) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    addRaw: db.prepare('INSERT INTO raw (no, piece) VALUES (?, ?)'),
    readRaw: db.prepare('SELECT piece FROM raw WHERE no BETWEEN ? AND ? ORDER BY no'),
    deleteRaw: db.prepare('DELETE FROM raw WHERE no BETWEEN ? AND ?'),
    deleteMessage: db.prepare('DELETE FROM message WHERE seq = ?'),
    markRemoved: db.prepare('UPDATE message SET cursor = ?, raw_bytes = 0, sealed_summary = NULL, sealed_annotation = NULL WHERE seq = ?'),
    trimRemoved: db.prepare(
      `DELETE FROM message WHERE seq IN (
         SELECT seq FROM message WHERE mailbox = ? AND sealed_summary IS NULL ORDER BY cursor DESC LIMIT -1 OFFSET ?)`,
    ),
    annotate: db.prepare('UPDATE message SET cursor = ?, sealed_annotation = ? WHERE seq = ?'),
    messagesOf: db.prepare('SELECT seq, raw_bytes FROM message WHERE mailbox = ? LIMIT ?'),
    changes: db.prepare(
      `SELECT cursor, message_id, received_at, sealed_summary, sealed_annotation FROM message
       WHERE mailbox = ? AND cursor > ? AND (? > 0 OR sealed_summary IS NOT NULL) ORDER BY cursor LIMIT ?`,
    ),
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
    messageCount: row.message_count,
    bytes: row.bytes,
    cursor: row.cursor,
  }
}

function changeOf(row: MessageRow): Change {
  const { cursor, received_at: receivedAt, sealed_summary: sealedSummary } = row
  const messageId = idOf<MessageId>(row.message_id)
  if (!sealedSummary) return { type: 'removed', cursor, messageId }
  return { type: 'message', cursor, messageId, receivedAt, sealedSummary, sealedAnnotation: row.sealed_annotation ?? undefined }
}

/** The first and the last `no` that pieces of a message may have. */
function piecesOf(seq: number): [number, number] {
  return [seq * RAW_PIECES_MAX, (seq + 1) * RAW_PIECES_MAX - 1]
}

function bytesOf(id: MailboxId | MessageId): Uint8Array {
  return Buffer.from(id, 'base64url')
}

function idOf<Id extends MailboxId | MessageId>(bytes: Uint8Array): Id {
  return Buffer.from(bytes).toString('base64url') as Id
}

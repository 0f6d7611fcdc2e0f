/** Every statement of the store, prepared once, and the rows they return. */
import type { DatabaseSync } from 'node:sqlite'
import type { MailboxId, MessageId } from '../store.ts'

export type MailboxRow = {
  no: number
  token_hash: Uint8Array
  public_key: Uint8Array
  sealed_address: Uint8Array
  created_at: number
  expires_at: number
  mac: Uint8Array | null
  message_count: number
  bytes: number
  cursor: number
}
export type LiveMailboxRow = Pick<MailboxRow, 'no' | 'created_at' | 'message_count' | 'bytes' | 'cursor'>
export type KnownRow = { seq: number; is_removed: 0 | 1 }
export type MessageRow = {
  seq: number
  cursor: number
  arrival_cursor: number
  message_id: Uint8Array
  received_at: number
  raw_bytes: number
  sealed_summary: Uint8Array | null
  sealed_annotation: Uint8Array | null
}

export type Statements = ReturnType<typeof prepare>

export function prepare(db: DatabaseSync) {
  return {
    isTaken: db.prepare('SELECT 1 FROM mailbox WHERE mailbox_id = ? AND expires_at > ?'),
    // An expired mailbox of the same address loses its name and waits for the sweep, so that a create never waits for old mail to be
    // removed.
    forgetName: db.prepare('UPDATE mailbox SET mailbox_id = NULL WHERE mailbox_id = ?'),
    createMailbox: db.prepare(
      'INSERT INTO mailbox (mailbox_id, token_hash, public_key, sealed_address, created_at, expires_at, sweep_at, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    extendMailbox: db.prepare('UPDATE mailbox SET expires_at = ?, sweep_at = ?, mac = ? WHERE no = ?'),
    findMailbox: db.prepare(
      `SELECT no, token_hash, public_key, sealed_address, created_at, expires_at, mac, message_count, bytes, cursor
       FROM mailbox WHERE mailbox_id = ? AND public_key IS NOT NULL AND expires_at > ?`,
    ),
    // Without keys and address: every byte array of a row is a copy.
    findLive: db.prepare(
      'SELECT no, created_at, message_count, bytes, cursor FROM mailbox WHERE mailbox_id = ? AND public_key IS NOT NULL AND expires_at > ?',
    ),
    advance: db.prepare('UPDATE mailbox SET cursor = ?, message_count = message_count + ?, bytes = bytes + ? WHERE no = ?'),
    destroyMailbox: db.prepare(
      'UPDATE mailbox SET token_hash = NULL, public_key = NULL, sealed_address = NULL, mac = NULL, sweep_at = 0 WHERE no = ?',
    ),
    takeName: db.prepare('INSERT INTO mailbox (mailbox_id, created_at, expires_at, sweep_at) VALUES (?, ?, ?, ?)'),
    keepName: db.prepare('UPDATE mailbox SET sweep_at = expires_at, message_count = 0, bytes = 0 WHERE no = ?'),
    dueMailboxes: db.prepare('SELECT no, mailbox_id, expires_at FROM mailbox WHERE sweep_at <= ? ORDER BY sweep_at LIMIT ?'),
    deleteMailbox: db.prepare('DELETE FROM mailbox WHERE no = ?'),
    expireUntil: db.prepare('UPDATE mailbox SET expires_at = 0, sweep_at = 0 WHERE sweep_at > ? AND sweep_at <= ?'),
    totalChanges: db.prepare('SELECT total_changes() AS n'),
    freePages: db.prepare('PRAGMA freelist_count'),
    countMailboxes: db.prepare('SELECT count(*) AS live FROM mailbox WHERE sweep_at > ? AND public_key IS NOT NULL'),
    findMessage: db.prepare('SELECT * FROM message WHERE mailbox = ? AND message_id = ?'),
    findKnown: db.prepare('SELECT seq, sealed_summary IS NULL AS is_removed FROM message WHERE mailbox = ? AND message_id = ?'),
    addMessage: db.prepare(
      'INSERT INTO message (mailbox, cursor, arrival_cursor, message_id, received_at, raw_bytes, sealed_summary) VALUES (?, ?, ?, ?, ?, ?, ?)',
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
    addAuthentication: db.prepare('UPDATE message SET cursor = ?, sealed_annotation = ? WHERE seq = ?'),
    messagesOf: db.prepare('SELECT seq, raw_bytes FROM message WHERE mailbox = ? LIMIT ?'),
    changes: db.prepare(
      `SELECT seq, raw_bytes, cursor, arrival_cursor, message_id, received_at, sealed_summary, sealed_annotation FROM message
       WHERE mailbox = ? AND cursor > ? AND (? > 0 OR sealed_summary IS NOT NULL) ORDER BY cursor LIMIT ?`,
    ),
  }
}

export const idToBytes = (id: MailboxId | MessageId): Uint8Array => Buffer.from(id, 'base64url')
export const idFromBytes = <Id extends MailboxId | MessageId>(bytes: Uint8Array): Id => Buffer.from(bytes).toString('base64url') as Id

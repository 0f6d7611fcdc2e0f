/**
 * The store's methods on an open database, all synchronous; the caller wraps them in transactions. `now` is milliseconds since the epoch.
 */

import type { DatabaseSync } from 'node:sqlite'
import type { MailboxId, MailboxRecord, StoredMailbox } from '../store.ts'
import { createMessageQueries } from './message-queries.ts'
import { createRemovalQueries, type Freed } from './removal-queries.ts'
import { PAGE_BYTES } from './schema.ts'
import { idToBytes, type MailboxRow, prepare, type Statements } from './statements.ts'

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
    createMailbox(now: number, mailbox: MailboxRecord): 'created' | 'taken' {
      const id = idToBytes(mailbox.mailboxId)
      if (statements.isTaken.get(id, now)) return 'taken'
      statements.forgetName.run(id)
      const { tokenHash, publicKey, sealedAddress, createdAt, expiresAt, mac } = mailbox
      statements.createMailbox.run(id, tokenHash, publicKey, sealedAddress, createdAt, expiresAt, expiresAt, mac)
      return 'created'
    },

    findMailbox(now: number, mailboxId: MailboxId): StoredMailbox | undefined {
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

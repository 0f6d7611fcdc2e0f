/**
 * The store's methods on an open database, all synchronous; the caller wraps them in transactions. `now` is milliseconds since the epoch.
 */

import type { DatabaseSync } from 'node:sqlite'
import { MIB } from '#contract/limits.ts'
import type { MailboxId, MailboxRecord, StoredMailbox } from '../store.ts'
import { type At, createMessageQueries, type Freed, findLiveMailbox, pieceRange } from './message-queries.ts'
import { PAGE_BYTES } from './schema.ts'
import { idFromBytes, idToBytes, type MailboxRow, prepare, type Statements } from './statements.ts'

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

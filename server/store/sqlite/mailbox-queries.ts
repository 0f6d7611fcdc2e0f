import type { MailboxId, MailboxRecord, StoredMailbox } from '../store.ts'
import { idToBytes, type MailboxRow, type Statements } from './statements.ts'

const NO_MAC = new Uint8Array(0)

export function createMailboxQueries(statements: Statements) {
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

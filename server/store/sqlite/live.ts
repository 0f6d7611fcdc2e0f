/** Finds live rows: a mailbox until it expires, a message until it is removed. */
import type { MailboxId, MessageId } from '../store.ts'
import { idToBytes, type LiveMailboxRow, type MessageRow, type Statements } from './statements.ts'

export function findLiveMailbox(statements: Statements, mailboxId: MailboxId, now: number): LiveMailboxRow | undefined {
  return statements.findLive.get(idToBytes(mailboxId), now) as LiveMailboxRow | undefined
}

export function findLiveMessage(statements: Statements, mailboxId: MailboxId, messageId: MessageId, now: number) {
  const mailbox = findLiveMailbox(statements, mailboxId, now)
  if (!mailbox) return undefined
  const message = statements.findMessage.get(mailbox.no, idToBytes(messageId)) as MessageRow | undefined
  return message?.sealed_summary ? { mailbox, message, sealedSummary: message.sealed_summary } : undefined
}

import { createHmac } from 'node:crypto'
import { deriveSubkey } from '#server/platform/cryptography.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { hmacSha256 } from './hpke.ts'

/** Identifies a secret without revealing anything else about it. Databases store it, so that a start with another secret is refused. */
export function deriveKeyCheck(secret: string): string {
  return createHmac('sha256', secret).update('mayfly key check v1').digest('base64url')
}

/** One key per purpose, so that a value encrypted or hashed for one cannot be used for another. */
export type Subkeys = {
  readonly mailboxId: Uint8Array
  readonly messageId: Uint8Array
  readonly attachmentLink: Uint8Array
  readonly mailboxMac: Uint8Array
}

export function deriveSubkeys(secret: string): Subkeys {
  const derive = (purpose: string) => deriveSubkey(secret, `mayfly ${purpose} v1`)
  return {
    mailboxId: derive('mailbox id'),
    messageId: derive('message id'),
    attachmentLink: derive('attachment link'),
    mailboxMac: derive('mailbox mac'),
  }
}

/** The id of an address in the store. Without the server's secret, nobody can find out which address it is. */
export function deriveMailboxId(key: Uint8Array, address: string): MailboxId {
  return shortHmac(key, Buffer.from(address)) as MailboxId
}

/** The hash includes the mailbox, so that a copy of the store does not reveal which mailboxes got the same mail. */
export function deriveMessageId(key: Uint8Array, mailboxId: MailboxId, digest: Uint8Array): MessageId {
  return shortHmac(key, Buffer.from(mailboxId), digest) as MessageId
}

function shortHmac(key: Uint8Array, ...parts: Uint8Array[]): string {
  return hmacSha256(key, parts).toString('base64url', 0, 16)
}

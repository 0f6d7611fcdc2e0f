import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { deriveSubkey } from '#server/platform/derive-subkey.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'

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

/** Cache of key objects: creating one takes five times as long as the HMAC (Node 24), and there are two. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

function toKeyObject(key: Uint8Array): KeyObject {
  const made = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

function shortHmac(key: Uint8Array, ...parts: Uint8Array[]): string {
  const hmac = createHmac('sha256', toKeyObject(key))
  for (const part of parts) hmac.update(part)
  return hmac.digest().subarray(0, 16).toString('base64url')
}

/**
 * Links that open one attachment without the token. A link names the attachment and its expiry and contains the key of that one message,
 * encrypted under a key of the server. Nothing is stored, a changed link is invalid, and it contains no token.
 */
import { openBytes, SEALING_BYTES, sealBytes } from '#server/platform/cryptography.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { MESSAGE_KEY_BYTES } from './seal.ts'

export type AttachmentKey = {
  readonly mailboxId: MailboxId
  readonly messageId: MessageId
  readonly messageKey: Uint8Array
  readonly index: number
}
/** `expiresAt`: milliseconds since the epoch. */
type LinkContent = AttachmentKey & { readonly expiresAt: number }

const ID_BYTES = 16
const INDEX_OFFSET = 2 * ID_BYTES
const EXPIRY_OFFSET = INDEX_OFFSET + 4
const KEY_OFFSET = EXPIRY_OFFSET + 6
const CONTENT_BYTES = KEY_OFFSET + MESSAGE_KEY_BYTES
const LINK = new RegExp(`^[A-Za-z0-9_-]{${Math.ceil(((CONTENT_BYTES + SEALING_BYTES) * 4) / 3)}}$`)

export function encryptAttachmentLink(key: Uint8Array, { mailboxId, messageId, messageKey, index, expiresAt }: LinkContent): string {
  const content = Buffer.alloc(CONTENT_BYTES)
  content.write(mailboxId, 0, 'base64url')
  content.write(messageId, ID_BYTES, 'base64url')
  content.writeUInt32BE(index, INDEX_OFFSET)
  content.writeUIntBE(expiresAt, EXPIRY_OFFSET, 6)
  content.set(messageKey, KEY_OFFSET)
  return sealBytes(key, '', content).toString('base64url')
}

/** `undefined` for anything that this server did not create. Callers check whether it has expired. */
export function decryptAttachmentLink(key: Uint8Array, link: string): LinkContent | undefined {
  if (!LINK.test(link)) return undefined
  const content = openBytes(key, '', Buffer.from(link, 'base64url'))
  return (
    content && {
      mailboxId: content.toString('base64url', 0, ID_BYTES) as MailboxId,
      messageId: content.toString('base64url', ID_BYTES, INDEX_OFFSET) as MessageId,
      messageKey: content.subarray(KEY_OFFSET),
      index: content.readUInt32BE(INDEX_OFFSET),
      expiresAt: content.readUIntBE(EXPIRY_OFFSET, 6),
    }
  )
}

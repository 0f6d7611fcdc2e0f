/**
 * Encrypts ("seals") mail to its mailbox. One HPKE context per message seals the summary (sequence 0) and the raw bytes (sequence 1), each
 * readable without the other. All ciphertext starts with the encapsulated key. Its AAD names the mailbox, the message and the kind, so that
 * no ciphertext can be swapped for another.
 */
import type { KeyObject } from 'node:crypto'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import type { Pieces } from '#server/threads/batch.ts'
import {
  aeads,
  ENC_BYTES,
  type HpkeContext,
  importPublicKey,
  open,
  seal,
  sealTo,
  setupReceiver,
  setupSender,
  TAG_BYTES,
  type X25519KeyPair,
} from './hpke.ts'

const AEAD = aeads.Aes256Gcm
const INFO = Buffer.from('mayfly mail v1')
/** How much longer ciphertext is than its plaintext. */
const SEAL_OVERHEAD_BYTES = ENC_BYTES + TAG_BYTES
const KEY_BYTES = AEAD.keyBytes
const NONCE_BYTES = 12
/** Plaintext of this size or more is sealed directly into the shared memory that is passed between threads. */
const WHOLE_BYTES_MIN = 1024 * 1024
export const MESSAGE_KEY_BYTES = KEY_BYTES + NONCE_BYTES

/** Sequence number and name of each kind of ciphertext. Summary and raw share a context; each of the others has its own. */
const kinds = { summary: 0, raw: 1, address: 0, annotation: 0 } as const
type SealKind = keyof typeof kinds

/** What a ciphertext belongs to. `messageId` is empty for the mailbox's address. */
type SealedBy = { readonly mailboxId: MailboxId; readonly messageId: MessageId | '' }
export type Recipient = { readonly publicKey: Uint8Array; readonly key: KeyObject }

/** Seals summary and raw bytes of a message in one context. */
export function sealMessage(recipient: Recipient, by: SealedBy, summary: Uint8Array, raw: Uint8Array): [Pieces, Pieces] {
  const sender = setupSender(AEAD, recipient, INFO)
  return [sealWith(sender, 'summary', by, summary), sealWith(sender, 'raw', by, raw)]
}

/** Seals one plaintext in a context of its own. */
export function sealOne(recipient: Recipient, kind: 'address' | 'annotation', by: SealedBy, plaintext: Uint8Array): Pieces {
  return sealWith(setupSender(AEAD, recipient, INFO), kind, by, plaintext)
}

/** Decrypts anything of a mailbox with its key pair. Throws if it was sealed for something else or changed. */
export function openSealed(owner: X25519KeyPair, kind: SealKind, by: SealedBy, sealed: Uint8Array): Uint8Array {
  return openWith(openContext(owner, sealed), kind, by, sealed)
}

/** The key of one message: decrypts its summary and raw bytes and nothing else. An attachment link contains it, encrypted. */
export function deriveMessageKey(owner: X25519KeyPair, sealed: Uint8Array): Uint8Array {
  const { key, baseNonce } = openContext(owner, sealed)
  return Buffer.concat([key, baseNonce])
}

/** `openSealed` with the key of one message. */
export function openWithMessageKey(messageKey: Uint8Array, kind: 'summary' | 'raw', by: SealedBy, sealed: Uint8Array): Uint8Array {
  const context = { aead: AEAD, key: messageKey.subarray(0, KEY_BYTES), baseNonce: messageKey.subarray(KEY_BYTES, MESSAGE_KEY_BYTES) }
  return openWith(context, kind, by, sealed)
}

export function importRecipient(publicKey: Uint8Array): Recipient {
  return { publicKey, key: importPublicKey(publicKey) }
}

function openContext(owner: X25519KeyPair, sealed: Uint8Array): HpkeContext {
  return setupReceiver(AEAD, owner, sealed.subarray(0, ENC_BYTES), INFO)
}

function sealWith(sender: HpkeContext & { enc: Uint8Array }, kind: SealKind, by: SealedBy, plaintext: Uint8Array): Pieces {
  if (plaintext.byteLength < WHOLE_BYTES_MIN) return [sender.enc, ...seal(sender, kinds[kind], buildAad(kind, by), plaintext)]
  const sealed = new Uint8Array(new SharedArrayBuffer(SEAL_OVERHEAD_BYTES + plaintext.byteLength))
  sealed.set(sender.enc)
  sealTo(sealed.subarray(ENC_BYTES), sender, kinds[kind], buildAad(kind, by), plaintext)
  return [sealed]
}

function openWith(context: HpkeContext, kind: SealKind, by: SealedBy, sealed: Uint8Array): Uint8Array {
  return open(context, kinds[kind], buildAad(kind, by), sealed.subarray(ENC_BYTES))
}

// Ids are base64url and kinds are letters, so a space between them makes every triple unique.
function buildAad(kind: SealKind, by: SealedBy): Uint8Array {
  return Buffer.from(`${kind} ${by.mailboxId} ${by.messageId}`)
}

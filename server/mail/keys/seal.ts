/**
 * Encrypts ("seals") mail to its mailbox. Each message has its own key, which encrypts the summary (sequence 0) and the raw bytes (sequence
 * 1), each readable without the other. All ciphertext starts with the encapsulated key. Its AAD names the mailbox, the message and the
 * kind, so that no ciphertext can be swapped for another.
 *
 * The first message of an HPKE context is sealed with the context's key. A context may be kept for seconds (`SenderContexts`): each later
 * message then has a random salt, which follows the encapsulated key, and is sealed with a secret that the context exports for that salt.
 * The highest bit of the encapsulated key, which X25519 ignores and which is otherwise 0, says that a salt follows.
 */

import { type KeyObject, randomBytes } from 'node:crypto'
import { MIB } from '#contract/limits.ts'
import type { Pieces } from '#server/platform/threads/batch.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import {
  aeads,
  ENC_BYTES,
  exportSecret,
  generateKeyPair,
  type HpkeContext,
  importPublicKey,
  open,
  type SenderContext,
  seal,
  sealTo,
  setupReceiver,
  setupSender,
  TAG_BYTES,
  toKeyPair,
  type X25519KeyPair,
} from './hpke.ts'

const AEAD = aeads.Aes256Gcm
const INFO = Buffer.from('mayfly mail v1')
const KEY_BYTES = AEAD.keyBytes
const NONCE_BYTES = 12
/** Two messages of a context would share a key and nonces only by the same salt twice: 1 in 2^128 for each pair. */
const SALT_BYTES = 16
const SALTS_AT_ONCE = 64
const SALTED_BIT = 0x80
/** An exported key seals one message, so its nonces start at zero. */
const ZERO_NONCE = new Uint8Array(NONCE_BYTES)
/** Plaintext of this size or more is sealed directly into the shared memory that is passed between threads. */
const WHOLE_BYTES_MIN = MIB
export const MESSAGE_KEY_BYTES = KEY_BYTES + NONCE_BYTES

/**
 * Sequence number and name of each kind of ciphertext. Summary and raw share a context. `annotation` is the authentication result, with
 * a context of its own: stored ciphertexts are bound to this name.
 */
const kinds = { summary: 0, raw: 1, annotation: 0 } as const
type SealKind = keyof typeof kinds

/** What a ciphertext is bound to: it can be decrypted only there. */
export type BoundTo = { readonly mailboxId: MailboxId; readonly messageId: MessageId }
/** The public key of a mailbox, imported. */
export type SealingKey = { readonly publicKey: Uint8Array; readonly key: KeyObject }

/** What seals one message: its key, and what its reader needs to find it. */
type MessageSender = HpkeContext & { readonly header: Uint8Array }

/**
 * Shared memory that the large copies of one mail are sealed into, one after the other: a new one for each would be held until every thread
 * that saw it has collected its garbage. `undefined` for a raw message that is not sealed into shared memory.
 */
export function createSealMemory(rawBytes: number): SharedArrayBuffer | undefined {
  return rawBytes < WHOLE_BYTES_MIN ? undefined : new SharedArrayBuffer(ENC_BYTES + SALT_BYTES + rawBytes + TAG_BYTES)
}

/** `senderFor` returns the key; without it, the message has an HPKE context of its own. `memory`: for the raw message. */
type SealOptions = { readonly senderFor?: (sealingKey: SealingKey) => MessageSender; readonly memory?: SharedArrayBuffer | undefined }

/** The two parts of a message. */
export function sealMessage(
  sealingKey: SealingKey,
  boundTo: BoundTo,
  summary: Uint8Array,
  raw: Uint8Array,
  { senderFor = ownContext, memory }: SealOptions = {},
): [Pieces, Pieces] {
  const sender = senderFor(sealingKey)
  return [sealWith(sender, 'summary', boundTo, summary), sealWith(sender, 'raw', boundTo, raw, memory)]
}

/** Seals authentication results, with a key of their own. */
export function sealAuthentication(
  sealingKey: SealingKey,
  boundTo: BoundTo,
  plaintext: Uint8Array,
  senderFor: (sealingKey: SealingKey) => MessageSender = ownContext,
): Pieces {
  return sealWith(senderFor(sealingKey), 'annotation', boundTo, plaintext)
}

/** `ephemeral`: a key pair that was never used. */
function newContext(sealingKey: SealingKey, ephemeral?: X25519KeyPair): SenderContext {
  return setupSender(AEAD, sealingKey, INFO, ephemeral)
}

/** For the first message of a context. */
function firstSender(context: SenderContext): MessageSender {
  return { ...context, header: context.enc }
}

/** For any later one. */
function laterSender(enc: Uint8Array, exporterSecret: Uint8Array): MessageSender {
  const salt = nextSalt()
  const header = Buffer.concat([enc, salt])
  header[ENC_BYTES - 1] = (header[ENC_BYTES - 1] ?? 0) | SALTED_BIT
  return { aead: AEAD, key: exportSecret(AEAD, exporterSecret, salt), baseNonce: ZERO_NONCE, header }
}

let salts: Buffer = Buffer.alloc(0)

/** Many are generated at once, because a call costs ten times as much as its bytes. Each is used once. */
function nextSalt(): Buffer {
  if (salts.byteLength === 0) salts = randomBytes(SALTS_AT_ONCE * SALT_BYTES)
  const salt = salts.subarray(0, SALT_BYTES)
  salts = salts.subarray(SALT_BYTES)
  return salt
}

function ownContext(sealingKey: SealingKey): MessageSender {
  return firstSender(newContext(sealingKey))
}

/** The key pair of a mailbox. Messages of one context share the key agreement, which takes most of the time. */
export type Opener = X25519KeyPair & { readonly agreements?: Map<string, ReturnType<typeof setupReceiver>> }

/** Decrypts anything of a mailbox with its key pair. Throws if it was sealed for something else or changed. */
export function openSealed(owner: Opener, kind: SealKind, boundTo: BoundTo, sealed: Uint8Array): Uint8Array {
  return openWith(openContext(owner, sealed), kind, boundTo, sealed)
}

/** The key of one message: decrypts its summary and raw bytes and nothing else. An attachment link contains it, encrypted. */
export function deriveMessageKey(owner: X25519KeyPair, sealed: Uint8Array): Uint8Array {
  const { key, baseNonce } = openContext(owner, sealed)
  return Buffer.concat([key, baseNonce])
}

/** `openSealed` with the key of one message. */
export function openWithMessageKey(messageKey: Uint8Array, kind: 'summary' | 'raw', boundTo: BoundTo, sealed: Uint8Array): Uint8Array {
  const context = { aead: AEAD, key: messageKey.subarray(0, KEY_BYTES), baseNonce: messageKey.subarray(KEY_BYTES, MESSAGE_KEY_BYTES) }
  return openWith(context, kind, boundTo, sealed)
}

export function importSealingKey(publicKey: Uint8Array): SealingKey {
  return { publicKey, key: importPublicKey(publicKey) }
}

function openContext(owner: Opener, sealed: Uint8Array): HpkeContext {
  const enc = Buffer.from(sealed.subarray(0, ENC_BYTES))
  enc[ENC_BYTES - 1] = (enc[ENC_BYTES - 1] ?? 0) & ~SALTED_BIT
  const name = enc.toString('latin1')
  const context = owner.agreements?.get(name) ?? setupReceiver(AEAD, owner, enc, INFO)
  owner.agreements?.set(name, context)
  if (!isSalted(sealed)) return context
  const salt = sealed.subarray(ENC_BYTES, headerBytes(sealed))
  return { aead: AEAD, key: exportSecret(AEAD, context.exporterSecret(), salt), baseNonce: ZERO_NONCE }
}

function isSalted(sealed: Uint8Array): boolean {
  return ((sealed[ENC_BYTES - 1] ?? 0) & SALTED_BIT) !== 0
}

function headerBytes(sealed: Uint8Array): number {
  return ENC_BYTES + (isSalted(sealed) ? SALT_BYTES : 0)
}

function sealWith(sender: MessageSender, kind: SealKind, boundTo: BoundTo, plaintext: Uint8Array, memory?: SharedArrayBuffer): Pieces {
  const { header } = sender
  if (plaintext.byteLength < WHOLE_BYTES_MIN) return [header, ...seal(sender, kinds[kind], buildAad(kind, boundTo), plaintext)]
  const bytes = header.byteLength + plaintext.byteLength + TAG_BYTES
  const sealed = new Uint8Array(memory ?? new SharedArrayBuffer(bytes), 0, bytes)
  sealed.set(header)
  sealTo(sealed.subarray(header.byteLength), sender, kinds[kind], buildAad(kind, boundTo), plaintext)
  return [sealed]
}

function openWith(context: HpkeContext, kind: SealKind, boundTo: BoundTo, sealed: Uint8Array): Uint8Array {
  return open(context, kinds[kind], buildAad(kind, boundTo), sealed.subarray(headerBytes(sealed)))
}

// Ids are base64url and kinds are letters, so a space between them makes every triple unique.
function buildAad(kind: SealKind, boundTo: BoundTo): Uint8Array {
  return Buffer.from(`${kind} ${boundTo.mailboxId} ${boundTo.messageId}`)
}

/** All are forgotten this long after the oldest was kept. */
const KEPT_MS = 5000
const KEPT_MAX = 1000

/** Keeps secrets for seconds, in the memory of one thread only. */
class KeptBriefly<Key, Value> {
  readonly #kept = new Map<Key, Value>()
  #forgetting: NodeJS.Timeout | undefined

  get(key: Key): Value | undefined {
    return this.#kept.get(key)
  }

  keep(key: Key, value: Value): Value {
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear()
    this.#kept.set(key, value)
    this.#forgetting ??= setTimeout(() => this.#forget(), KEPT_MS).unref()
    return value
  }

  #forget(): void {
    this.#forgetting = undefined
    this.#kept.clear()
  }
}

/**
 * Openers of mailboxes that were read seconds ago: who lists mail opens some of it next. Importing a private key takes as long as reading a
 * short mail. Whoever could read one in this thread's memory could read all mail of that mailbox.
 */
export class Openers {
  readonly #kept = new KeptBriefly<string, Required<Opener>>()

  openerFor(privateKey: Uint8Array): Opener {
    const name = Buffer.from(privateKey).toString('latin1')
    const kept = this.#kept.get(name)
    if (!kept) return this.#kept.keep(name, { ...toKeyPair(privateKey), agreements: new Map() })
    if (kept.agreements.size >= KEPT_MAX) kept.agreements.clear()
    return kept
  }
}

/** Pause before the next key pair is generated, so that a burst of mail is sealed first. */
const SPARE_AFTER_MS = 20

/** `exporterSecret` is called by the second message: most mailboxes get one. */
type Kept = Pick<SenderContext, 'enc' | 'exporterSecret'>

/**
 * HPKE contexts kept for seconds, so that the next message to the same mailbox needs no key agreement, which is most of what sealing
 * costs. Whoever could read one in this thread's memory could read the mail that arrives in these seconds, and could read that mail itself
 * in the same memory.
 */
export class SenderContexts {
  readonly #kept = new KeptBriefly<SealingKey, Kept>()
  /** The next ephemeral key pair, generated while nobody waits: a single mail is sealed a third faster. */
  #spare: X25519KeyPair | undefined
  #making: NodeJS.Timeout | undefined

  /** The sender of the next message that is sealed to this key. */
  readonly senderFor = (sealingKey: SealingKey): MessageSender => {
    const kept = this.#kept.get(sealingKey)
    if (kept) return laterSender(kept.enc, kept.exporterSecret())
    const context = newContext(sealingKey, this.#takeSpare())
    this.#kept.keep(sealingKey, { enc: context.enc, exporterSecret: context.exporterSecret })
    return firstSender(context)
  }

  #takeSpare(): X25519KeyPair | undefined {
    const spare = this.#spare
    this.#spare = undefined
    this.#making ??= setTimeout(() => {
      this.#making = undefined
      this.#spare = generateKeyPair()
    }, SPARE_AFTER_MS).unref()
    return spare
  }
}

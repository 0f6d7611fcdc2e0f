/**
 * HPKE base mode (RFC 9180) on node:crypto: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-GCM. WebCrypto would do the same with promises
 * and key objects, which takes five times as long per message. Pure: its only randomness is the ephemeral key, which a caller
 * (the RFC's test vectors) may pass in.
 */

import type { KeyObject } from 'node:crypto'
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
} from 'node:crypto'

const KEM_ID = 0x0020
const KDF_ID = 0x0001

/** RFC 9180 section 7.3. Mail uses Aes256Gcm; Aes128Gcm is here because the RFC's test vectors use it (appendix A.1). */
export const aeads = {
  Aes128Gcm: { cipher: 'aes-128-gcm', keyBytes: 16, suite: suiteId(0x0001) },
  Aes256Gcm: { cipher: 'aes-256-gcm', keyBytes: 32, suite: suiteId(0x0002) },
} as const
type Aead = (typeof aeads)[keyof typeof aeads]

export const ENC_BYTES = 32
export const TAG_BYTES = 16
const NONCE_BYTES = 12
const HMAC_BLOCK_BYTES = 64
const HASH_BYTES = 32
const STEP_BYTES = 256 * 1024

/** Encrypts and decrypts the messages of one encapsulation, by sequence number, and no others. */
export type HpkeContext = { readonly aead: Aead; readonly key: Uint8Array; readonly baseNonce: Uint8Array }
/** A context that also exports secrets. `exporterSecret` is computed by the first call. */
type ExportingContext = HpkeContext & { readonly exporterSecret: () => Uint8Array }
export type SenderContext = ExportingContext & { readonly enc: Uint8Array }
/** `key` is the public key as a key object. */
export type X25519KeyPair = { readonly privateKey: KeyObject; readonly publicKey: Uint8Array; readonly key: KeyObject }

const EMPTY = new Uint8Array(0)
const VERSION = Buffer.from('HPKE-v1')
const KEM_SUITE = Buffer.concat([Buffer.from('KEM'), uint16(KEM_ID)])

/**
 * DeriveKeyPair (RFC 9180 section 7.1.3) without the public key. `inputKeyMaterial` must have at least 32 random bytes and no other use.
 */
export function derivePrivateKey(inputKeyMaterial: Uint8Array): Uint8Array {
  const pseudoRandomKey = labeledExtract(KEM_SUITE, EMPTY, 'dkp_prk', inputKeyMaterial)
  // A copy, because it is passed to threads: a message would take all of Node's pool that it lies in.
  return new Uint8Array(labeledExpand(KEM_SUITE, pseudoRandomKey, 'sk', EMPTY, 32))
}

/** The key pair of a raw 32-byte X25519 private key. */
export function toKeyPair(privateKey: Uint8Array): X25519KeyPair {
  const raw = { key: Buffer.from(privateKey), format: 'raw-private', asymmetricKeyType: 'x25519' } as const
  const imported = withoutStackTraces(() => createPrivateKey(raw))
  const key = createPublicKey(imported)
  return { privateKey: imported, publicKey: rawPublicKey(key), key }
}

/** A raw 32-byte X25519 public key as a key object; callers may cache it for more mail to the same key. */
export function importPublicKey(publicKey: Uint8Array): KeyObject {
  const key = { kty: 'OKP', crv: 'X25519', x: Buffer.from(publicKey).toString('base64url') }
  return withoutStackTraces(() => createPublicKey({ key, format: 'jwk' }))
}

/**
 * Node finds out whether something is a key object by an exception that it catches itself, up to four times for each import; their stack
 * traces take most of the time (67 of 84 µs for a public key, 44 of 132 for a private one, Node 24.21). With raw bytes as a key, a cipher
 * does the same.
 */
function withoutStackTraces<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** SetupBaseS (RFC 9180 section 5.1.1). `enc` is stored with the ciphertext. */
export function setupSender(
  aead: Aead,
  recipient: { readonly publicKey: Uint8Array; readonly key: KeyObject },
  info: Uint8Array,
  ephemeral: X25519KeyPair = generateKeyPair(),
): SenderContext {
  const sharedSecret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient.key })
  const enc = ephemeral.publicKey
  return { ...keySchedule(aead, kemSecret(sharedSecret, enc, recipient.publicKey), info), enc }
}

/** SetupBaseR (RFC 9180 section 5.1.1). Throws if `enc` is not a usable public key. */
export function setupReceiver(aead: Aead, recipient: X25519KeyPair, enc: Uint8Array, info: Uint8Array): ExportingContext {
  const sharedSecret = diffieHellman({ privateKey: recipient.privateKey, publicKey: importPublicKey(enc) })
  return keySchedule(aead, kemSecret(sharedSecret, enc, recipient.publicKey), info)
}

/** A secret of 32 bytes that both sides derive (RFC 9180 section 5.3). It reveals nothing about the context's own key or other exports. */
export function exportSecret(aead: Aead, exporterSecret: Uint8Array, exporterContext: Uint8Array): Uint8Array {
  return labeledExpand(aead.suite, exporterSecret, 'sec', exporterContext, 32)
}

/** Encrypts one message of a context; use each sequence number once. Returns ciphertext and tag separately to save a copy. */
export function seal(context: HpkeContext, sequence: number, aad: Uint8Array, plaintext: Uint8Array): [Uint8Array, Uint8Array] {
  const cipher = cipherParameters(context, sequence, aad)
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  return [ciphertext, cipher.getAuthTag()]
}

/** `seal` for a large plaintext: writes ciphertext and tag to `target` without holding them twice. */
export function sealTo(target: Uint8Array, context: HpkeContext, sequence: number, aad: Uint8Array, plaintext: Uint8Array): void {
  const cipher = cipherParameters(context, sequence, aad)
  for (let at = 0; at < plaintext.byteLength; at += STEP_BYTES) {
    const piece = cipher.update(plaintext.subarray(at, at + STEP_BYTES))
    target.set(piece, at)
    // Frees it now: the garbage collector would let all pieces of a message pile up.
    piece.buffer.transfer(0)
  }
  cipher.final()
  target.set(cipher.getAuthTag(), plaintext.byteLength)
}

function cipherParameters(context: HpkeContext, sequence: number, aad: Uint8Array) {
  const cipher = createCipheriv(context.aead.cipher, createSecretKey(context.key), nonceAt(context, sequence))
  cipher.setAAD(aad)
  return cipher
}

/** Decrypts what `seal` returned, with the tag at the end. Throws if any byte of it, the AAD or the sequence number differs. */
export function open(context: HpkeContext, sequence: number, aad: Uint8Array, sealed: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(context.aead.cipher, createSecretKey(context.key), nonceAt(context, sequence), {
    authTagLength: TAG_BYTES,
  })
  // GCM would accept a shorter tag, which is easier to guess, so the length is fixed.
  const tagOffset = Math.max(0, sealed.byteLength - TAG_BYTES)
  decipher.setAAD(aad).setAuthTag(sealed.subarray(tagOffset))
  const plaintext = decipher.update(sealed.subarray(0, tagOffset))
  decipher.final()
  return plaintext
}

export function generateKeyPair(): X25519KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  return { privateKey, publicKey: rawPublicKey(publicKey), key: publicKey }
}

// Exporting as JWK is cheap; exporting SPKI takes 20 µs.
function rawPublicKey(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
}

function kemSecret(sharedSecret: Uint8Array, enc: Uint8Array, recipientPublicKey: Uint8Array): Uint8Array {
  const pseudoRandomKey = labeledExtract(KEM_SUITE, EMPTY, 'eae_prk', sharedSecret)
  return labeledExpand(KEM_SUITE, pseudoRandomKey, 'shared_secret', Buffer.concat([enc, recipientPublicKey]), 32)
}

function keySchedule(aead: Aead, sharedSecret: Uint8Array, info: Uint8Array): ExportingContext {
  const { suite } = aead
  const context = keyScheduleContext(aead, info)
  const secret = labeledExtract(suite, sharedSecret, 'secret', EMPTY)
  let exporterSecret: Uint8Array | undefined
  return {
    aead,
    key: labeledExpand(suite, secret, 'key', context, aead.keyBytes),
    baseNonce: labeledExpand(suite, secret, 'base_nonce', context, NONCE_BYTES),
    exporterSecret() {
      exporterSecret ??= labeledExpand(suite, secret, 'exp', context, 32)
      return exporterSecret
    },
  }
}

// Both hashes of the context depend only on suite and info. Mail always uses the same info, so the last ones are cached.
let lastContext: { aead: Aead; info: Uint8Array; context: Uint8Array } | undefined

function keyScheduleContext(aead: Aead, info: Uint8Array): Uint8Array {
  if (lastContext?.aead === aead && lastContext.info === info) return lastContext.context
  const pskIdHash = labeledExtract(aead.suite, EMPTY, 'psk_id_hash', EMPTY)
  const infoHash = labeledExtract(aead.suite, EMPTY, 'info_hash', info)
  const context = Buffer.concat([Uint8Array.of(0), pskIdHash, infoHash])
  lastContext = { aead, info, context }
  return context
}

function suiteId(aeadId: number): Uint8Array {
  return Buffer.concat([Buffer.from('HPKE'), uint16(KEM_ID), uint16(KDF_ID), uint16(aeadId)])
}

function labeledExtract(suite: Uint8Array, salt: Uint8Array, label: string, inputKeyMaterial: Uint8Array): Uint8Array {
  return hmacSha256(salt, [VERSION, suite, Buffer.from(label), inputKeyMaterial])
}

// HPKE needs only one block of HKDF-Expand with SHA-256: every output has at most 32 bytes.
function labeledExpand(suite: Uint8Array, pseudoRandomKey: Uint8Array, label: string, info: Uint8Array, bytes: number): Uint8Array {
  const message = [uint16(bytes), VERSION, suite, Buffer.from(label), info, Uint8Array.of(1)]
  return hmacSha256(pseudoRandomKey, message).subarray(0, bytes)
}

/** The inputs of both hashes of an HMAC. Used again by the next one: new ones were a twelfth of the garbage of a new address. */
const innerInput = Buffer.alloc(1024)
const outerInput = Buffer.alloc(HMAC_BLOCK_BYTES + HASH_BYTES)

/**
 * HMAC (RFC 2104) for keys of at most one block, as all keys here are. Two one-shot hashes take less than `createHmac`, which makes an
 * object of its own. Their results are strings, because Node allocates memory of its own for each buffer that it returns.
 */
export function hmacSha256(key: Uint8Array, message: readonly Uint8Array[]): Buffer {
  const bytes = message.reduce((sum, piece) => sum + piece.byteLength, HMAC_BLOCK_BYTES)
  const input = bytes <= innerInput.byteLength ? innerInput : Buffer.alloc(bytes)
  for (let index = 0; index < HMAC_BLOCK_BYTES; index++) {
    const byte = key[index] ?? 0
    input[index] = byte ^ 0x36
    outerInput[index] = byte ^ 0x5c
  }
  let end = HMAC_BLOCK_BYTES
  for (const piece of message) {
    input.set(piece, end)
    end += piece.byteLength
  }
  outerInput.write(hash('sha256', input.subarray(0, end), 'binary'), HMAC_BLOCK_BYTES, 'latin1')
  const mac = Buffer.from(hash('sha256', outerInput, 'binary'), 'binary')
  // They contain the key.
  input.fill(0, 0, end)
  outerInput.fill(0)
  return mac
}

function nonceAt(context: HpkeContext, sequence: number): Uint8Array {
  const nonce = Buffer.from(context.baseNonce)
  for (let i = 0, rest = sequence; i < 6; i++, rest = Math.floor(rest / 256)) {
    const at = NONCE_BYTES - 1 - i
    nonce[at] = (nonce[at] ?? 0) ^ (rest % 256)
  }
  return nonce
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff)
}

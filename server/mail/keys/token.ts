import { hash, randomBytes } from 'node:crypto'
import { equalBytes } from '#server/platform/cryptography.ts'
import type { MailboxId } from '#server/store/store.ts'
import { aeads, derivePrivateKey, ENC_BYTES, type HpkeContext, hmacSha256, open, seal, toKeyPair, type X25519KeyPair } from './hpke.ts'

const MAILBOX_ID_BYTES = 16
const SECRET_BYTES = 32
/** 48 bytes as base64url, without padding. */
const TOKEN = /^[A-Za-z0-9_-]{64}$/

/** The content of a token: the mailbox id, and 256 random bits that are its only key. */
type Token = { readonly mailboxId: MailboxId; readonly secret: Uint8Array }

export function createToken(mailboxId: MailboxId, random: (bytes: number) => Uint8Array = randomBytes): { token: string } & Token {
  const secret = random(SECRET_BYTES)
  const token = Buffer.concat([Buffer.from(mailboxId, 'base64url'), secret]).toString('base64url')
  return { token, mailboxId, secret }
}

/** `undefined` if it cannot be a token. */
export function parseToken(token: string): Token | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  return { mailboxId: bytes.toString('base64url', 0, MAILBOX_ID_BYTES) as MailboxId, secret: bytes.subarray(MAILBOX_ID_BYTES) }
}

/** What the store keeps to check a token. A plain hash is enough for 256 random bits. */
export function hashToken(token: Token): Uint8Array {
  return hash('sha256', Buffer.concat([Buffer.from(token.mailboxId), token.secret]), 'buffer')
}

export function matchesTokenHash(token: Token, tokenHash: Uint8Array): boolean {
  return equalBytes(hashToken(token), tokenHash)
}

/** The mailbox's key pair. It takes a hundred microseconds, unlike the private key alone. */
export function deriveMailboxKeys(token: Token): X25519KeyPair {
  return toKeyPair(deriveMailboxPrivateKey(token))
}

/**
 * The raw bytes of the mailbox's private key. Their input is derived separately from the hash above, because RFC 9180 section 7.1.3 allows
 * no other use of it.
 */
export function deriveMailboxPrivateKey(token: Token): Uint8Array {
  return derivePrivateKey(hkdf(token.secret, 'mayfly mailbox key v1'))
}

/** What the address is encrypted with: see `sealAddress`. */
function deriveAddressKey(token: Token): Uint8Array {
  return hkdf(token.secret, 'mayfly address key v1')
}

/** HKDF-SHA-256 (RFC 5869) without salt, one block of it. `hkdfSync` gives the same for three times the processor time. */
function hkdf(inputKeyMaterial: Uint8Array, info: string): Uint8Array {
  const pseudoRandomKey = hmacSha256(new Uint8Array(0), [inputKeyMaterial])
  return hmacSha256(pseudoRandomKey, [Buffer.from(info), Uint8Array.of(1)])
}

const AEAD = aeads.Aes256Gcm
/** Every sealed address begins with these bytes. */
const HEADER = Buffer.alloc(ENC_BYTES, 0xff)

/**
 * Encrypts the address of a mailbox for the owner of its token. The server has the token when it creates an address and whenever it shows
 * one, so a key derived from the token is enough, without the key agreement that sealing to the mailbox's public key needs.
 */
export function sealAddress(token: Token, email: string): Uint8Array {
  return Buffer.concat([HEADER, ...seal(deriveContext(token), 0, buildAad(token.mailboxId), Buffer.from(email))])
}

/** Throws if the address was sealed for another mailbox or token, or was changed. */
export function openAddress(token: Token, sealed: Uint8Array): string {
  if (!HEADER.equals(sealed.subarray(0, ENC_BYTES))) throw new Error('not a sealed address')
  return Buffer.from(open(deriveContext(token), 0, buildAad(token.mailboxId), sealed.subarray(ENC_BYTES))).toString()
}

/** A token seals only one address, so the nonce may be fixed. */
function deriveContext(token: Token): HpkeContext {
  return { aead: AEAD, key: deriveAddressKey(token), baseNonce: new Uint8Array(12) }
}

function buildAad(mailboxId: MailboxId): Uint8Array {
  return Buffer.from(`address of ${mailboxId}`)
}

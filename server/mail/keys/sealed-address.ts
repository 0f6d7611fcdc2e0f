/**
 * Encrypts the address of a mailbox for the owner of its token. The server has the token when it creates an address and whenever it shows
 * one, so a key derived from the token is enough, without the key agreement that sealing to the mailbox's public key needs.
 */
import type { MailboxId } from '#server/store/store.ts'
import { aeads, ENC_BYTES, type HpkeContext, open, seal, type X25519KeyPair } from './hpke.ts'
import { openSealed } from './seal.ts'
import { deriveAddressKey, type Token } from './token.ts'

const AEAD = aeads.Aes256Gcm
/** Earlier builds sealed the address to the public key, so it started with an encapsulated key, which never has all of these bits. */
const HEADER = Buffer.alloc(ENC_BYTES, 0xff)

export function sealAddress(token: Token, email: string): Uint8Array {
  return Buffer.concat([HEADER, ...seal(deriveContext(token), 0, buildAad(token.mailboxId), Buffer.from(email))])
}

/** `keys`: those of the mailbox. Throws if the address was sealed for another mailbox or token, or was changed. */
export function openAddress(token: Token, keys: () => X25519KeyPair, sealed: Uint8Array): string {
  const { mailboxId } = token
  const isDerived = HEADER.equals(sealed.subarray(0, ENC_BYTES))
  const address = isDerived
    ? open(deriveContext(token), 0, buildAad(mailboxId), sealed.subarray(ENC_BYTES))
    : openSealed(keys(), 'address', { mailboxId, messageId: '' }, sealed)
  return Buffer.from(address).toString()
}

/** A token seals only one address, so the nonce may be fixed. */
function deriveContext(token: Token): HpkeContext {
  return { aead: AEAD, key: deriveAddressKey(token), baseNonce: new Uint8Array(12) }
}

function buildAad(mailboxId: MailboxId): Uint8Array {
  return Buffer.from(`address of ${mailboxId}`)
}

/** Encodes records, message heads and index entries as bytes. scripts.ts describes them. */
import { AppError } from '#server/errors.ts'
import type { MailboxId, MailboxRecord, MessageId, SealedMessage, StoreResult } from '../store.ts'
import type { Reply } from './client/node-connection.ts'

const RECORD_HEAD_BYTES = 9
const TOKEN_HASH_BYTES = 32
const PUBLIC_KEY_BYTES = 32
const ID_LENGTH = 22
const HEAD_BYTES = 22
const UPLOAD_BYTES = 8

type Opaque = Pick<MailboxRecord, 'tokenHash' | 'publicKey' | 'sealedAddress' | 'mac' | 'createdAt'>

/** createdAt (8), bytes of the MAC (1), token hash (32), public key (32), MAC, sealed address. */
export function encodeRecord({ tokenHash, publicKey, sealedAddress, mac, createdAt }: Opaque): Buffer {
  const head = Buffer.alloc(RECORD_HEAD_BYTES)
  head.writeDoubleBE(createdAt)
  head.writeUInt8(mac.byteLength, 8)
  return Buffer.concat([head, tokenHash, publicKey, mac, sealedAddress])
}

export function decodeRecord(record: Buffer): Opaque {
  const macBytes = record.readUInt8(8)
  const publicKeyAt = RECORD_HEAD_BYTES + TOKEN_HASH_BYTES
  const macAt = publicKeyAt + PUBLIC_KEY_BYTES
  const addressAt = macAt + macBytes
  return {
    createdAt: record.readDoubleBE(),
    tokenHash: new Uint8Array(record.subarray(RECORD_HEAD_BYTES, publicKeyAt)),
    publicKey: new Uint8Array(record.subarray(publicKeyAt, macAt)),
    mac: new Uint8Array(record.subarray(macAt, addressAt)),
    sealedAddress: new Uint8Array(record.subarray(addressAt)),
  }
}

export type Head = { readonly receivedAt: number; readonly rawBytes: number; readonly pieces: number; readonly upload: string }

/** `upload`: 8 bytes in hex, different for each try, so that two of one message never mix their pieces. */
export function encodeRow({ receivedAt, sealedRaw, sealedSummary }: SealedMessage, pieces: number, upload: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeDoubleBE(receivedAt)
  head.writeUInt32BE(sealedRaw.byteLength, 8)
  head.writeUInt16BE(pieces, 12)
  head.write(upload, 14, UPLOAD_BYTES, 'hex')
  return Buffer.concat([head, sealedSummary])
}

export function decodeHead(bytes: Buffer): Head {
  return {
    receivedAt: bytes.readDoubleBE(),
    rawBytes: bytes.readUInt32BE(8),
    pieces: bytes.readUInt16BE(12),
    upload: bytes.toString('hex', 14, HEAD_BYTES),
  }
}

export function decodeRow(bytes: Buffer): { receivedAt: number; sealedSummary: Uint8Array } {
  return { receivedAt: bytes.readDoubleBE(), sealedSummary: new Uint8Array(bytes.subarray(HEAD_BYTES)) }
}

export function decodeEntry(entry: Buffer): { messageId: MessageId; isRemoved: boolean; cursor: number; arrivalCursor: number } {
  return {
    messageId: entry.toString('latin1', 0, ID_LENGTH) as MessageId,
    isRemoved: entry.toString('latin1', ID_LENGTH, ID_LENGTH + 1) === 'R',
    cursor: entry.readUInt32BE(ID_LENGTH + 1),
    arrivalCursor: entry.readUInt32BE(ID_LENGTH + 5),
  }
}

export function mailboxKey(prefix: string, mailboxId: MailboxId): string {
  return `${prefix}{${mailboxId}}`
}

export function pieceKeys(key: string, { pieces, upload }: Pick<Head, 'pieces' | 'upload'>): string[] {
  return Array.from({ length: pieces }, (_, i) => `${key}${upload}:${i}`)
}

/** The mailbox that a channel belongs to. */
export function parseChannel(channel: string): MailboxId {
  return channel.slice(channel.indexOf('{') + 1, channel.lastIndexOf('}')) as MailboxId
}

const OUTCOMES = ['duplicate', 'mailbox_full', 'mailbox_not_found'] as const

/** @throws AppError if the reply is no known outcome of a delivery. */
export function toStoreResult(reply: Reply): StoreResult {
  if (typeof reply === 'number') return { outcome: 'stored', cursor: reply }
  const outcome = OUTCOMES.find(known => known === String(reply))
  if (!outcome) throw new AppError('unavailable', { cause: new Error(`the store replied ${reply}`) })
  return { outcome }
}

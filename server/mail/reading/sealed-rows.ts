/** Rows of the store as arguments for the tasks of the mail threads: what is not encrypted, and the encrypted bytes. */
import type { StoredRow } from '../message/message.ts'

/** As the store returns it, with more fields. */
export type SealedRow = StoredRow & { readonly sealedSummary: Uint8Array; readonly sealedAuthentication: Uint8Array | undefined }

/** Passed to a task in place of bytes that a message does not have. */
export const NO_BYTES = new Uint8Array(0)

export function toStoredRow({ messageId, arrivalCursor, receivedAt }: StoredRow): StoredRow {
  return { messageId, arrivalCursor, receivedAt }
}

/** The sealed summary, then the sealed authentication result or nothing. */
export function rowBytes({ sealedSummary, sealedAuthentication }: SealedRow): [Uint8Array, Uint8Array] {
  return [sealedSummary, sealedAuthentication ?? NO_BYTES]
}

import type { MimeLimits } from './types.ts'

const MIB = 1024 * 1024

export const defaultMimeLimits: MimeLimits = {
  partsMax: 1000, // real mail stays under 100
  depthMax: 256, // real mail stays under 20, so consumers may recurse
  headerBytesMax: 2 * MIB, // all header blocks together
  headerFieldsMax: 20_000, // an attack sends 10,000 of one name; a field costs about 200 bytes of heap
  fieldBytesMax: 128 * 1024, // a To: of 3,000 addresses; the longest fields of real mail (ARC, References) stay under 20 kB
}

/** Warnings kept per message: 500,000 broken parts would otherwise cause 500,000. */
export const WARNINGS_MAX = 50
/** A warning quotes the sender: enough to recognise the place. */
export const WARNING_CHARS_MAX = 100
/** Decoded bytes of all text parts in one view: 80,000 lines. More would help nobody and fill the thread's heap. */
export const TEXT_BYTES_MAX = 4 * MIB
/** Uuencoded files in one text: a mail with more is an attack. */
export const FILES_IN_TEXT_MAX = 100
/** Attachments of one message. Files in texts and in winmail.dat are no parts, and a page that shows 100,000 does not respond. */
export const ATTACHMENTS_MAX = 1000

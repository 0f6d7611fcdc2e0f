/** What text in a request may contain, besides its length, and which local parts may be chosen. */
import { LOCAL_PART_CHARS } from './limits.ts'

/** At most 64 characters before the @ (RFC 5321 section 4.5.3.1.1). */
export const EMAIL_LOCAL_PART = /^[^@]{1,64}@/

const CONTROLS = '\\u007f-\\u009f'
/**
 * No control characters, no line breaks, and no marks that turn the direction of text: in a list, a name must not reorder what stands
 * beside it. The browser's messages need no word for what these two patterns exclude: nobody types it.
 */
export const ONE_LINE = new RegExp(`^[^\\u0000-\\u001f${CONTROLS}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$`)
/** The same as `ONE_LINE`, but with tabs and line breaks. */
export const MULTIPLE_LINES = new RegExp(`^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${CONTROLS}]*$`)

/** The address of a mailbox, whose domain is ASCII (RFC 5890): nothing that could control a terminal or reverse what is read. */
export const MAILBOX_ADDRESS = /^[!-?A-~]{1,64}@[!-?A-~]{1,255}$/

/** ASCII letters and digits with single dots, hyphens or underscores between them: valid everywhere without quoting (RFC 5321 4.1.2). */
export const CHOSEN_LOCAL_PART = /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/

/**
 * The shape of generated names, `word.word.xxxxxxxxx`, with shorter and longer endings. It is reserved: if somebody could choose a name
 * that was generated before, they could read mail meant for its last owner.
 */
const GENERATED = /^[a-z]{3,8}\.[a-z]{3,8}\.[0-9a-z]{4,12}$/i

/** Does not check whether the name is reserved or taken. */
export function isChoosable(localPart: string): boolean {
  return (
    localPart.length >= LOCAL_PART_CHARS.min &&
    localPart.length <= LOCAL_PART_CHARS.max &&
    CHOSEN_LOCAL_PART.test(localPart) &&
    !GENERATED.test(localPart)
  )
}

/** The reply of an address that fails on purpose: `cut`, or a refusal (RFC 5321 4.2.1) with an enhanced code of its class (RFC 3463). */
export const PLANNED_REPLY = /^(?:cut|4[0-5]\d(?: 4\.\d{1,3}\.\d{1,3})?|5[0-5]\d(?: 5\.\d{1,3}\.\d{1,3})?)$/

/** How the conditions of lists and waits match: in any letter case, and `é` written as one character or as two. */
export const containsText = (text: string, wanted: string): boolean => toComparable(text).includes(toComparable(wanted))

const toComparable = (text: string): string => text.normalize('NFC').toLowerCase()

/** base64url of 16 bytes of mailbox id and 32 random bytes, which may begin with any letters. */
export const MAILBOX_TOKEN = /^[\w-]{64}$/

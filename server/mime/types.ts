/**
 * What one linear pass over a message yields. Nothing is decoded or copied here: a part is a window (offset, length) on the raw bytes,
 * and bodies are decoded only when asked for. Everything from the sender is data: names are never used as paths or object keys.
 */

/** Limits with the attack each stops. A message over a limit is parsed as far as the limit and marked `partial`. */
export type MimeLimits = {
  /** Leaf and container parts together (500,000 empty parts). */
  readonly partsMax: number
  /** Nesting of multipart and message/rfc822. */
  readonly depthMax: number
  /** All header blocks of the message together. */
  readonly headerBytesMax: number
  /** Header fields of the message together (500,000 fields of a few bytes). */
  readonly headerFieldsMax: number
  /** One header field; the rest of a longer one is cut off (one line of 10 MB, 100,000 encoded-words in one Subject). */
  readonly fieldBytesMax: number
}

/** A header field in order of appearance. `value` is unfolded, its encoded-words not yet decoded; bytes are UTF-8 where valid, else windows-1252. */
export type HeaderField = { readonly name: string; readonly value: string }

export type MimePart = {
  /** Place in the tree as numbers from the root: `[]` is the message itself, `[0, 1]` the second part of the first. */
  readonly path: readonly number[]
  readonly headers: readonly HeaderField[]
  /** Lower case, `text/plain` when missing or unreadable. */
  readonly contentType: string
  /** As declared, lower case; `undefined` when not declared. */
  readonly charset: string | undefined
  /** `7bit`, `8bit`, `binary`, `base64`, `quoted-printable`, `x-uuencode`; unknown ones are `8bit`. */
  readonly encoding: string
  readonly disposition: 'inline' | 'attachment' | undefined
  /** Decoded (RFC 2047, RFC 2231) but otherwise the sender's: hostile. `safeFilename` makes it fit to show and save. */
  readonly filename: string | undefined
  /** Without angle brackets. */
  readonly contentId: string | undefined
  readonly format: { readonly flowed: boolean; readonly delSp: boolean }
  /** Window of the still encoded body on the raw bytes. */
  readonly bodyOffset: number
  readonly bodyLength: number
  /** Sub-parts of a multipart or of a message/rfc822 (then exactly one). */
  readonly children: readonly MimePart[]
}

export type ParsedMessage = {
  readonly root: MimePart
  /** `partial`: a limit was met or the structure is broken. `failed`: nothing but the bytes could be made out. */
  readonly status: 'ok' | 'partial' | 'failed'
  /** Stable words with a detail, e.g. `parts_max`, `unclosed_boundary: abc`. At most 50. */
  readonly warnings: readonly string[]
}

export type MailAddress = { readonly name: string; readonly address: string }

/** An attachment as a mail program would list it: also inline images, calendar parts and embedded messages (as .eml). */
export type AttachmentPart = {
  readonly index: number
  readonly part: MimePart
  /** Safe to show and to save; never empty (`attachment-3.pdf`). */
  readonly filename: string
  readonly contentType: string
  /** Decoded size in bytes. */
  readonly size: number
  readonly inline: boolean
  readonly contentId: string | undefined
  /** Where the bytes lie in the decoded body of `part` when they are not all of it (a file inside a winmail.dat, a uuencoded file in a text). */
  readonly slice?: {
    readonly offset: number
    readonly length: number
    readonly encoding?: 'x-uuencode'
  }
}

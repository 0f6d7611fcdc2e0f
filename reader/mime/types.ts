/**
 * The result of parsing a message. Nothing is decoded or copied: a part is a window (offset, length) on the raw bytes, and bodies are
 * decoded on demand. Everything comes from the sender: names are never used as paths or object keys.
 */

/** Limits, each with the attack it stops. A message over a limit is parsed up to it and marked `partial`. */
export type MimeLimits = {
  /** Leaf and container parts together (500,000 empty parts). */
  readonly partsMax: number
  /** Nesting of multipart and message/rfc822. */
  readonly depthMax: number
  /** All header blocks of the message together. */
  readonly headerBytesMax: number
  /** Header fields of the message together (500,000 fields of a few bytes). */
  readonly headerFieldsMax: number
  /** One header field; a longer one is cut (one line of 10 MB, 100,000 encoded-words in one Subject). */
  readonly fieldBytesMax: number
}

/** A header field, in order. `value` is unfolded, its encoded-words not decoded. Bytes are UTF-8 if valid, else windows-1252. */
export type HeaderField = { readonly name: string; readonly value: string }

export type MimePart = {
  /** Position in the tree as indexes from the root: `[]` is the message itself, `[0, 1]` the second part of the first. */
  readonly path: readonly number[]
  readonly headers: readonly HeaderField[]
  /** Lower case; `text/plain` if missing or unreadable. */
  readonly contentType: string
  /** The declared name in lower case; `undefined` if there is none. */
  readonly charset: string | undefined
  /** What the multiparts around a part declare, which some programs do only there. */
  readonly outerCharset: string | undefined
  /** `7bit`, `8bit`, `binary`, `base64`, `quoted-printable`, `x-uuencode`; unknown ones are `8bit`. */
  readonly encoding: string
  readonly disposition: 'inline' | 'attachment' | undefined
  /** Decoded (RFC 2047, RFC 2231) but otherwise the sender's. Use `safeFilename` to show or save it. */
  readonly filename: string | undefined
  /** Without angle brackets. */
  readonly contentId: string | undefined
  /** The Content-ID of the part that a multipart/related begins with, if it says so. */
  readonly start: string | undefined
  readonly format: { readonly flowed: boolean; readonly delSp: boolean }
  /** Position of the encoded body in the raw bytes. */
  readonly bodyOffset: number
  readonly bodyLength: number
  /** The bytes that `bodyOffset` counts in, if they are not the raw ones: the letter that a winmail.dat contains. */
  readonly unpacked?: Uint8Array
  /** Sub-parts of a multipart, or the one message in a message/rfc822. */
  readonly children: readonly MimePart[]
  /** Set by the first `filesInText`. */
  files?: readonly UuencodedFile[]
  /** Set by whoever first decodes it for a preview, codes or links. */
  text?: string
}

/** A uuencoded file within a text, as mail programs sent them before MIME. Offsets are bytes of the text; `size` is that of the file. */
export type UuencodedFile = { readonly name: string; readonly offset: number; readonly length: number; readonly size: number }

/** The parts that a mail program shows as the body, in order. A part may be in both views. */
export type BodyParts = { readonly html: readonly MimePart[]; readonly text: readonly MimePart[] }

/** `partial`: a limit was reached or the structure is broken. `failed`: only the bytes are known. */
export type ParseStatus = 'ok' | 'partial' | 'failed'

export type ParsedMessage = {
  readonly root: MimePart
  readonly status: ParseStatus
  /** Fixed words with a detail, e.g. `parts_max`, `unclosed_boundary: abc`. At most 50. */
  readonly warnings: readonly string[]
  /** Set by the first `bodyParts`. In a WeakMap it would keep the whole tree until the old generation is collected. */
  body?: BodyParts | undefined
  /** Set by the first `bodyPictures`. */
  pictures?: Pictures | undefined
}

/** `names`: how the HTML refers to a part that it shows. `standing`: pictures between the texts that nothing refers to. */
export type Pictures = { readonly names: ReadonlyMap<MimePart, readonly string[]>; readonly standing: ReadonlyMap<MimePart, string> }

/** What a program reports on another mail. `text` says it in English, with the fields. The values are without their types. */
export type Report = {
  readonly kind: 'failed' | 'delayed' | 'delivered' | 'read' | 'deleted' | 'processed' | 'complaint'
  readonly fields: { readonly name: string; readonly value: string }[]
  readonly text: string
}

export type MailAddress = { readonly name: string; readonly address: string }

/** An attachment as a mail program would list it, including inline images, calendar parts and embedded messages (as .eml). */
export type AttachmentPart = {
  readonly index: number
  readonly part: MimePart
  /** Safe to show and to save; never empty (`attachment-3.pdf`). */
  readonly filename: string
  readonly contentType: string
  /** Decoded size in bytes. */
  readonly size: number
  /** The HTML shows it, so it is no file beside the text. */
  readonly inline: boolean
  /** How the HTML calls it: the sources of its pictures. */
  readonly references: readonly string[]
  readonly contentId: string | undefined
  /**
   * Where the bytes are in the decoded body of `part`, if they are not all of it (a file inside a winmail.dat, a uuencoded file in a text).
   */
  readonly slice?: { readonly offset: number; readonly length: number; readonly encoding?: 'x-uuencode' }
}

import { decodeBody, decodeBytes, encodedBody, isUnencoded } from '../encodings/transfer-encoding.ts'
import { decodeWords } from '../headers/encoded-words.ts'
import { firstHeader } from '../headers/headers.ts'
import { fileExtension, safeFilename } from '../headers/parameters.ts'
import { ATTACHMENTS_MAX } from '../mime-limits.ts'
import { isTnef, readTnef, type TnefFile } from '../tnef/tnef.ts'
import type { AttachmentPart, MimePart, ParsedMessage, Pictures, UuencodedFile } from '../types.ts'
import { bodyParts, isEmbeddedMessage, isMultipart } from './body-parts.ts'
import { parseMessage } from './parse.ts'
import { bodyPictures } from './pictures.ts'
import { filesInText, textKind } from './text-part.ts'

/** Enough of an encoded message to find its subject. */
const ENCODED_HEAD_BYTES = 16 * 1024
/** Only its own fields are read: with a thousand parts in each of a thousand such messages, a mail would have a million. */
const FIELDS_ALONE = { partsMax: 1, depthMax: 1 }

/** Every part outside the body, in order, also inline images, calendars, signatures and messages (.eml); at most ATTACHMENTS_MAX. */
export function listAttachments(raw: Uint8Array, parsed: ParsedMessage): AttachmentPart[] {
  const { html, text } = bodyParts(raw, parsed)
  const pictures = bodyPictures(raw, parsed)
  const shown = new Set([...html, ...text].filter(part => textKind(part) !== undefined || isEmbeddedMessage(part)))
  const repeated = repeatedCalendars(raw, parsed.root)
  const found: AttachmentPart[] = []
  visit(parsed.root, shown, part => {
    if (found.length >= ATTACHMENTS_MAX) return
    if (shown.has(part) && !isEmbeddedMessage(part)) {
      for (const file of filesInText(raw, part)) found.push(fileInText(part, file, found.length))
      return
    }
    if (repeated.has(part)) return
    const tnef = isTnef(part) ? readTnef(decodeBody(raw, part)) : undefined
    for (const file of tnef?.files ?? []) found.push(tnefAttachment(part, file, found.length))
    // The files of a winmail.dat replace it, unless it contains more: a letter that is not shown, as the text of the mail repeats it.
    const isLetterHidden = tnef?.hasLetter && !text.some(({ unpacked, path }) => unpacked && path === part.path)
    const isEmpty = !tnef?.hasLetter && tnef?.files.length === 0
    if (tnef === undefined || tnef.hasMore || isLetterHidden || isEmpty) found.push(attachment(raw, part, pictures, found.length))
  })
  return found.slice(0, ATTACHMENTS_MAX)
}

/** The bytes of an attachment, exactly as the sender had them. */
export const decodeAttachment = (raw: Uint8Array, attachment: AttachmentPart): Uint8Array => attachmentDecoder(raw)(attachment)

/** The same for several. A part is decoded once for all files in it, which follow each other: a winmail.dat may have a thousand. */
export function attachmentDecoder(raw: Uint8Array): (attachment: AttachmentPart) => Uint8Array {
  let last: { readonly part: MimePart; readonly bytes: Buffer } | undefined
  return ({ part, slice }) => {
    if (last?.part !== part) last = { part, bytes: decodeBody(raw, part) }
    if (!slice) return last.bytes
    const window = last.bytes.subarray(slice.offset, slice.offset + slice.length)
    return decodeBytes(window, slice.encoding ?? 'binary')
  }
}

/** The leaves in order. An embedded message is one leaf; if it is shown as part of the body, its own leaves follow too. */
function visit(part: MimePart, shown: ReadonlySet<MimePart>, found: (part: MimePart) => void): void {
  const isLeaf = !isMultipart(part)
  if (isLeaf && (part.bodyLength > 0 || part.path.length > 0 || !part.contentType.startsWith('multipart/'))) found(part)
  if (isLeaf && !(isEmbeddedMessage(part) && shown.has(part))) return
  for (const child of part.children) visit(child, shown, found)
}

function attachment(raw: Uint8Array, part: MimePart, { names, standing }: Pictures, index: number): AttachmentPart {
  const name = standing.get(part)
  return {
    index,
    part,
    filename: safeFilename(attachmentName(raw, part), index, part.contentType),
    contentType: part.contentType,
    size: decodedSize(raw, part),
    inline: names.has(part),
    references: names.get(part) ?? (name === undefined ? [] : [name]),
    contentId: part.contentId,
  }
}

function tnefAttachment(part: MimePart, { name, contentType, offset, length }: TnefFile, index: number): AttachmentPart {
  const filename = safeFilename(name, index, contentType)
  return {
    index,
    part,
    filename,
    contentType,
    size: length,
    inline: false,
    references: [],
    contentId: undefined,
    slice: { offset, length },
  }
}

function fileInText(part: MimePart, { name, offset, length, size }: UuencodedFile, index: number): AttachmentPart {
  const contentType = 'application/octet-stream'
  const filename = safeFilename(name, index, contentType)
  return {
    index,
    part,
    filename,
    contentType,
    size,
    inline: false,
    references: [],
    contentId: undefined,
    slice: { offset, length, encoding: 'x-uuencode' },
  }
}

function attachmentName(raw: Uint8Array, part: MimePart): string | undefined {
  const embedded = part.contentType === 'message/rfc822' || part.contentType === 'message/global'
  if (!embedded) return part.filename
  const inner = part.children[0] ?? encodedMessage(raw, part)
  const name = part.filename ?? (inner ? decodeWords(firstHeader(inner, 'subject') ?? '') : '')
  if (name.trim() === '') return undefined
  return /\.[a-z0-9]{2,4}$/i.test(name) && part.filename !== undefined ? name : `${name}.${fileExtension(part.contentType)}`
}

/** An embedded message in base64 or quoted-printable (forbidden by RFC 2046 §5.2.1) is not parsed, but named after its subject. */
function encodedMessage(raw: Uint8Array, part: MimePart): MimePart | undefined {
  if (isUnencoded(part)) return undefined
  return parseMessage(decodeBytes(encodedBody(raw, part).subarray(0, ENCODED_HEAD_BYTES), part.encoding), FIELDS_ALONE).root
}

/** In bytes: exact, not estimated from the encoded size. */
const decodedSize = (raw: Uint8Array, part: MimePart): number => decodeBytes(encodedBody(raw, part), part.encoding).length

/** More are no invitation. */
const CALENDARS_COMPARED_MAX = 10

/** An invitation comes twice, as a form of the text and as a file, often in another encoding: the file is listed. */
function repeatedCalendars(raw: Uint8Array, root: MimePart): ReadonlySet<MimePart> {
  const calendars = calendarsIn(root).slice(0, CALENDARS_COMPARED_MAX)
  if (calendars.length < 2) return new Set()
  const texts = calendars.map(part => Buffer.from(decodeBody(raw, part)).toString('latin1').replace(/\r\n?/g, '\n').trim())
  return new Set(calendars.filter((_, at) => texts.indexOf(texts[at] ?? '', at + 1) !== -1))
}

function calendarsIn(part: MimePart): MimePart[] {
  if (isMultipart(part)) return part.children.flatMap(calendarsIn)
  return /^(?:text\/calendar|application\/ics)$/.test(part.contentType) ? [part] : []
}

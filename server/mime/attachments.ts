import { bodyParts, isMultipart, textKind } from './body-parts.ts'
import { decodedSize } from './decoded-size.ts'
import { decodeWords } from './encoded-words.ts'
import { extensionOf, safeFilename } from './filename.ts'
import { firstHeader } from './headers.ts'
import { readTnef, type TnefFile } from './tnef.ts'
import { decodeBody } from './transfer-encoding.ts'
import type { AttachmentPart, ParsedMessage, Part } from './types.ts'

/** Every part that is not read as the body, in order: also inline images, calendars, reports, signatures and embedded messages (as .eml). */
export function attachmentsOf(raw: Uint8Array, parsed: ParsedMessage): AttachmentPart[] {
  const { html, text } = bodyParts(parsed)
  const shown = new Set([...html, ...text].filter(part => textKind(part) !== undefined))
  const found: AttachmentPart[] = []
  visit(parsed.root, undefined, (part, parent) => {
    if (shown.has(part)) return
    const tnef = isTnef(part) ? readTnef(decodeBody(raw, part)) : undefined
    for (const file of tnef?.files ?? []) found.push(tnefAttachment(part, file, found.length))
    // a winmail.dat gives way to its files, unless there is more in it than those
    if (tnef === undefined || tnef.hasMore || tnef.files.length === 0) found.push(attachment(raw, part, parent, found.length))
  })
  return found
}

/** The bytes of an attachment, exactly as the sender had them (M12). */
export function decodeAttachment(raw: Uint8Array, { part, slice }: AttachmentPart): Uint8Array {
  const bytes = decodeBody(raw, part)
  return slice ? bytes.subarray(slice.offset, slice.offset + slice.length) : bytes
}

/** Leaves in order of appearance; an embedded message is one leaf. */
function visit(part: Part, parent: Part | undefined, found: (part: Part, parent: Part | undefined) => void): void {
  if (!isMultipart(part)) {
    if (part.bodyLength > 0 || parent || !part.contentType.startsWith('multipart/')) found(part, parent)
    return
  }
  for (const child of part.children) visit(child, part, found)
}

function attachment(raw: Uint8Array, part: Part, parent: Part | undefined, index: number): AttachmentPart {
  return {
    index,
    part,
    filename: safeFilename(nameOf(part), index, part.contentType),
    contentType: part.contentType,
    size: decodedSize(raw, part),
    inline: part.disposition === 'inline' || isReferenced(part, parent),
    contentId: part.contentId,
  }
}

function tnefAttachment(part: Part, { name, contentType, offset, length }: TnefFile, index: number): AttachmentPart {
  const filename = safeFilename(name, index, contentType)
  return { index, part, filename, contentType, size: length, inline: false, contentId: undefined, slice: { offset, length } }
}

function isTnef(part: Part): boolean {
  return /^application\/(vnd\.)?ms-tnef$/.test(part.contentType) || part.filename?.toLowerCase() === 'winmail.dat'
}

/** Outlook gives every attachment a Content-ID; only inside multipart/related is it meant to be shown in place (RFC 2387). */
function isReferenced(part: Part, parent: Part | undefined): boolean {
  return part.disposition === undefined && part.contentId !== undefined && parent?.contentType === 'multipart/related'
}

function nameOf(part: Part): string | undefined {
  const embedded = part.contentType === 'message/rfc822' || part.contentType === 'message/global'
  if (!embedded) return part.filename
  const inner = part.children[0]
  const name = part.filename ?? (inner ? decodeWords(firstHeader(inner, 'subject') ?? '') : '')
  if (name.trim() === '') return undefined
  return /\.[a-z0-9]{2,4}$/i.test(name) && part.filename !== undefined ? name : `${name}.${extensionOf(part.contentType)}`
}

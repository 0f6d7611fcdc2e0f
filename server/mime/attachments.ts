import { bodyParts, isMultipart, textKind } from './body-parts.ts'
import { decodedSize } from './decoded-size.ts'
import { decodeWords } from './encoded-words.ts'
import { extensionOf, safeFilename } from './filename.ts'
import { firstHeader } from './headers.ts'
import { decodeBody } from './transfer-encoding.ts'
import type { AttachmentPart, ParsedMessage, Part } from './types.ts'

/** Every part that is not read as the body, in order: also inline images, calendars, reports, signatures and embedded messages (as .eml). */
export function attachmentsOf(raw: Uint8Array, parsed: ParsedMessage): AttachmentPart[] {
  const { html, text } = bodyParts(parsed)
  const shown = new Set([...html, ...text].filter(part => textKind(part) !== undefined))
  const found: AttachmentPart[] = []
  visit(parsed.root, undefined, (part, parent) => {
    if (!shown.has(part)) found.push(attachment(raw, part, parent, found.length))
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

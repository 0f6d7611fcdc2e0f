/** Which attachments have a preview, and whether given bytes may be shown. Pure: no DOM. */
import type { Attachment } from '#contract/mailbox.ts'
import { imageSize } from '../images/image-size.ts'

/** 15 MiB: enough for a phone's camera, and little enough for a phone's memory. */
const PREVIEW_BYTES_MAX = 15 * 1024 * 1024
/** 50 million pixels are 200 MB once unpacked; the largest cameras of phones make them. */
const PIXELS_MAX = 50_000_000

/** Decided by the declared type. The bytes are checked before anything is shown. */
export function previewKind({ contentType, size }: Pick<Attachment, 'contentType' | 'size'>): 'picture' | 'pdf' | undefined {
  if (size > PREVIEW_BYTES_MAX) return undefined
  if (/^image\/(?:png|p?jpe?g|gif|webp)$/i.test(contentType)) return 'picture'
  return /^application\/(?:x-)?pdf$/i.test(contentType) ? 'pdf' : undefined
}

export function isPictureShown(bytes: Uint8Array): boolean {
  const size = imageSize(bytes)
  return size !== undefined && size.width * size.height <= PIXELS_MAX
}

/** Which attachments can be looked at without a download, and whether these bytes may be. Pure: no DOM. */
import type { Attachment } from '#contract/mailbox.ts'
import { imageSize } from '../images/image-size.ts'

/** 15 MiB: what a phone's camera makes fits, and a phone's memory holds it. */
const PREVIEW_BYTES_MAX = 15 * 1024 * 1024
/** 50 million pixels are 200 MB once unpacked; the largest cameras of phones make them. */
const PIXELS_MAX = 50_000_000

/** By what the sender says; the bytes are asked before anything is shown. */
export function previewKind({ contentType, size }: Pick<Attachment, 'contentType' | 'size'>): 'picture' | 'pdf' | undefined {
  if (size > PREVIEW_BYTES_MAX) return undefined
  if (/^image\/(?:png|p?jpe?g|gif|webp)$/i.test(contentType)) return 'picture'
  return /^application\/(?:x-)?pdf$/i.test(contentType) ? 'pdf' : undefined
}

export function isPictureShown(bytes: Uint8Array): boolean {
  const size = imageSize(bytes)
  return size !== undefined && size.width * size.height <= PIXELS_MAX
}

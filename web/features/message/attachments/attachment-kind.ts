/** Each kind has its own icon and name. */
export type AttachmentKind = 'image' | 'video' | 'pdf' | 'spreadsheet' | 'archive' | 'text' | 'other'

const SPREADSHEET = /spreadsheet|ms-excel|\bcsv\b|tab-separated/
const ARCHIVE = /\b(?:x-)?(?:zip|7z|rar|tar|gtar|gzip|bzip2?|xz|zstd)\b|compressed|vnd\.rar/

/** By content type only, because the sender chooses the name. */
export function attachmentKind(contentType: string): AttachmentKind {
  const type = contentType.toLowerCase()
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('video/')) return 'video'
  if (type === 'application/pdf') return 'pdf'
  if (SPREADSHEET.test(type)) return 'spreadsheet'
  if (ARCHIVE.test(type)) return 'archive'
  return type.startsWith('text/') ? 'text' : 'other'
}

/** B under 1024, KB with 1 decimal, MB with 2. The decimal mark follows the language. */
export function formatSize(bytes: number, language: string): string {
  const show = (value: number, digits: number) =>
    new Intl.NumberFormat(language, { useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
  if (bytes < 1024) return `${bytes} B`
  // Rounded before choosing the unit, so that a byte less than a megabyte is not "1,024.0 KB".
  if (Math.round((bytes / 1024) * 10) / 10 < 1024) return `${show(bytes / 1024, 1)} KB`
  return `${show(bytes / (1024 * 1024), 2)} MB`
}

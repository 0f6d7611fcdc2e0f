// Bidi controls, zero-width characters, tags and other format characters (`evil\u202Egpj.exe`), line separators, private use, lone
// surrogates
const HIDDEN = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
const SPACES = /\p{Zs}+/gu
// Characters that Windows forbids, and look-alikes of slashes
const REPLACED = /[<>:"|?*\u2044\u2215\u29f8\u29f9\uff0f\uff3c]/g
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i

const FILENAME_BYTES_MAX = 255 // what ext4, APFS and NTFS take
const EXTENSION_BYTES_MAX = 20 // anything longer is no extension and may be cut

const EXTENSIONS = new Map(
  Object.entries({
    'application/gzip': 'gz',
    'application/ics': 'ics',
    'application/json': 'json',
    'application/msword': 'doc',
    'application/ms-tnef': 'dat',
    'application/pdf': 'pdf',
    'application/pgp-encrypted': 'asc',
    'application/pgp-keys': 'asc',
    'application/pgp-signature': 'asc',
    'application/pkcs7-mime': 'p7m',
    'application/pkcs7-signature': 'p7s',
    'application/x-pkcs7-mime': 'p7m',
    'application/x-pkcs7-signature': 'p7s',
    'application/rtf': 'rtf',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.ms-tnef': 'dat',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/xml': 'xml',
    'application/zip': 'zip',
    'audio/mpeg': 'mp3',
    'audio/wav': 'wav',
    'image/bmp': 'bmp',
    'image/gif': 'gif',
    'image/jpeg': 'jpg',
    'image/jpg': 'jpg',
    'image/pjpeg': 'jpg',
    'image/png': 'png',
    'image/svg+xml': 'svg',
    'image/tiff': 'tif',
    'image/webp': 'webp',
    'message/delivery-status': 'txt',
    'message/disposition-notification': 'txt',
    'message/feedback-report': 'txt',
    'message/global': 'eml',
    'message/rfc822': 'eml',
    'text/calendar': 'ics',
    'text/csv': 'csv',
    'text/directory': 'vcf',
    'text/html': 'html',
    'text/plain': 'txt',
    'text/rfc822-headers': 'txt',
    'text/vcard': 'vcf',
    'text/x-vcard': 'vcf',
    'text/xml': 'xml',
    'video/mp4': 'mp4',
  }),
)

/**
 * A name that is safe to show and save on any system: no path, no control or hidden character, no reserved name, at most 255 bytes with the
 * real extension. `attachment-N.ext` (N is `index` + 1) if nothing is left.
 */
export function safeFilename(name: string | undefined, index: number, contentType: string): string {
  const cleaned = shorten(withoutReserved(clean(name ?? '')))
  return cleaned === '' ? `attachment-${index + 1}.${fileExtension(contentType)}` : cleaned
}

export function fileExtension(contentType: string): string {
  return EXTENSIONS.get(contentType) ?? (contentType.startsWith('text/') ? 'txt' : 'bin')
}

function clean(name: string): string {
  const visible = name.normalize('NFC').replace(/\s+/g, ' ').replace(HIDDEN, '').replace(SPACES, ' ')
  const last = visible.split(/[/\\]/).findLast(segment => /[^. ]/.test(segment)) ?? ''
  return last.replace(REPLACED, '_').replace(/^[. ]+|[. ]+$/g, '')
}

function withoutReserved(name: string): string {
  const stem = (name.split('.')[0] ?? '').trim()
  return RESERVED.test(stem) ? `_${name}` : name
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= FILENAME_BYTES_MAX) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 ? name.slice(dot) : ''
  const extension = Buffer.byteLength(ending) <= EXTENSION_BYTES_MAX ? ending : ''
  const stem = extension === '' ? name : name.slice(0, dot)
  const kept = Buffer.from(stem).subarray(0, FILENAME_BYTES_MAX - Buffer.byteLength(extension))
  // the last character may be cut in two
  return `${kept
    .toString('utf8')
    .replace(/\ufffd+$/, '')
    .trimEnd()}${extension}`
}

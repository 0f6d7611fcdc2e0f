/** Sends bytes from a mail so that a browser can only save them, or show a PDF. */
import type { Context } from 'hono'
import { reserveResponseBytes } from '../connections/response-budget.ts'
import type { HttpEnv } from '../env.ts'

/** Types that help the system to open a saved file and that no browser runs. Everything else is sent as plain bytes. */
const TYPES = new Set([
  'application/pdf',
  'application/zip',
  'audio/mpeg',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'message/rfc822',
  'text/calendar',
  'text/csv',
  'text/plain',
  'video/mp4',
])

/** Where viewers look for a PDF's first bytes. */
const PDF_HEAD_BYTES = 1024

export type Download = {
  readonly filename: string
  readonly contentType: string
  readonly charset?: string | undefined
  readonly bytes: Uint8Array
  readonly etag: string
  /** To show a PDF, not to save it. */
  readonly isViewWanted?: boolean
}

/**
 * The only type that is ever shown. Browsers draw it in their own viewer, and the policy below gives the document no scripts, no network
 * and an origin of its own. HTML that claims to be a PDF is saved.
 */
function isPdf(contentType: string, bytes: Uint8Array): boolean {
  return contentType === 'application/pdf' && Buffer.from(bytes.subarray(0, PDF_HEAD_BYTES)).includes('%PDF-')
}

/** 200, 206 or 416. `etag` identifies the bytes, so that an interrupted download can continue. */
export function downloadResponse(c: Context<HttpEnv>, download: Download): Response {
  const { filename, contentType, charset = '', bytes, etag, isViewWanted = false } = download
  const isText = contentType.startsWith('text/') && /^[\w.:+-]{1,40}$/.test(charset)
  const tag = `"${etag}"`
  const ifRange = c.req.header('if-range')
  const range = ifRange === undefined || ifRange === tag ? byteRange(c.req.header('range'), bytes.length) : 'whole'
  const headers = new Headers({
    'content-type': TYPES.has(contentType) ? `${contentType}${isText ? `; charset=${charset}` : ''}` : 'application/octet-stream',
    'content-disposition': attachmentDisposition(filename, isViewWanted && isPdf(contentType, bytes) ? 'inline' : 'attachment'),
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag: tag,
  })
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${bytes.length}`)
    return new Response(null, { status: 416, headers })
  }
  const slice = range === 'whole' ? bytes : bytes.subarray(range.start, range.end)
  if (range !== 'whole') headers.set('content-range', `bytes ${range.start}-${range.end - 1}/${bytes.length}`)
  headers.set('content-length', String(slice.length))
  return storedResponse(c, slice, { status: range === 'whole' ? 200 : 206, headers }, bytes.length)
}

/** `bytesHeld`: what stays in memory until the response was sent, and counts as unread. @throws as `ResponseBudget.take` */
export function storedResponse(c: Context<HttpEnv>, bytes: Uint8Array, init: ResponseInit, bytesHeld = bytes.length): Response {
  reserveResponseBytes(c, bytesHeld)
  return c.newResponse(copySharedBytes(bytes), init as ResponseInit & { status?: 200 })
}

/** `start` inclusive, `end` exclusive. */
type ByteRange = { readonly start: number; readonly end: number }

/** The one byte range of a `Range` header (RFC 9110 section 14). `'whole'`: none, several, or ignored. `'unsatisfiable'`: 416. */
function byteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!match) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size }
  const range = { start: Number(first), end: Math.min(size, last === '' ? size : Number(last) + 1) }
  if (last !== '' && Number(last) < range.start) return 'whole'
  return range.start < size ? range : 'unsatisfiable'
}

const NAME_CHARS_MAX = 200

/** `Content-Disposition` with any file name (RFC 6266, RFC 8187). An ASCII fallback that needs no escaping, and the whole name in UTF-8. */
function attachmentDisposition(filename: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  const name =
    filename
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}/\\]/gu, '_')
      .slice(0, NAME_CHARS_MAX)
      .toWellFormed() || 'attachment'
  const fallback = name.replace(/[^\w .()+-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${disposition}; filename="${fallback}"; filename*=UTF-8''${encoded}`
}

/** The bytes as a response body accepts them: copied only if they are in memory shared with another thread. */
export function copySharedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes)
}

/** Sends bytes from a mail so that a browser can only save them, or show a PDF. */
import type { Context } from 'hono'
import { reserveResponseBytes } from '../connections/response-budget.ts'
import type { HttpEnv } from '../env.ts'
import { byteRange } from './byte-range.ts'
import { attachmentDisposition } from './content-disposition.ts'
import { copySharedBytes } from './copy-shared-bytes.ts'

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

type Download = { readonly filename: string; readonly contentType: string; readonly bytes: Uint8Array; readonly etag: string }

/**
 * The only type that is ever shown. Browsers draw it in their own viewer, and the policy below gives the document no scripts, no network
 * and an origin of its own. HTML that claims to be a PDF is saved.
 */
function isPdf(contentType: string, bytes: Uint8Array): boolean {
  return contentType === 'application/pdf' && Buffer.from(bytes.subarray(0, PDF_HEAD_BYTES)).includes('%PDF-')
}

/** 200, 206 or 416. `etag` identifies the bytes, so that an interrupted download can continue. */
export function downloadResponse(c: Context<HttpEnv>, { filename, contentType, bytes, etag }: Download, isViewWanted = false): Response {
  const tag = `"${etag}"`
  const ifRange = c.req.header('if-range')
  const range = ifRange === undefined || ifRange === tag ? byteRange(c.req.header('range'), bytes.length) : 'whole'
  const headers = new Headers({
    'content-type': TYPES.has(contentType) ? contentType : 'application/octet-stream',
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
  reserveResponseBytes(c, bytes.length)
  return new Response(copySharedBytes(slice), { status: range === 'whole' ? 200 : 206, headers })
}

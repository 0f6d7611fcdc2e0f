/** Reads request bodies: JSON only, with a limit before it is read. */
import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '../env.ts'
import { InvalidRequest } from './invalid-request.ts'

/** A contact message has 1,000 characters of up to 4 bytes and a bot check of 8,192. The rest is room for escapes. */
const JSON_BYTES_MAX = 32 * 1024

/**
 * Reads the body as `schema` describes it.
 * @throws AppError `unsupported_media_type`, `body_too_large`; InvalidRequest that names every wrong field.
 */
export async function readJson<Schema extends z.ZodMiniType>(
  c: Context<HttpEnv>,
  schema: Schema,
  bytesMax = JSON_BYTES_MAX,
): Promise<z.output<Schema>> {
  refuseForeignBody(c)
  const value = parseJson(await readBytes(c, bytesMax).catch(refuseCutShort))
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw InvalidRequest.fromIssues(parsed.error.issues)
}

function refuseForeignBody(c: Context<HttpEnv>): void {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new AppError('unsupported_media_type')
  const encoding = (c.req.header('content-encoding') ?? 'identity').toLowerCase()
  // A compressed body may expand a thousandfold, and no request here is worth compressing.
  if (encoding !== 'identity') throw new AppError('unsupported_media_type', { detail: 'Send the body uncompressed.' })
}

async function readBytes(c: Context<HttpEnv>, bytesMax: number): Promise<Buffer> {
  if (Number(c.req.header('content-length') ?? 0) > bytesMax) throw new AppError('body_too_large')
  const chunks: Buffer[] = []
  let bytes = 0
  const { incoming } = c.env
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a request without an encoding yields buffers')
    bytes += chunk.length
    if (bytes > bytesMax) throw new AppError('body_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The client disconnected or was too slow while sending the body. That is not our error, and nobody reads the response. */
function refuseCutShort(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    throw new InvalidRequest([{ path: '', message: 'was cut short' }])
  throw error
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new InvalidRequest([{ path: '', message: 'must be JSON in UTF-8' }])
  }
}

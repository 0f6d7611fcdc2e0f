/** What a request carries: JSON body, query, `Idempotency-Key`, message conditions; and what is wrong with it. */
import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { WaitQuery } from '#contract/mailbox.ts'
import type { Problem } from '#contract/route.ts'
import { AppError, invalid } from '#server/errors.ts'
import type { RowCondition } from '#server/mail/message/message-condition.ts'
import type { Reader } from '#server/mail/reading/read-queue.ts'
import { CountedRequest } from '../connections/http-connection.ts'
import { responseEndSignal } from '../connections/response-budget.ts'
import type { HttpEnv } from '../env.ts'

/** A contact message has 1,000 characters of up to 4 bytes and a bot check of 8,192. The rest is room for escapes. */
const JSON_BYTES_MAX = 32 * 1024

/**
 * Reads the body as `schema` describes it.
 * @throws AppError `unsupported_media_type`, `body_too_large`; InvalidRequest that names every wrong field.
 */
export async function readJson<Schema extends z.ZodMiniType>(c: Context<HttpEnv>, schema: Schema): Promise<z.output<Schema>> {
  refuseForeignBody(c)
  const value = parseJson(await readBytes(c).catch(refuseCutShort))
  const parsed = schema.safeParse(value, OWN_MESSAGES)
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

async function readBytes(c: Context<HttpEnv>): Promise<Buffer> {
  if (Number(c.req.header('content-length') ?? 0) > JSON_BYTES_MAX) throw new AppError('body_too_large')
  const chunks: Buffer[] = []
  let bytes = 0
  const { incoming } = c.env
  // A loop that ends early would destroy the connection, and with it the response.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a request without an encoding yields buffers')
    bytes += chunk.length
    if (bytes > JSON_BYTES_MAX) break
    chunks.push(chunk)
  }
  if (bytes > JSON_BYTES_MAX) throw new AppError('body_too_large')
  if (incoming instanceof CountedRequest && incoming.hasTinyChunks)
    throw invalid('Send the body in larger chunks: it has hundreds of them with less than 64 bytes on average.')
  return Buffer.concat(chunks)
}

/** The client disconnected or was too slow while sending the body. That is not our error, and nobody reads the response. */
function refuseCutShort(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    throw new InvalidRequest([{ path: '', message: 'was cut short' }])
  throw error
}

function parseJson(bytes: Buffer): unknown {
  const texts: [string, string][] = []
  const noteText = (name: string, value: unknown) => {
    if (typeof value === 'string') texts.push([name, value])
    return value
  }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), noteText)
  } catch {
    throw new InvalidRequest([{ path: '', message: 'must be JSON in UTF-8' }])
  }
  requireStorable(texts)
  return value
}

/** The variable parts of the path. @throws InvalidRequest */
export function readParams(c: Context<HttpEnv>): Record<string, string> {
  const params = c.req.param()
  requireStorable(Object.entries<string>(params))
  return params
}

/** PostgreSQL stores no U+0000, and nothing stores half a surrogate pair, which UTF-8 does not have. No text that people write has them. */
function requireStorable(texts: readonly (readonly [name: string, value: string])[]): void {
  const wrong = texts.filter(([, value]) => value.includes('\0') || !value.isWellFormed())
  if (wrong.length > 0)
    throw new InvalidRequest(wrong.map(([path]) => ({ path, message: 'must have neither U+0000 nor half a character' })))
}

/** Reads the query as `schema` describes it. @throws InvalidRequest for unknown and for repeated names. */
export function readQuery<Schema extends z.ZodMiniObject>(c: Context<HttpEnv>, schema: Schema): z.output<Schema> {
  const { url } = c.req
  const entries = url.includes('?') ? [...new URL(url).searchParams] : []
  const names = entries.slice(0, NAMES_MAX).map(([name]) => name)
  const wrong = wrongNames(names, Object.keys(schema.shape))
  if (wrong.length > 0) throw new InvalidRequest(wrong)
  requireStorable(entries)
  const parsed = schema.safeParse(Object.fromEntries(entries), OWN_MESSAGES)
  if (parsed.success) return parsed.data
  throw InvalidRequest.fromIssues(parsed.error.issues)
}

/** Among more than these there is an unknown one or a repeated one. */
const NAMES_MAX = 50

/** Parameters that are not `allowed`, then those that are given more than once. */
function wrongNames(names: readonly string[], allowed: readonly string[]): Errors {
  const remedy = allowed.length === 0 ? 'this address takes no parameters' : `this address takes ${allowed.join(', ')}`
  const unknown = names.filter(name => !allowed.includes(name)).map(path => ({ path, message: `is not a parameter: ${remedy}` }))
  const seen = new Set<string>()
  const repeated = names.filter(name => seen.size === seen.add(name).size).map(path => ({ path, message: 'must be given only once' }))
  return [...unknown, ...repeated]
}

/** Visible ASCII. The minimum length stops guessing: a guessed key returns a mailbox. */
export const IDEMPOTENCY_KEY = /^[!-~]{16,255}$/

/** The name under which the client asked, without a port; empty if it gave none that can be one. */
export function readHost(c: Context<HttpEnv>): string {
  const url = `http://${c.req.header('host') ?? ''}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** @throws InvalidRequest for a header that is too short, too long or not visible ASCII. */
export function readIdempotencyKey(c: Context<HttpEnv>): string | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key
  throw new InvalidRequest([{ path: 'Idempotency-Key', message: 'must have 16 to 255 visible characters' }])
}

const CURSOR = /^\d{1,15}$/

/** The condition of a query. @throws InvalidRequest if `after` is neither a cursor nor a valid date. */
export function readCondition({ from = '', subject = '', envelopeTo, after = '' }: WaitQuery): RowCondition {
  const isCursor = CURSOR.test(after)
  const afterMs = after === '' || isCursor ? Number.NEGATIVE_INFINITY : Date.parse(after)
  if (Number.isNaN(afterMs)) throw new InvalidRequest([{ path: 'after', message: 'must be a cursor or an ISO 8601 time' }])
  return { from, subject, envelopeTo, afterCursor: isCursor ? Number(after) : 0, afterMs }
}

/** An unknown cursor counts as none: everything is sent again. */
export function parseCursor(text: string | undefined): number {
  return CURSOR.test(text ?? '') ? Number(text) : 0
}

/** The reader of a request, for the core's limits. */
export function toReader(c: Context<HttpEnv>): Reader {
  return { networks: c.get('networks'), signal: responseEndSignal(c.env) }
}

type Errors = NonNullable<Problem['errors']>

/** More would not help, and the client would control the length of the response. */
const ERRORS_MAX = 10
const PATH_CHARS_MAX = 100

/** `invalid_request` with the names of the wrong fields. Messages are ours; paths come from the request, shortened. */
export class InvalidRequest extends AppError {
  readonly errors: Errors

  constructor(errors: Errors) {
    super('invalid_request')
    this.errors = errors.slice(0, ERRORS_MAX).map(({ path, message }) => ({ path: path.slice(0, PATH_CHARS_MAX), message }))
  }

  static fromIssues(issues: readonly z.core.$ZodIssue[]): InvalidRequest {
    return new InvalidRequest(issues.flatMap(describe))
  }
}

/** For an unknown field, the field is named, not the object around it. */
function describe(issue: z.core.$ZodIssue): Errors {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }]
  return issue.keys.map(key => ({ path: [...path, key].join('.'), message: 'is not a field of this request' }))
}

/**
 * For issues of schemas without a message of their own. The language that another user of zod sets for the whole process does not
 * count.
 */
const OWN_MESSAGES = {
  error(issue: z.core.$ZodRawIssue): string {
    switch (issue.code) {
      case 'invalid_type':
        return `must be ${/^[aeiou]/.test(String(issue.expected)) ? 'an' : 'a'} ${issue.expected}`
      case 'too_small':
        return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`
      case 'too_big':
        return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
      case 'invalid_value':
        return `must be ${issue.values.join(' or ')}`
      default:
        return 'is not valid'
    }
  },
}

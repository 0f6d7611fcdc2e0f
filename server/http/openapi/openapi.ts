/** The API's own description, made from the schemas that also check the requests. */
import { resolver } from 'hono-openapi'
import type * as z from 'zod/mini'
import { type ProblemCode, problemSchema, problems } from '#contract/problems.ts'

export const BEARER = [{ mailboxToken: [] }]
/** The cookie of a sign-in; writes by it are taken from our own pages only. */
export const SESSION = [{ session: [] }]

type Body = z.ZodMiniType | 'bytes' | 'events' | undefined

/** The answers of a route: its success and the problems it names. */
export function answers(status: number, body: Body, ...codes: ProblemCode[]) {
  const byStatus = Map.groupBy(codes, code => problems[code])
  const failed = [...byStatus].map(([failure, names]) => [
    failure,
    { description: names.join(', '), content: { 'application/problem+json': { schema: resolver(problemSchema) } } },
  ])
  return Object.fromEntries([[status, { description: 'Done', ...contentOf(body) }], ...failed])
}

function contentOf(body: Body) {
  if (body === undefined) return {}
  if (body === 'bytes') return { content: { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } } }
  if (body === 'events') return { content: { 'text/event-stream': { schema: { type: 'string' as const } } } }
  return { content: { 'application/json': { schema: resolver(body) } } }
}

/** A JSON body as `schema` checks it. */
export function jsonRequest(schema: z.ZodMiniType) {
  return { required: true, content: { 'application/json': { schema: resolver(schema) } } }
}

/** Each property of the schema as a query parameter; all of ours are optional strings or numbers. */
export function queryParameters(schema: z.ZodMiniObject) {
  return Object.keys(schema.shape).map(name => ({ name, in: 'query' as const, required: false, schema: { type: 'string' as const } }))
}

export function documentation(publicUrl: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version: '1',
      description: 'Make an address, wait for its mail, read it. Errors are RFC 9457 problem documents with a stable `code`.',
    },
    servers: [{ url: publicUrl }],
    components: {
      securitySchemes: {
        mailboxToken: { type: 'http' as const, scheme: 'bearer' },
        session: { type: 'apiKey' as const, in: 'cookie' as const, name: 'session' },
      },
    },
  }
}

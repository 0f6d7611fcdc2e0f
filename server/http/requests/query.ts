import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { HttpEnv } from '../env.ts'
import { InvalidRequest } from './invalid-request.ts'

/** Reads the query as `schema` describes it. @throws InvalidRequest for unknown and for repeated names. */
export function readQuery<Schema extends z.ZodMiniObject>(c: Context<HttpEnv>, schema: Schema): z.output<Schema> {
  const { url } = c.req
  const entries = url.includes('?') ? [...new URL(url).searchParams] : []
  const names = entries.map(([name]) => name)
  const allowed = Object.keys(schema.shape)
  const remedy = allowed.length === 0 ? 'this address takes no parameters' : `this address takes ${allowed.join(', ')}`
  const unknown = names.filter(name => !allowed.includes(name)).map(path => ({ path, message: `is not a parameter: ${remedy}` }))
  const repeated = names.filter((name, index) => names.indexOf(name) !== index).map(path => ({ path, message: 'must be given only once' }))
  if (unknown.length + repeated.length > 0) throw new InvalidRequest([...unknown, ...repeated])
  const parsed = schema.safeParse(Object.fromEntries(entries))
  if (parsed.success) return parsed.data
  throw InvalidRequest.fromIssues(parsed.error.issues)
}

/** What browser and server know about a route: method, path, input, response and every way it can fail. */
import * as z from 'zod/mini'
import { type ProblemCode, problems } from './problems.ts'

export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /**
   * Who may call it; without it, everybody.
   * `mailbox`: the bearer of a mailbox token. `api`: the bearer of an API key or API token. `session`: a signed-in account, by cookie.
   * `optional`: everybody; an API key, an API token or a session allows more. `operator`: an account of OPERATORS with its second factor.
   */
  readonly auth?: 'mailbox' | 'api' | 'session' | 'optional' | 'operator'
  /** Uses cookies or what the visitor's network may have, so pages of other sites may not call it. Programs may. */
  readonly ownPagesOnly?: true
  /** Accepts an `Idempotency-Key`: a repeated request with the same key gets the same response. */
  readonly idempotent?: true
  /** Without it, the route has no query parameters. */
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  /** By default 200, or 204 without a response. */
  readonly status?: 200 | 201 | 202 | 204
  /** JSON of this schema, a file, a raw message or an event stream. Without it, the response has no body. */
  readonly response?: z.ZodMiniType | 'bytes' | 'message' | 'events'
  /** Sends 204 in place of the response when there was none in time. */
  readonly mayTimeOut?: true
  /** Problems of this route only. `routeProblems` adds those that follow from the fields above. */
  readonly problems?: readonly ProblemCode[]
}

type Details = Omit<Route, 'method' | 'path'>
/** No other fields: a misspelt one would be ignored. */
type Only<More> = More & { readonly [Name in Exclude<keyof More, keyof Details>]: never }

/* @__NO_SIDE_EFFECTS__ */
export function get<const Path extends string, const More extends Details>(path: Path, more: Only<More>) {
  return { method: 'GET', path, ...more } as const
}

/* @__NO_SIDE_EFFECTS__ */
export function post<const Path extends string, const More extends Details>(path: Path, more: Only<More>) {
  return { method: 'POST', path, ...more } as const
}

/* @__NO_SIDE_EFFECTS__ */
export function del<const Path extends string, const More extends Details>(path: Path, more: Only<More>) {
  return { method: 'DELETE', path, ...more } as const
}

/** The status of a success. */
export const statusOf = ({ status, response }: Route) => status ?? (response === undefined ? 204 : 200)

const IMPLIED = {
  // Every route refuses unknown query parameters.
  always: ['invalid_request', 'forbidden', 'network_blocked', 'internal', 'unavailable', 'storage_full'],
  body: ['body_too_large', 'unsupported_media_type'],
  idempotent: ['idempotency_key_in_use', 'idempotency_key_reused'],
  mailbox: ['token_required', 'mailbox_not_found', 'rate_limited'],
  session: ['sign_in_required'],
  api: ['api_token_required', 'api_token_invalid', 'rate_limited'],
  optional: ['sign_in_required', 'api_token_invalid', 'rate_limited'],
  operator: ['sign_in_required', 'second_factor_required', 'not_found'],
} as const satisfies Record<string, readonly ProblemCode[]>

type Implied<Key extends keyof typeof IMPLIED> = (typeof IMPLIED)[Key][number]

export type RouteProblem<R extends Route> =
  | Implied<'always'>
  | (R extends { problems: readonly (infer Code extends ProblemCode)[] } ? Code : never)
  | (R extends { body: z.ZodMiniType } ? Implied<'body'> : never)
  | (R extends { idempotent: true } ? Implied<'idempotent'> : never)
  | (R extends { auth: infer Auth extends 'mailbox' | 'api' | 'session' | 'optional' | 'operator' } ? Implied<Auth> : never)

/** The same list at run time. */
export function routeProblems({ problems = [], body, auth, idempotent }: Route): ReadonlySet<ProblemCode> {
  return new Set<ProblemCode>([
    ...IMPLIED.always,
    ...problems,
    ...(body ? IMPLIED.body : []),
    ...(idempotent ? IMPLIED.idempotent : []),
    ...(auth ? IMPLIED[auth] : []),
  ])
}

/** The body of every error response (RFC 9457). The codes are in problems.ts, because worker threads load them without schemas. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  detail: z.optional(z.string()),
  /** Whole seconds until a retry makes sense; the same as the `Retry-After` header. */
  retryAfterSeconds: z.optional(z.number()),
  /** With `invalid_request`: which fields are wrong and why, in plain English. */
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type Problem = z.infer<typeof problemSchema>

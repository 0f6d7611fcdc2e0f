/** What both sides know of a route: its address, what it takes, what it returns and every way it can fail. */
import type * as z from 'zod/mini'
import type { ProblemCode } from '../problems.ts'

export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /**
   * Who may call it. `mailbox`: the bearer of a mailbox token. `api`: the bearer of an API key or API token. `session`: a signed-in account, by
   * cookie. `optional`: anybody; an API key, an API token or a session gives more. `operator`: an
   * account of OPERATORS that passed its second factor. Left out: anybody.
   */
  readonly auth?: 'mailbox' | 'api' | 'session' | 'optional' | 'operator'
  /** It acts by cookie, so only our own pages may call it. */
  readonly ownPagesOnly?: true
  /** It takes an `Idempotency-Key`: sent again with it, the same request gets the same response. */
  readonly idempotent?: true
  /** Left out: it takes no query. */
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  readonly status: 200 | 201 | 202 | 204
  /** JSON of this schema, the bytes of a file, a message as it arrived, or an event stream. Left out: no body. */
  readonly response?: z.ZodMiniType | 'bytes' | 'message' | 'events'
  /** The failures of this route alone; those that follow from the fields above are added by `routeProblems`. */
  readonly problems?: readonly ProblemCode[]
}

const IMPLIED = {
  // Unknown query names are refused everywhere.
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

/** Every code the route may fail with. */
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

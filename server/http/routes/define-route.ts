/**
 * Binds a route of contract/ to its handler. The handler gets the input that the route declares and can fail only with its problem
 * codes.
 */
import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { PathParameters } from '#contract/path-to.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { type Route, type RouteProblem, routeProblems, statusOf } from '#contract/route.ts'
import type { ApiCaller } from '#server/accounts/api-credentials.ts'
import type { Account, SignedIn } from '#server/accounts/sessions.ts'
import { AppError, type AppErrorOptions } from '#server/errors.ts'
import type { OpenMailbox } from '#server/mail/mailboxes.ts'
import type { HttpEnv } from '../env.ts'
import { readJson, readParams, readQuery } from '../requests/input.ts'
import { type Download, downloadResponse, storedResponse } from '../responses/download.ts'

const NO_QUERY = z.strictObject({})

/** Ends the request with a problem. A function that needs codes which its route does not declare does not compile. */
type Fail<Code extends ProblemCode> = (code: Code, options?: AppErrorOptions) => never

/** What a guard needs of a request. `Code`: the codes it may fail with. */
export type GuardedRequest<Code extends ProblemCode> = { readonly c: Context<HttpEnv>; readonly fail: Fail<Code> }

/** Who requests an address: a program with an API key or API token, or a signed-in page. */
export type Actor =
  | { readonly by: 'session'; readonly accountId: string; readonly sessionId: string }
  | { readonly by: 'api'; readonly caller: ApiCaller }

type Credentials = {
  mailbox: { readonly mailbox: OpenMailbox }
  api: { readonly caller: ApiCaller }
  session: Pick<SignedIn, 'account' | 'sessionId' | 'signedInAt'>
  operator: { readonly account: Account }
  optional: { readonly actor: Actor | undefined }
}

type RouteRequest<R extends Route> = GuardedRequest<RouteProblem<R>> & {
  readonly params: Readonly<Record<PathParameters<R['path']>, string>>
  readonly query: R extends { query: infer Query extends z.ZodMiniObject } ? z.output<Query> : undefined
  readonly body: R extends { body: infer Body extends z.ZodMiniType } ? z.output<Body> : undefined
} & (R extends { auth: infer Auth extends keyof Credentials } ? Credentials[Auth] : unknown)

/**
 * JSON of the route's response schema, also as stored bytes; `null` for 204 in its place, where it may time out; a file; the `Response` of
 * a stream, which writes itself; or nothing. Only `sendResult` makes a body of what is stored, so that no route can send bytes that count
 * for nobody.
 */
type RouteResult<R extends Route> = R extends { response: infer Sent }
  ? Sent extends z.ZodMiniType
    ? z.output<Sent> | Uint8Array | (R extends { mayTimeOut: true } ? null : never)
    : Sent extends 'events'
      ? Response
      : Download
  : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a response needs no `return undefined`
    void

export type CheckCredentials = (request: GuardedRequest<ProblemCode>, route: Route) => Promise<Partial<Credentials[keyof Credentials]>>

export type BoundRoute = {
  readonly route: Route
  run(c: Context<HttpEnv>, authenticate: CheckCredentials): Promise<Response>
}

export function defineRoute<const R extends Route>(
  route: R,
  handle: (request: RouteRequest<R>) => Promise<RouteResult<R>> | RouteResult<R>,
): BoundRoute {
  const declared = routeProblems(route)
  const respond = async (c: Context<HttpEnv>, authenticate: CheckCredentials): Promise<Response> => {
    const params = readParams(c)
    const isWhole = route.body === undefined || c.env.incoming.complete
    const found = await authenticate({ c, fail }, route)
    const query = readQuery(c, route.query ?? NO_QUERY)
    const body = route.body && (await readJson(c, route.body))
    // A body may come half a minute later, when the session of its headers has ended.
    const credentials = isWhole ? found : await authenticate({ c, fail }, route)
    const request: unknown = { c, fail, params, query, body, ...credentials }
    // The fields follow from `route`, which the compiler cannot see.
    return sendResult(c, route, await handle(request as RouteRequest<R>))
  }
  return { route, run: (c, authenticate) => respond(c, authenticate).catch(error => refuseUndeclared(route, declared, error)) }
}

function sendResult(c: Context<HttpEnv>, route: Route, result: unknown): Response {
  if (result instanceof Response) return result
  if (result === undefined || result === null) return c.body(null, result === null ? 204 : statusOf(route))
  if (result instanceof Uint8Array) return storedResponse(c, result, { headers: { 'content-type': 'application/json' } })
  if (typeof route.response === 'string') return downloadResponse(c, result as Download)
  return c.json(result, statusOf(route) as 200)
}

function fail(code: ProblemCode, options?: AppErrorOptions): never {
  throw new AppError(code, options)
}

/** A code that the route does not declare is a bug: logged, and sent as `internal`. */
function refuseUndeclared({ method, path }: Route, declared: ReadonlySet<ProblemCode>, error: unknown): never {
  if (!(error instanceof AppError) || declared.has(error.code)) throw error
  throw new Error(`${method} ${path} does not declare the problem ${error.code}`, { cause: error })
}

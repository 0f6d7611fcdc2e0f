/** `/mcp`: the tools of client/mcp for agents that reach this server over HTTP, with an API key or API token. */
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import { atResponseEnd } from '../connections/response-end.ts'
import type { HttpEnv } from '../env.ts'
import { refuseBlocked } from '../requests/blocked-network.ts'
import { readJson } from '../requests/json-body.ts'
import { problem } from '../responses/problem.ts'
import { bearerOf, requireApiCaller } from '../routes/guards.ts'
import type { HttpDeps } from '../routes/http-deps.ts'
import type { McpSessions } from './mcp-sessions.ts'

/** One message; sending several at once left the protocol with version 2025-06-18. */
const messageSchema = z.record(z.string(), z.unknown())

type Deps = Pick<HttpDeps, 'config' | 'accounts' | 'limiter' | 'limits' | 'livePolicy' | 'clock' | 'signal'>
type FetchApi = ConstructorParameters<typeof McpSessions>[0]['fetchApi']

/** The SDK is loaded by the first request: whoever does not use it does not pay for it. */
export function mcpRoute(deps: Deps, fetchApi: FetchApi): Hono<HttpEnv> {
  const { config, clock, signal, livePolicy } = deps
  const app = new Hono<HttpEnv>()
  let loading: Promise<McpSessions> | undefined
  const load = () =>
    import('./mcp-sessions.ts').then(({ McpSessions }) => new McpSessions({ publicUrl: config.publicUrl, clock, signal, fetchApi }))

  app.all(routes.mcp, refuseBlocked(livePolicy), async c => {
    refuseForeignPage(c, config.publicUrl)
    const { owner } = await requireApiCaller({ c, fail }, deps)
    const { method } = c.req
    // A GET would open a stream for what the server says unasked, and these tools say nothing unasked.
    if (method !== 'POST' && method !== 'DELETE') return problem('method_not_allowed', {}, { allow: 'POST, DELETE' })
    const message = method === 'POST' ? await readJson(c, messageSchema) : undefined
    loading ??= load()
    const sessions = await loading
    return await sessions.respond({
      request: c.req.raw,
      message,
      owner,
      credential: bearerOf(c),
      clientIp: c.var.clientIp,
      onResponseEnd: run => atResponseEnd(c.env, run),
    })
  })
  return app
}

/**
 * Agents are programs, and programs send no `Origin`. A page that does is a page of another site, perhaps one whose name was made to lead
 * to this machine (DNS rebinding), where `Host` and `Origin` agree: only our own address counts.
 */
function refuseForeignPage(c: Context<HttpEnv>, publicUrl: string): void {
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== new URL(publicUrl).origin) throw new AppError('forbidden')
}

function fail(...failure: ConstructorParameters<typeof AppError>): never {
  throw new AppError(...failure)
}

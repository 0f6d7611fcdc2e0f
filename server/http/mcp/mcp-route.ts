/** `/mcp`: the tools of client/mcp for agents that reach this server over HTTP, with an API key or API token. */
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import { onResponseEnd } from '../connections/response-budget.ts'
import type { HttpEnv } from '../env.ts'
import { refuseBlockedNetworks } from '../requests/blocked-networks.ts'
import { readJson } from '../requests/input.ts'
import { problemResponse } from '../responses/problem.ts'
import { readBearer, requireApiCaller } from '../routes/credentials.ts'
import type { HttpDeps } from '../routes/http-deps.ts'
import type { McpRequests } from './mcp-requests.ts'

/** One message: batches were removed from the protocol in version 2025-06-18. */
const messageSchema = z.record(z.string(), z.unknown())

/** The SDK is loaded by the first request, so that it costs nothing when it is not used. */
export function mcpRoute(deps: HttpDeps, fetchApi: ConstructorParameters<typeof McpRequests>[0]['fetchApi']): Hono<HttpEnv> {
  const { config, accounts, admission, operator, server } = deps
  const app = new Hono<HttpEnv>()
  let loading: Promise<McpRequests> | undefined
  const load = () =>
    import('./mcp-requests.ts').then(
      ({ McpRequests }) =>
        new McpRequests({
          publicUrl: config.publicUrl,
          sessions: accounts.agentSessions,
          sharedLimits: admission.sharedLimits,
          sessionLimit: admission.limits.mcpSessions,
          closing: server.closing,
          fetchApi,
          isValid: async credential => (await accounts.apiCredentials.find(credential)) !== undefined,
        }),
    )

  app.all(routes.mcp, refuseBlockedNetworks(operator.rules), async c => {
    refuseForeignPage(c, config.publicUrl)
    const caller = await requireApiCaller({ c, fail }, deps)
    const { method } = c.req
    // A GET would open a stream for messages of the server, and this one sends none.
    if (method !== 'POST' && method !== 'DELETE') return problemResponse('method_not_allowed', {}, { allow: 'POST, DELETE' })
    const message = method === 'POST' ? await readJson(c, messageSchema) : undefined
    loading ??= load()
    const requests = await loading
    return await requests.respond({
      request: c.req.raw,
      message,
      caller,
      credential: readBearer(c),
      clientIp: c.get('clientIp'),
      onResponseEnd: run => onResponseEnd(c.env, run),
    })
  })
  return app
}

/**
 * Agents are programs and send no `Origin`. A page that sends one may belong to another site whose name points to this machine (DNS
 * rebinding), so that `Host` and `Origin` agree: only PUBLIC_URL counts.
 */
function refuseForeignPage(c: Context<HttpEnv>, publicUrl: string): void {
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== new URL(publicUrl).origin) throw new AppError('forbidden')
}

function fail(...failure: ConstructorParameters<typeof AppError>): never {
  throw new AppError(...failure)
}

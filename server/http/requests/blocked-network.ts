import type { MiddlewareHandler } from 'hono'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import type { Policy } from '#server/policy/policy.ts'
import type { HttpEnv } from '../env.ts'

/** Whoever is blocked can still say so, and an operator who blocked their own network can still undo it. */
const OPEN: readonly string[] = [
  routes.contact,
  routes.reports,
  routes.botCheckChallenge,
  routes.config,
  routes.authSession,
  routes.authSignIn,
]
const OPERATOR = '/api/operator/'

export function refuseBlocked(policy: { readonly current: Policy }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { path } = c.req
    if (policy.current.blocksNetwork(c.var.clientIp) && !OPEN.includes(path) && !path.startsWith(OPERATOR)) {
      throw new AppError('network_blocked')
    }
    await next()
  }
}

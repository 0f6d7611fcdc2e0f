/** Refuses requests from networks that the operator blocks. */
import type { MiddlewareHandler } from 'hono'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import type { Policy } from '#server/mail/policy.ts'
import type { HttpEnv } from '../env.ts'

/** Routes open to blocked networks: visitors can still complain, and operators who blocked their own network can undo it. */
const OPEN: readonly string[] = [
  routes.contact,
  routes.reports,
  routes.botCheckChallenge,
  routes.config,
  routes.authSession,
  routes.authSignIn,
]
const OPERATOR = '/api/operator/'

export function refuseBlockedNetworks(rules: { readonly policy: Policy }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { path } = c.req
    if (rules.policy.blocksNetwork(c.get('clientIp')) && !OPEN.includes(path) && !path.startsWith(OPERATOR)) {
      throw new AppError('network_blocked')
    }
    await next()
  }
}

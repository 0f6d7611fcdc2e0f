/** Configuration and bot check challenges: what a page or program needs before it has an address. */
import { readChallenge, readConfig } from '#contract/site.ts'
import { build } from '#server/platform/installation.ts'
import { toSiteConfig } from '../pages/site-config.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Site'

export function deploymentRoutes(
  { config, botCheck, limits }: Pick<HttpDeps, 'config' | 'botCheck' | 'limits'>,
  guards: Guards,
): BoundRoute[] {
  return [
    defineRoute(readConfig, {
      tag,
      summary: 'Read the configuration of this deployment',
      handle({ c }) {
        c.header('cache-control', 'no-cache')
        return { ...toSiteConfig(config, botCheck), build }
      },
    }),
    defineRoute(readChallenge, {
      tag,
      summary: 'Get a proof of work to solve for one action',
      description: 'Send the solution as `botCheck`. 404 if this deployment has no proof of work.',
      async handle(request) {
        await guards.limit(request, limits.challenges)
        const challenge = (await botCheck.challenge(request.query.action, request.c.var.network)) ?? request.fail('not_found')
        request.c.header('cache-control', 'no-store')
        return challenge
      },
    }),
  ]
}

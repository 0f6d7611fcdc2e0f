import { reportAbuse } from '#contract/api/site-routes.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function reportRoutes({ operator, limits }: Pick<HttpDeps, 'operator' | 'limits'>, guards: Guards): BoundRoute[] {
  return [
    defineRoute(reportAbuse, {
      tag: 'Site',
      summary: 'Report the abuse of an address of this service',
      async handle(request) {
        const { botCheck, ...report } = request.body
        await guards.limit(request, limits.publicWrites)
        await guards.botCheck(request, botCheck, 'report')
        await operator.reports.receive(report)
        return undefined
      },
    }),
  ]
}

import { readOverview } from '#contract/api/operator-routes.ts'
import { build } from '#server/build.ts'
import { addCounts } from '#server/operator/figures.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'
import { toIso } from './operator-actions.ts'

type Deps = Pick<HttpDeps, 'operator' | 'figures' | 'livePolicy' | 'replies' | 'certificate' | 'startedAt'>

export function operatorOverviewRoutes({ operator, figures, livePolicy, replies, certificate, startedAt }: Deps): BoundRoute[] {
  return [
    defineRoute(readOverview, {
      tag: 'Operator',
      summary: 'Read figures, graphs and settings',
      async handle() {
        const [now, points, unread] = await Promise.all([figures.live(), figures.lastDay(), operator.unread()])
        const { isRegistrationOpen, difficulty, notice } = livePolicy.current
        return {
          startedAt: toIso(startedAt),
          version: build.version,
          now,
          day: addCounts([...points, now]),
          points: points.map(point => ({ ...point, at: toIso(point.at) })),
          certificate: certificate() ?? null,
          settings: { isRegistrationOpen, difficulty, notice: notice ?? null },
          canReply: replies.canSend,
          unread,
        }
      },
    }),
  ]
}

import { readChecks, readOverview } from '#contract/api/operator-routes.ts'
import { addCounts } from '#server/operator/statistics.ts'
import { build } from '#server/platform/installation/build.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'
import { toIso } from './operator-actions.ts'

type Deps = Pick<
  HttpDeps,
  'examine' | 'limits' | 'operator' | 'statistics' | 'livePolicy' | 'replies' | 'certificates' | 'startedAt' | 'config'
>

export function operatorOverviewRoutes(
  { examine, limits, operator, statistics, livePolicy, replies, certificates, startedAt, config }: Deps,
  guards: Guards,
): BoundRoute[] {
  return [
    defineRoute(readChecks, {
      tag: 'Operator',
      summary: 'Let the doctor look',
      async handle(request) {
        await guards.limit(request, limits.publicWrites)
        return { findings: await examine() }
      },
    }),
    defineRoute(readOverview, {
      tag: 'Operator',
      summary: 'Read figures, graphs and settings',
      async handle() {
        const [now, points, unread] = await Promise.all([statistics.live(), statistics.lastDay(), operator.unread()])
        const { isRegistrationOpen, difficulty, notice } = livePolicy.current
        const day = addCounts([...points, now])
        return {
          startedAt: toIso(startedAt),
          version: build.version,
          now,
          day,
          points: points.map(point => ({ ...point, at: toIso(point.at) })),
          certificates: certificates(),
          blocklists: config.dnsBlocklists.map(list => ({ list, mails: day.listed[list] ?? 0 })),
          settings: { isRegistrationOpen, difficulty, notice: notice ?? null },
          canReply: replies.canSend,
          unread,
        }
      },
    }),
  ]
}

/** Every route of contract/ with its handler. */

import { forgotPassword, resetPassword } from '#contract/account.ts'
import { readChecks, readOverview } from '#contract/operator.ts'
import { reportAbuse } from '#contract/site.ts'
import { addCounts } from '#server/operator/statistics.ts'
import { build } from '#server/platform/installation.ts'
import { accountRoutes } from './account.ts'
import { attachmentRoutes } from './attachments.ts'
import { blogRoutes } from './blog.ts'
import { contactRoutes } from './contact.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import { deploymentRoutes } from './deployment.ts'
import { eventRoutes } from './events.ts'
import { createGuards, type Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'
import { mailboxRoutes } from './mailboxes.ts'
import { messageRoutes } from './messages.ts'
import { operatorActionRoutes, toIso } from './operator-actions.ts'
import { operatorMessageRoutes } from './operator-messages.ts'
import { operatorSessionRoutes } from './operator-session.ts'
import { pushRoutes } from './push.ts'
import { sessionRoutes } from './sessions.ts'
import { signUpRoutes } from './sign-up.ts'
import { webhookRoutes } from './webhooks.ts'

export function apiRoutes(deps: HttpDeps): BoundRoute[] {
  const guards = createGuards(deps)
  return [
    ...mailboxRoutes(deps, guards),
    ...messageRoutes(deps),
    ...attachmentRoutes(deps),
    ...eventRoutes(deps),
    ...webhookRoutes(deps, guards),
    ...pushRoutes(deps, guards),
    ...deploymentRoutes(deps, guards),
    ...contactRoutes(deps, guards),
    ...blogRoutes(deps, guards),
    ...signUpRoutes(deps, guards),
    ...sessionRoutes(deps, guards),
    ...passwordRoutes(deps, guards),
    ...accountRoutes(deps),
    ...reportRoutes(deps, guards),
    ...operatorSessionRoutes(deps, guards),
    ...operatorOverviewRoutes(deps, guards),
    ...operatorActionRoutes(deps),
    ...operatorMessageRoutes(deps),
  ]
}

function reportRoutes({ operator, limits }: Pick<HttpDeps, 'operator' | 'limits'>, guards: Guards): BoundRoute[] {
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

/** Forgotten and new passwords. */

const tag = 'Account'

function passwordRoutes({ accounts: { passwords } }: Pick<HttpDeps, 'accounts'>, guards: Guards): BoundRoute[] {
  return [
    defineRoute(forgotPassword, {
      tag,
      summary: 'Ask for a link to set a new password',
      async handle(request) {
        await guards.limitForm(request, 'forgot')
        await guards.limitMailsTo(request, request.body.email)
        passwords.forgot(request.body)
        return undefined
      },
    }),
    defineRoute(resetPassword, {
      tag,
      summary: 'Set a new password with the token of such a link',
      async handle(request) {
        await guards.limitForm(request, 'link')
        await passwords.reset(request.body)
        return undefined
      },
    }),
  ]
}

type Deps = Pick<
  HttpDeps,
  'examine' | 'limits' | 'operator' | 'statistics' | 'livePolicy' | 'replies' | 'certificates' | 'startedAt' | 'config'
>

function operatorOverviewRoutes(
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

/** Every route of contract/api/ with its handler. */
import { accountRoutes } from './account.ts'
import { attachmentRoutes } from './attachments.ts'
import { blogRoutes } from './blog.ts'
import { contactRoutes } from './contact.ts'
import type { BoundRoute } from './define-route.ts'
import { deploymentRoutes } from './deployment.ts'
import { eventRoutes } from './events.ts'
import { createGuards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'
import { mailboxRoutes } from './mailboxes.ts'
import { messageRoutes } from './messages.ts'
import { operatorActionRoutes } from './operator-actions.ts'
import { operatorMessageRoutes } from './operator-messages.ts'
import { operatorOverviewRoutes } from './operator-overview.ts'
import { operatorSessionRoutes } from './operator-session.ts'
import { passwordRoutes } from './passwords.ts'
import { pushRoutes } from './push.ts'
import { reportRoutes } from './reports.ts'
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

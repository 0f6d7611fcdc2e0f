/** Subscribes a browser to notifications of a mailbox's new mail, and unsubscribes it. */
import { readPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/notifications.ts'
import type { OpenPush } from '#server/outbound/push.ts'
import { type BoundRoute, defineRoute, type GuardedRequest } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function pushRoutes({ outbound: { push }, admission: { limits } }: HttpDeps, guards: Guards): BoundRoute[] {
  const open = ({ fail }: GuardedRequest<'push_refused'>): OpenPush =>
    push ?? fail('push_refused', { detail: 'This server sends no notifications.' })
  return [
    defineRoute(readPushKey, request => ({ publicKey: open(request).publicKey })),
    defineRoute(subscribeToPush, async request => {
      const { subscriptions, subscribed } = open(request)
      await guards.enforceLimit(request, limits.pushSubscriptions)
      const id = await subscriptions.create(request.mailbox, request.body)
      subscribed()
      return { id }
    }),
    defineRoute(unsubscribeFromPush, async request => {
      if (!(await open(request).subscriptions.remove(request.mailbox, request.params.id))) request.fail('not_found')
    }),
  ]
}

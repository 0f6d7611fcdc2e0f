/** Routes of web push: notifications of new mail while no page is open. */
import { pushKeySchema, pushSubscribedSchema, pushSubscriptionSchema } from '../push.ts'
import { routes } from '../routes.ts'
import type { Route } from './route.ts'

export const readPushKey = {
  method: 'GET',
  path: routes.pushKey,
  status: 200,
  response: pushKeySchema,
  problems: ['push_refused'],
} as const satisfies Route

export const subscribeToPush = {
  method: 'POST',
  path: routes.mailboxPush,
  auth: 'mailbox',
  body: pushSubscriptionSchema,
  status: 201,
  response: pushSubscribedSchema,
  problems: ['push_refused', 'push_subscriptions_max'],
} as const satisfies Route

export const unsubscribeFromPush = {
  method: 'DELETE',
  path: routes.mailboxPushSubscription,
  auth: 'mailbox',
  status: 204,
  problems: ['not_found', 'push_refused'],
} as const satisfies Route

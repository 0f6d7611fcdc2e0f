/** Routes of webhooks: for all mailboxes of an API key or API token, or for one of its mailboxes. */
import { routes } from '../routes.ts'
import { createWebhookSchema, webhookCreatedSchema, webhooksSchema, webhookTestedSchema } from '../webhook.ts'
import type { Route } from './route.ts'

const creation = { method: 'POST', body: createWebhookSchema, status: 201, response: webhookCreatedSchema } as const
const creationProblems = ['webhook_target_refused', 'webhooks_max'] as const
const listing = { method: 'GET', status: 200, response: webhooksSchema } as const
const removal = { method: 'DELETE', status: 204, problems: ['not_found'] } as const
const trial = { method: 'POST', status: 200, response: webhookTestedSchema, problems: ['not_found', 'rate_limited'] } as const
const rotation = { method: 'POST', status: 200, response: webhookCreatedSchema, problems: ['not_found'] } as const

export const createWebhook = { ...creation, path: routes.webhooks, auth: 'api', problems: creationProblems } as const satisfies Route
export const listWebhooks = { ...listing, path: routes.webhooks, auth: 'api' } as const satisfies Route
export const removeWebhook = { ...removal, path: routes.webhook, auth: 'api' } as const satisfies Route
export const testWebhook = { ...trial, path: routes.webhookTest, auth: 'api' } as const satisfies Route
export const rotateWebhook = { ...rotation, path: routes.webhookRotate, auth: 'api' } as const satisfies Route

export const createMailboxWebhook = {
  ...creation,
  path: routes.mailboxWebhooks,
  auth: 'mailbox',
  problems: creationProblems,
} as const satisfies Route
export const listMailboxWebhooks = { ...listing, path: routes.mailboxWebhooks, auth: 'mailbox' } as const satisfies Route
export const removeMailboxWebhook = { ...removal, path: routes.mailboxWebhook, auth: 'mailbox' } as const satisfies Route
export const testMailboxWebhook = { ...trial, path: routes.mailboxWebhookTest, auth: 'mailbox' } as const satisfies Route
export const rotateMailboxWebhook = { ...rotation, path: routes.mailboxWebhookRotate, auth: 'mailbox' } as const satisfies Route

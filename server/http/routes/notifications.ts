/** Webhooks of an API key or API token, of an account, or of one mailbox; and a browser's subscription to a mailbox's new mail. */
import * as contract from '#contract/notifications.ts'
import type { ApiCaller } from '#server/accounts/api-credentials.ts'
import type { SignedIn } from '#server/accounts/sessions.ts'
import { sessionRight } from '#server/database/rights.ts'
import type { OpenMailbox } from '#server/mail/mailboxes.ts'
import type { OpenPush } from '#server/outbound/push.ts'
import type { WebhookOwner } from '#server/outbound/webhook-registry.ts'
import { type BoundRoute, defineRoute, type GuardedRequest } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

/** Who tests a webhook: a key of the owner, or whoever has the token of one of its mailboxes. */
type Tester = { readonly owner: string; readonly holder: string }

export function webhookRoutes({ outbound: { webhooks }, accounts, admission: { limits } }: HttpDeps, guards: Guards): BoundRoute[] {
  const ofAccount = ({ owner, apiKeyId, apiTokenHash }: ApiCaller): WebhookOwner => ({ kind: 'account', owner, apiKeyId, apiTokenHash })
  const ofMailbox = ({ mailboxId, expiresAt }: OpenMailbox): WebhookOwner => ({ kind: 'mailbox', mailboxId, expiresAt })

  /** Visitors' mailboxes have none, because a webhook makes this server send requests. */
  const requireApiMailbox = async ({ fail }: GuardedRequest<'forbidden'>, { mailboxId }: OpenMailbox) =>
    (await accounts.apiMailboxes.find(mailboxId)) ??
    fail('forbidden', { detail: 'Webhooks are for mailboxes of an API key or API token whose account is not suspended.' })
  const requireMade = async ({ mailbox, fail }: GuardedRequest<'not_found'> & { readonly mailbox: OpenMailbox }) =>
    (await accounts.apiMailboxes.find(mailbox.mailboxId)) ?? fail('not_found')
  const countWrite = (request: GuardedRequest<'rate_limited'>, account: string) =>
    guards.enforceLimit(request, limits.credentialWrites, account)
  /** Others may have the token of a mailbox: it uses up neither what its owner may change nor what the other mailboxes may. */
  const countMailboxWrite = async (request: GuardedRequest<'rate_limited'>, made: { readonly id: string; readonly owner: string }) => {
    await guards.enforceLimit(request, limits.mailboxWrites, made.id)
    await guards.enforceLimit(request, limits.mailboxesWrites, made.owner)
  }
  const create = async (of: WebhookOwner, request: contract.CreateWebhook) => {
    const created = await webhooks.registry.create(of, request)
    webhooks.events.webhookCreated()
    return created
  }
  const remove = async ({ fail }: GuardedRequest<'not_found'>, of: WebhookOwner, id: string) => {
    if (!(await webhooks.registry.remove(of, id))) fail('not_found')
  }
  const rotate = async ({ fail }: GuardedRequest<'not_found'>, of: WebhookOwner, id: string) =>
    (await webhooks.registry.rotate(of, id)) ?? fail('not_found')
  /** Counted for all keys or mailboxes of an owner too: with a count per mailbox alone, thousands of mailboxes could cause a flood. */
  const test = async (request: GuardedRequest<'not_found' | 'rate_limited'>, of: WebhookOwner, id: string, by: Tester) => {
    const webhook = (await webhooks.registry.find(of, id)) ?? request.fail('not_found')
    if (by.holder !== by.owner) await guards.enforceLimit(request, limits.holderTests, by.holder)
    await guards.enforceLimit(request, of.kind === 'mailbox' ? limits.mailboxesTests : limits.webhookTests, by.owner)
    const { isDelivered, status, reason } = await webhooks.deliveries.test(webhook)
    return { delivered: isDelivered, ...(status !== undefined && { status }), reason }
  }

  return [
    defineRoute(contract.createWebhook, async request => {
      await countWrite(request, request.caller.owner)
      return create(ofAccount(request.caller), request.body)
    }),
    defineRoute(contract.listWebhooks, async ({ caller }) => ({ webhooks: await webhooks.registry.list(ofAccount(caller)) })),
    defineRoute(contract.removeWebhook, request => remove(request, ofAccount(request.caller), request.params.id)),
    defineRoute(contract.testWebhook, request => {
      const { owner, apiKeyId } = request.caller
      return test(request, ofAccount(request.caller), request.params.id, { owner, holder: apiKeyId ?? owner })
    }),
    defineRoute(contract.rotateWebhook, async request => {
      await countWrite(request, request.caller.owner)
      return rotate(request, ofAccount(request.caller), request.params.id)
    }),
    defineRoute(contract.createMailboxWebhook, async request => {
      await countMailboxWrite(request, await requireApiMailbox(request, request.mailbox))
      return create(ofMailbox(request.mailbox), request.body)
    }),
    defineRoute(contract.listMailboxWebhooks, async ({ mailbox }) => ({ webhooks: await webhooks.registry.list(ofMailbox(mailbox)) })),
    defineRoute(contract.removeMailboxWebhook, request => remove(request, ofMailbox(request.mailbox), request.params.id)),
    defineRoute(contract.testMailboxWebhook, async request => {
      const { owner, id } = await requireMade(request)
      return test(request, ofMailbox(request.mailbox), request.params.id, { owner, holder: id })
    }),
    defineRoute(contract.rotateMailboxWebhook, async request => {
      await countMailboxWrite(request, await requireMade(request))
      return rotate(request, ofMailbox(request.mailbox), request.params.id)
    }),
  ]
}

/** For the account's own page, by cookie. */
export function accountWebhookRoutes({ outbound: { webhooks } }: HttpDeps): BoundRoute[] {
  const of = ({ account, sessionId }: Pick<SignedIn, 'account' | 'sessionId'>): WebhookOwner => ({
    kind: 'account',
    ...sessionRight(account.id, sessionId),
  })
  return [
    defineRoute(contract.listAccountWebhooks, async request => ({ webhooks: await webhooks.registry.list(of(request)) })),
    defineRoute(contract.removeAccountWebhook, async request => {
      if (!(await webhooks.registry.remove(of(request), request.params.id))) request.fail('not_found')
    }),
  ]
}

export function pushRoutes({ outbound: { push }, admission: { limits } }: HttpDeps, guards: Guards): BoundRoute[] {
  const open = ({ fail }: GuardedRequest<'push_refused'>): OpenPush =>
    push ?? fail('push_refused', { detail: 'This server sends no notifications.' })
  return [
    defineRoute(contract.readPushKey, request => ({ publicKey: open(request).publicKey })),
    defineRoute(contract.subscribeToPush, async request => {
      const { subscriptions, subscribed } = open(request)
      await guards.enforceLimit(request, limits.pushSubscriptions)
      const id = await subscriptions.create(request.mailbox, request.body)
      subscribed()
      return { id }
    }),
    defineRoute(contract.unsubscribeFromPush, async request => {
      if (!(await open(request).subscriptions.remove(request.mailbox, request.params.id))) request.fail('not_found')
    }),
  ]
}

/** Addresses and API keys of the signed-in account. By cookie only: an API key cannot list or create keys. */
import { createApiKey, listApiKeys, listProMailboxes, revokeApiKey } from '#contract/account.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Account'

export function accountRoutes({ accounts }: Pick<HttpDeps, 'accounts'>): BoundRoute[] {
  return [
    defineRoute(listProMailboxes, {
      tag,
      summary: 'List the live addresses of the account, with their tokens',
      handle: async ({ account }) => ({ mailboxes: await accounts.proMailboxes.list(account.id) }),
    }),
    defineRoute(listApiKeys, {
      tag,
      summary: 'List the API keys of the account',
      description: 'The keys themselves are not in the list.',
      handle: async ({ account }) => ({ keys: await accounts.apiKeys.list(account.id) }),
    }),
    defineRoute(createApiKey, {
      tag,
      summary: 'Create an API key',
      description: 'The key is shown only in this response.',
      handle: ({ account, body }) => accounts.apiKeys.create(account.id, body.name),
    }),
    defineRoute(revokeApiKey, {
      tag,
      summary: 'Revoke an API key',
      async handle({ account, params, fail }) {
        if (!(await accounts.apiKeys.revoke(account.id, params.id))) fail('not_found')
        return undefined
      },
    }),
  ]
}

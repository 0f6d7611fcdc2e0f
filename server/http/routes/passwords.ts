/** Forgotten and new passwords. */
import { forgotPassword, resetPassword } from '#contract/api/account-routes.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Account'

export function passwordRoutes({ accounts: { passwords } }: Pick<HttpDeps, 'accounts'>, guards: Guards): BoundRoute[] {
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

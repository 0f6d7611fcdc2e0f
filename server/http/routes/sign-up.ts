/** Sign-up, confirmation and deletion of accounts. */
import { confirmEmail, deleteAccount, signUp } from '#contract/account.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'
import { clearCache, setCookies } from './session-cookies.ts'

const tag = 'Account'

export function signUpRoutes(
  { config, accounts, livePolicy }: Pick<HttpDeps, 'config' | 'accounts' | 'livePolicy'>,
  guards: Guards,
): BoundRoute[] {
  return [
    defineRoute(signUp, {
      tag,
      summary: 'Create an account',
      description: 'A link to confirm the address is mailed to it.',
      async handle(request) {
        const { botCheck, ...form } = request.body
        await guards.limitForm(request, 'sign-up')
        if (!livePolicy.current.isRegistrationOpen) request.fail('registration_closed')
        if (livePolicy.current.blocksSender(form.email)) request.fail('email_not_allowed')
        await guards.botCheck(request, botCheck, 'signup')
        await guards.limitMailsTo(request, form.email)
        await accounts.signUps.start(form)
        return undefined
      },
    }),
    defineRoute(confirmEmail, {
      tag,
      summary: 'Confirm a sign-up with the token of its link and its password',
      async handle(request) {
        await guards.limitForm(request, 'link')
        await accounts.signUps.confirm(request.body)
        return undefined
      },
    }),
    defineRoute(deleteAccount, {
      tag,
      summary: 'Delete the account and its addresses',
      async handle(request) {
        const { c, account, body } = request
        await guards.limitForm(request, 'delete')
        await guards.limitPasswordAttempts(request, account.email)
        await accounts.deleteOwnAccount(account, body.password)
        const { setCookies: cookies } = await accounts.sessions.signOut(c.req.raw.headers)
        setCookies(c, cookies)
        clearCache(c, config.publicUrl)
        return undefined
      },
    }),
  ]
}

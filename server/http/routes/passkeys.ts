/** Passkeys: signing up and in with one, and those of an account. */
import { randomUUID } from 'node:crypto'
import * as contract from '#contract/account.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import type { Warn } from '#server/accounts/account-mail.ts'
import { describeDevice } from '#server/accounts/sessions.ts'
import { sessionRight } from '#server/database/rights.ts'
import { setCookies } from './credentials.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function passkeyRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  return [...signInRoutes(deps, guards), ...signUpRoutes(deps, guards), ...accountPasskeyRoutes(deps, guards)]
}

function signInRoutes({ accounts: { sessions, ceremonies, knownNetworks } }: HttpDeps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(contract.startPasskeyUse, async request => {
      await guards.enforceFormLimit(request, 'passkey')
      return ceremonies.offerUse()
    }),
    defineRoute(contract.signInWithPasskey, async request => {
      const { c, body } = request
      await guards.enforceFormLimit(request, 'sign-in')
      const { account, session, setCookies: cookies } = await sessions.signInWithPasskey(body.passkey, c.req.raw.headers)
      await knownNetworks.remember(account, c.get('networks'))
      setCookies(c, cookies)
      return { session }
    }),
  ]
}

function signUpRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  const { signUps, ceremonies } = deps.accounts
  return [
    defineRoute(contract.startPasskeySignUp, async request => {
      const { email, botCheck } = request.body
      await guards.enforceFormLimit(request, 'sign-up')
      await guards.botCheck(request, botCheck, 'signup')
      await signUps.requireFree(email)
      return ceremonies.offerCreation({ userId: randomUUID(), email, isSignUp: true })
    }),
    defineRoute(contract.signUpWithPasskey, async request => {
      const { passkey, language, mailboxToken } = request.body
      await guards.enforceFormLimit(request, 'passkey')
      const { subject, credential } = await ceremonies.verifyCreation(passkey)
      const { userId, email, isSignUp } = subject
      if (!isSignUp) request.fail('passkey_refused')
      const device = describeDevice(request.c.req.raw.headers)
      const wanted = { email, language }
      let mailbox: MailboxCreated | undefined
      await guards.mailSignUp(request, wanted, async () => {
        const signUpId = await signUps.startWithPasskey(wanted, { ...credential, userId, ...(device && { device }) })
        if (mailboxToken === undefined) return
        // Once for each sign-up, since its passkey has been used up. The account is there without the address too.
        const kept = deps.accounts.proMailboxes.keep({ accountId: userId, signUpId }, mailboxToken)
        mailbox = await kept.catch((err: unknown) => void deps.log.debug({ err }, 'A sign-up could not keep its address'))
      })
      return mailbox ? { mailbox } : {}
    }),
  ]
}

function accountPasskeyRoutes({ accounts }: HttpDeps, guards: Guards): BoundRoute[] {
  const { passkeys } = accounts
  return [
    defineRoute(contract.listPasskeys, async ({ account }) => ({ passkeys: await passkeys.list(account.id) })),
    defineRoute(contract.startAddingPasskey, async request => {
      const { account, body } = request
      await guards.enforceFormLimit(request, 'add-passkey')
      await guards.enforcePasswordLimit(request, request)
      await accounts.requireProof(account, body)
      return passkeys.offerAnother(account)
    }),
    defineRoute(contract.addPasskey, async ({ c, account, sessionId, body }) => {
      const right = sessionRight(account.id, sessionId)
      const device = describeDevice(c.req.raw.headers)
      return guards.warningOwner('passkey_added', warn => passkeys.add(account.id, right, body.passkey, device, warn))
    }),
    defineRoute(contract.removePasskey, async request => {
      const { account, sessionId, params, body } = request
      await guards.enforceFormLimit(request, 'remove-passkey')
      await guards.enforcePasswordLimit(request, request)
      await accounts.requireProof(account, body)
      const by = sessionRight(account.id, sessionId)
      const remove = (warn: Warn) => passkeys.remove(account.id, by, params.id, warn)
      if (!(await guards.warningOwner('passkey_removed', remove))) request.fail('not_found')
    }),
  ]
}

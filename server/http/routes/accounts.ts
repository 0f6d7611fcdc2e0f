/** Accounts: signing up, in and out, passwords, passkeys, deletion, their addresses and API keys. */
import { randomUUID } from 'node:crypto'
import type { Credentials } from '#contract/account.ts'
import * as contract from '#contract/account.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import type { Warn } from '#server/accounts/account-mail.ts'
import { describeDevice } from '#server/accounts/sessions.ts'
import { isNamedOperator } from '#server/accounts/sign-up.ts'
import { accountOwner, type Step, sessionRight } from '#server/database/rights.ts'
import { AppError } from '#server/errors.ts'
import { clearCache, setCookies } from './credentials.ts'
import { type BoundRoute, defineRoute, type GuardedRequest } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function accountRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  return [...signUpRoutes(deps, guards), ...sessionRoutes(deps, guards), ...passwordRoutes(deps, guards), ...keyRoutes(deps, guards)]
}

function sessionRoutes({ config, accounts }: HttpDeps, guards: Guards): BoundRoute[] {
  const { sessions, signUps, knownNetworks } = accounts

  /** The right password of an unconfirmed sign-up mails a new link, as a sign-up does. */
  async function refuse(
    request: GuardedRequest<'rate_limited' | 'email_not_confirmed'>,
    error: unknown,
    credentials: Credentials,
  ): Promise<never> {
    if (error instanceof AppError && error.code === 'email_not_confirmed') {
      const signUp = await signUps.find(credentials)
      if (signUp) await guards.mailConfirmation(request, signUp.wanted, () => signUps.sendNewLink(signUp))
    }
    throw error
  }

  return [
    defineRoute(contract.readSession, async ({ c }) => {
      const { signedIn, setCookies: cookies } = await sessions.current(c.req.raw.headers)
      setCookies(c, cookies)
      if (!signedIn) return { session: null }
      const { session, account } = signedIn
      return { session: isNamedOperator(account.email, config) ? { ...session, isOperator: true } : session }
    }),
    defineRoute(contract.signIn, async request => {
      const { c, body } = request
      await guards.enforceFormLimit(request, 'sign-in')
      const signedIn = guards.limitSignIn(request, body.email, refusal => sessions.signIn(body, c.req.raw.headers, refusal))
      const { account, session, setCookies: cookies } = await signedIn.catch(error => refuse(request, error, body))
      await knownNetworks.remember(account, c.get('networks'))
      setCookies(c, cookies)
      return { session }
    }),
    defineRoute(contract.signOut, async ({ c }) => {
      const { setCookies: cookies } = await sessions.signOut(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
    }),
    defineRoute(contract.listSessions, async ({ account, sessionId }) => ({ sessions: await sessions.list(account, sessionId) })),
    defineRoute(contract.endSession, async ({ account, sessionId, params, fail }) => {
      if (!(await sessions.end(account, sessionId, params.id))) fail('not_found')
    }),
    defineRoute(contract.signOutEverywhere, async ({ c }) => {
      const { setCookies: cookies } = await sessions.signOutEverywhere(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
    }),
  ]
}

/** Addresses and API keys of the signed-in account. By cookie only: an API key cannot list or create keys. */
function keyRoutes({ accounts, admission }: HttpDeps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(contract.listProMailboxes, async ({ account }) => ({ mailboxes: await accounts.proMailboxes.list(account.id) })),
    defineRoute(contract.keepMailbox, async request => {
      const { account, sessionId, body } = request
      const key = account.id
      await guards.checkLimit(request, admission.limits.newAddressesPro, key)
      return accounts.proMailboxes
        .keep({ accountId: account.id, sessionId }, body.token, () => guards.enforceLimit(request, admission.limits.newAddressesPro, key))
        .catch(error => guards.countTokenMiss(request, error))
    }),
    defineRoute(contract.listApiKeys, async ({ account }) => ({ keys: await accounts.apiKeys.list(account.id) })),
    defineRoute(contract.createApiKey, async request => {
      const { account, sessionId, body } = request
      await guards.enforceLimit(request, admission.limits.credentialWrites, accountOwner(account.id))
      await guards.requireRecentProof(request, request, body.proof)
      const by = { accountId: account.id, sessionId }
      return guards.warningOwner('api_key_created', warn => accounts.apiKeys.create(by, body.name, warn))
    }),
    defineRoute(contract.revokeApiKey, async ({ account, sessionId, params, fail }) => {
      const by = sessionRight(account.id, sessionId)
      const revoke = (warn: Warn) => accounts.apiKeys.revoke(account.id, by, params.id, warn)
      if (!(await guards.warningOwner('api_key_revoked', revoke))) fail('not_found')
    }),
  ]
}

function signUpRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  const { config, accounts, operator } = deps
  return [
    defineRoute(contract.signUp, async request => {
      const { botCheck, ...form } = request.body
      await guards.enforceFormLimit(request, 'sign-up')
      await guards.botCheck(request, botCheck, 'signup')
      await guards.mailSignUp(request, form, () => accounts.signUps.start(form))
    }),
    defineRoute(contract.confirmEmail, async request => {
      const { c, body } = request
      await guards.enforceFormLimit(request, 'link')
      const account = await accounts.signUps.confirm(body)
      const signedIn = await accounts.sessions.beginConfirmed(account, c.req.raw.headers)
      await accounts.knownNetworks.remember(signedIn.account, c.get('networks'))
      setCookies(c, signedIn.setCookies)
    }),
    defineRoute(contract.deleteAccount, async request => {
      const { c, account, sessionId, body } = request
      await guards.enforceFormLimit(request, 'delete')
      await guards.enforcePasswordLimit(request, request)
      await guards.warningOwner('account_deleted', async warn => {
        const tell = await warn(account.id)
        const record = async (step: Step) => {
          if (isNamedOperator(account.email, config)) await operator.audit.add(account.email, 'account.destroy', account.id, step)
          await tell(step)
        }
        await accounts.deleteOwnAccount({ account, sessionId }, body, record)
      })
      const { setCookies: cookies } = await accounts.sessions.signOut(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
    }),
  ]
}

function passwordRoutes({ accounts: { passwords, sessions, knownNetworks } }: HttpDeps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(contract.forgotPassword, async request => {
      await guards.enforceFormLimit(request, 'forgot')
      guards.mailReset(request, request.body)
    }),
    defineRoute(contract.resetPassword, async request => {
      await guards.enforceFormLimit(request, 'link')
      const account = await guards.warningOwner('password_reset', warn => passwords.reset(request.body, warn))
      // Strangers who use up the attempts of an address do not lock out who reads its mail.
      await knownNetworks.remember(account, request.c.get('networks'))
    }),
    defineRoute(contract.changePassword, async request => {
      await guards.enforceFormLimit(request, 'password')
      await guards.enforcePasswordLimit(request, request)
      const change = async (warn: Warn) => {
        const tell = await warn(request.account.id)
        return await passwords.change(request, request.body, async step => {
          await tell(step)
          return await sessions.renew(step, request.sessionId)
        })
      }
      const { setCookies: cookies } = await guards.warningOwner('password_changed', change)
      setCookies(request.c, cookies)
    }),
  ]
}

/** Passkeys: signing up and in with one, and those of an account. */
export function passkeyRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  return [...passkeySignInRoutes(deps, guards), ...passkeySignUpRoutes(deps, guards), ...accountPasskeyRoutes(deps, guards)]
}

function passkeySignInRoutes({ accounts: { sessions, ceremonies, knownNetworks } }: HttpDeps, guards: Guards): BoundRoute[] {
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

function passkeySignUpRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
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

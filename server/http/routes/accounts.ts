/** Accounts: signing up, in and out, passwords, deletion, their addresses and API keys. */

import type { Credentials } from '#contract/account.ts'
import {
  changePassword,
  confirmEmail,
  createApiKey,
  deleteAccount,
  endSession,
  forgotPassword,
  keepMailbox,
  listApiKeys,
  listProMailboxes,
  listSessions,
  readSession,
  resetPassword,
  revokeApiKey,
  signIn,
  signOut,
  signOutEverywhere,
  signUp,
} from '#contract/account.ts'
import type { Warn } from '#server/accounts/account-mail.ts'
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
    defineRoute(readSession, {
      summary: 'Read who is signed in',
      description: '`session` is null if nobody is signed in.',
      async handle({ c }) {
        const { signedIn, setCookies: cookies } = await sessions.current(c.req.raw.headers)
        setCookies(c, cookies)
        if (!signedIn) return { session: null }
        const { session, account } = signedIn
        return { session: isNamedOperator(account.email, config) ? { ...session, isOperator: true } : session }
      },
    }),
    defineRoute(signIn, {
      summary: 'Sign in',
      description: 'The session is a cookie.',
      async handle(request) {
        const { c, body } = request
        await guards.enforceFormLimit(request, 'sign-in')
        const signedIn = guards.limitSignIn(request, body.email, refusal => sessions.signIn(body, c.req.raw.headers, refusal))
        const { account, session, setCookies: cookies } = await signedIn.catch(error => refuse(request, error, body))
        await knownNetworks.remember(account, c.get('networks'))
        setCookies(c, cookies)
        return { session }
      },
    }),
    defineRoute(signOut, {
      summary: 'Sign out of this session',
      async handle({ c }) {
        const { setCookies: cookies } = await sessions.signOut(c.req.raw.headers)
        setCookies(c, cookies)
        clearCache(c, config.publicUrl)
      },
    }),
    defineRoute(listSessions, {
      summary: 'List the devices that are signed in',
      handle: async ({ account, sessionId }) => ({ sessions: await sessions.list(account, sessionId) }),
    }),
    defineRoute(endSession, {
      summary: 'Sign out one device',
      async handle({ account, sessionId, params, fail }) {
        if (!(await sessions.end(account, sessionId, params.id))) fail('not_found')
      },
    }),
    defineRoute(signOutEverywhere, {
      summary: 'Sign out of every session of the account',
      async handle({ c }) {
        const { setCookies: cookies } = await sessions.signOutEverywhere(c.req.raw.headers)
        setCookies(c, cookies)
        clearCache(c, config.publicUrl)
      },
    }),
  ]
}

/** Addresses and API keys of the signed-in account. By cookie only: an API key cannot list or create keys. */
function keyRoutes({ accounts, admission }: HttpDeps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(listProMailboxes, {
      summary: 'List the live addresses of the account, with their tokens',
      handle: async ({ account }) => ({ mailboxes: await accounts.proMailboxes.list(account.id) }),
    }),
    defineRoute(keepMailbox, {
      summary: 'Keep a live address, with its mail, for the account',
      description: 'It then lives as long as one that the account created, counted from its creation. Nobody else may own it.',
      async handle(request) {
        const { account, sessionId, body } = request
        const key = account.id
        await guards.checkLimit(request, admission.limits.newAddressesPro, key)
        return accounts.proMailboxes
          .keep({ accountId: account.id, sessionId }, body.token, () => guards.enforceLimit(request, admission.limits.newAddressesPro, key))
          .catch(error => guards.countTokenMiss(request, error))
      },
    }),
    defineRoute(listApiKeys, {
      summary: 'List the API keys of the account',
      description: 'The keys themselves are not in the list.',
      handle: async ({ account }) => ({ keys: await accounts.apiKeys.list(account.id) }),
    }),
    defineRoute(createApiKey, {
      summary: 'Create an API key',
      description:
        'The key is shown only in this response. A mail tells the owner. From 15 minutes after the sign-in it needs the password again, or a passkey of the account.',
      async handle(request) {
        const { account, sessionId, body } = request
        await guards.enforceLimit(request, admission.limits.credentialWrites, accountOwner(account.id))
        await guards.requireRecentProof(request, request, body.proof)
        const by = { accountId: account.id, sessionId }
        return guards.warningOwner('api_key_created', warn => accounts.apiKeys.create(by, body.name, warn))
      },
    }),
    defineRoute(revokeApiKey, {
      summary: 'Revoke an API key',
      description: 'A mail tells the owner.',
      async handle({ account, sessionId, params, fail }) {
        const by = sessionRight(account.id, sessionId)
        const revoke = (warn: Warn) => accounts.apiKeys.revoke(account.id, by, params.id, warn)
        if (!(await guards.warningOwner('api_key_revoked', revoke))) fail('not_found')
      },
    }),
  ]
}

function signUpRoutes(deps: HttpDeps, guards: Guards): BoundRoute[] {
  const { config, accounts, operator } = deps
  return [
    defineRoute(signUp, {
      summary: 'Create an account',
      description: 'A link to confirm the address is mailed to it.',
      async handle(request) {
        const { botCheck, ...form } = request.body
        await guards.enforceFormLimit(request, 'sign-up')
        await guards.botCheck(request, botCheck, 'signup')
        await guards.mailSignUp(request, form, () => accounts.signUps.start(form))
      },
    }),
    defineRoute(confirmEmail, {
      summary: 'Confirm a sign-up with the token of its link, and its password or passkey',
      description: 'Signs in: the session is a cookie.',
      async handle(request) {
        const { c, body } = request
        await guards.enforceFormLimit(request, 'link')
        const account = await accounts.signUps.confirm(body)
        const signedIn = await accounts.sessions.beginConfirmed(account, c.req.raw.headers)
        await accounts.knownNetworks.remember(signedIn.account, c.get('networks'))
        setCookies(c, signedIn.setCookies)
      },
    }),
    defineRoute(deleteAccount, {
      summary: 'Delete the account and its addresses',
      description: 'A mail tells the owner.',
      async handle(request) {
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
      },
    }),
  ]
}

function passwordRoutes({ accounts: { passwords, sessions, knownNetworks } }: HttpDeps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(forgotPassword, {
      summary: 'Ask for a link to set a new password',
      async handle(request) {
        await guards.enforceFormLimit(request, 'forgot')
        guards.mailReset(request, request.body)
      },
    }),
    defineRoute(resetPassword, {
      summary: 'Set a new password with the token of such a link',
      description: 'All sessions, passkeys and API keys of the account end. A mail tells the owner.',
      async handle(request) {
        await guards.enforceFormLimit(request, 'link')
        const account = await guards.warningOwner('password_reset', warn => passwords.reset(request.body, warn))
        // Strangers who use up the attempts of an address do not lock out who reads its mail.
        await knownNetworks.remember(account, request.c.get('networks'))
      },
    }),
    defineRoute(changePassword, {
      summary: 'Set a new password with the one before',
      description:
        'All other sessions of the account end, and this one gets a new cookie. Its passkeys and API keys stay. A mail tells the owner.',
      async handle(request) {
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
      },
    }),
  ]
}

/** Signs operators in: the session of the account, then a second factor, recorded in a separate cookie. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { confirmSecondFactor, enrolSecondFactor, passSecondFactor, readOperatorSession } from '#contract/operator.ts'
import type { SignedIn } from '#server/accounts/sessions.ts'
import { AppError } from '#server/errors.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import { VERIFIED_MS } from '#server/operator/second-factor.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { HttpEnv } from '../env.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'
import { requireSession } from './session-cookies.ts'

const tag = 'Operator'

type Deps = Pick<HttpDeps, 'config' | 'accounts' | 'secondFactor'>

const isHttps = ({ publicUrl }: Pick<Config, 'publicUrl'>) => publicUrl.startsWith('https:')
const cookieName = (config: Pick<Config, 'publicUrl'>) => (isHttps(config) ? '__Host-mayfly_operator' : 'mayfly_operator')

/**
 * The signed-in account if OPERATORS names it. AppError `sign_in_required`; `not_found` for every other account, as if the page did not
 * exist.
 */
async function requireNamed(c: Context<HttpEnv>, { config, accounts }: Deps): Promise<SignedIn> {
  const signedIn = await requireSession(c, accounts)
  const email = canonicalAddress(signedIn.account.email)
  if (!config.operators.some(operator => canonicalAddress(operator) === email)) throw new AppError('not_found')
  return signedIn
}

/** The operator, with the second factor passed. AppError `sign_in_required`, `not_found`, `second_factor_required`. */
export async function requireOperator(c: Context<HttpEnv>, deps: Deps): Promise<SignedIn['account']> {
  const { account, sessionId } = await requireNamed(c, deps)
  if (!(await deps.secondFactor.isVerified(sessionId, getCookie(c, cookieName(deps.config))))) throw new AppError('second_factor_required')
  return account
}

export function operatorSessionRoutes(deps: Deps, guards: Guards): BoundRoute[] {
  const { config, accounts, secondFactor } = deps

  async function setVerified(c: Context<HttpEnv>, sessionId: string): Promise<void> {
    const token = await secondFactor.openSession(sessionId)
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${VERIFIED_MS / 1000}${isHttps(config) ? '; Secure' : ''}`
    c.header('set-cookie', `${cookieName(config)}=${token}; ${attributes}`, { append: true })
  }

  return [
    defineRoute(readOperatorSession, {
      tag,
      summary: 'Read what is still missing for the operator’s page',
      async handle({ c }) {
        const { account, sessionId } = await requireNamed(c, deps)
        const isVerified = await secondFactor.isVerified(sessionId, getCookie(c, cookieName(config)))
        return { isEnrolled: await secondFactor.isEnrolled(account), isVerified }
      },
    }),
    defineRoute(enrolSecondFactor, {
      tag,
      summary: 'Begin to enrol a second factor',
      description: 'Needs the password again, so that nobody can set up an authenticator in a borrowed browser.',
      async handle(request) {
        const { account } = await requireNamed(request.c, deps)
        await guards.limitPasswordAttempts(request, account.email)
        if (!(await accounts.passwords.isCorrect(account, request.body.password))) request.fail('credentials_wrong')
        return secondFactor.enrol(account)
      },
    }),
    defineRoute(confirmSecondFactor, {
      tag,
      summary: 'End the enrolment with the first code',
      description: 'The recovery codes are shown only in this response.',
      async handle({ c, body }) {
        const { account, sessionId } = await requireNamed(c, deps)
        const recoveryCodes = await secondFactor.confirm(account, body.code)
        await setVerified(c, sessionId)
        return { recoveryCodes }
      },
    }),
    defineRoute(passSecondFactor, {
      tag,
      summary: 'Enter a code of the authenticator app or a recovery code',
      async handle({ c, body }) {
        const { account, sessionId } = await requireNamed(c, deps)
        await secondFactor.pass(account, body.code)
        await setVerified(c, sessionId)
        return undefined
      },
    }),
  ]
}

/** Limits and the bot check, which handlers call. Each fails only with codes that its route declares. */
import type { AccountProof } from '#contract/account.ts'
import type { Language } from '#contract/languages.ts'
import type { BotCheckAction } from '#contract/site.ts'
import type { AccountChange, Warn } from '#server/accounts/account-mail.ts'
import type { SignedIn } from '#server/accounts/sessions.ts'
import { AppError } from '#server/errors.ts'
import { checkLimit, enforceLimit, type Limit, type LimitReached, takeFromLimit } from '#server/platform/limits/limiter.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import { middleNetwork } from '#server/platform/net/ip-address.ts'
import type { GuardedRequest } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

/** A session so young needs no proof. */
const FRESH_MS = 15 * 60_000
/** An owner may end all ten passkeys at once. */
const FORM_FACTOR: Partial<Record<AccountForm, number>> = { 'remove-passkey': 2 }

export type Guards = ReturnType<typeof createGuards>
type AccountForm = 'sign-up' | 'sign-in' | 'link' | 'forgot' | 'password' | 'delete' | 'passkey' | 'add-passkey' | 'remove-passkey'
type Wanted = { readonly email: string; readonly language: Language }

export const createGuards = (deps: HttpDeps) => ({ ...requestGuards(deps), ...accountGuards(deps) })

function requestGuards({ admission: { sharedLimits, limits, botCheck }, server: { telemetry } }: HttpDeps) {
  return {
    /** Takes from what the client's networks, or `key`, have left. */
    async enforceLimit(
      { c }: GuardedRequest<'rate_limited'>,
      limit: Limit,
      key: string | Holder = c.get('networks'),
      count = 1,
    ): Promise<void> {
      await enforceLimit(sharedLimits, limit, key, count)
    },
    /** Fails if fewer are left. Takes none. */
    async checkLimit(
      { c }: GuardedRequest<'rate_limited'>,
      limit: Limit,
      key: string | Holder = c.get('networks'),
      count = 1,
    ): Promise<void> {
      await checkLimit(sharedLimits, limit, key, count)
    },
    /** After too many tokens that open no mailbox, the network has to wait. Throws the error. */
    async countTokenMiss({ c }: GuardedRequest<'rate_limited'>, error: unknown): Promise<never> {
      if (error instanceof AppError && error.code === 'mailbox_not_found')
        await enforceLimit(sharedLimits, limits.tokenMisses, c.get('networks'))
      throw error
    },
    /** Each form of the account pages has its own attempts, so that a forgotten password does not use up the sign-ins after it. */
    async enforceFormLimit({ c }: GuardedRequest<'rate_limited'>, form: AccountForm): Promise<void> {
      const max = limits.auth.max * (FORM_FACTOR[form] ?? 1)
      await enforceLimit(sharedLimits, { ...limits.auth, max, name: `auth-${form}` }, c.get('networks'))
    },
    /**
     * Lets a request pass whose check is solved. Failures are counted per network. A solution for another network is refused without being
     * counted: it cost its work, and the page solves a new one.
     */
    async botCheck(
      { c, fail }: GuardedRequest<'bot_check_failed' | 'rate_limited' | 'unavailable'>,
      token: string | undefined,
      action: BotCheckAction,
    ): Promise<void> {
      const networks = c.get('networks')
      await checkLimit(sharedLimits, limits.botCheckFailures, networks)
      const verdict = await botCheck.verify(token, action, middleNetwork(networks))
      telemetry.botChecked(verdict)
      if (verdict === 'passed') return
      if (verdict === 'failed') await enforceLimit(sharedLimits, limits.botCheckFailures, networks)
      const isProgram = token === undefined && action === 'generate_email'
      fail('bot_check_failed', isProgram ? { detail: 'A program sends an API key or API token instead: `mayfly token create NAME`.' } : {})
    },
  }
}

/** Limits of what is tried with an account and mailed to its address. */
function accountGuards({ clock, log, accounts, admission: { sharedLimits, limits } }: HttpDeps) {
  /**
   * Networks that the account signed in from have their own attempts, so that strangers who use up the others do not lock the owner out.
   */
  async function takePerAccount(limit: Limit, key: string, email: string, network: string): Promise<LimitReached | undefined> {
    const isKnown = await accounts.knownNetworks.has(email, network)
    return await takeFromLimit(sharedLimits, limit, [isKnown ? `${key} ${network}` : key])
  }

  /** Counts a mail to this very address, and says whether it may be sent. */
  async function takeMail(limit: Limit, email: string, network: string): Promise<boolean> {
    return !(await takePerAccount(limit, accounts.mailLimitKey(email), email, network))
  }

  return {
    /**
     * Lets a request pass whose session is fresh, or has a proof: a stolen session makes nothing that outlives a new password. AppError
     * `proof_required`, else as `accounts.requireProof`.
     */
    async requireRecentProof(
      request: GuardedRequest<'proof_required' | 'rate_limited'>,
      signedIn: Pick<SignedIn, 'account' | 'sessionId' | 'signedInAt'>,
      proof: AccountProof | undefined,
    ): Promise<void> {
      if (proof) {
        await this.enforcePasswordLimit(request, signedIn)
        await accounts.requireProof(signedIn.account, proof)
      } else if (clock() - signedIn.signedInAt >= FRESH_MS) request.fail('proof_required')
    },
    /** Passwords tried for one account by somebody who is signed in to it. Strangers who try to sign in take none of these. */
    async enforcePasswordLimit(
      { c }: GuardedRequest<'rate_limited'>,
      { account: { email }, sessionId }: Pick<SignedIn, 'account' | 'sessionId'>,
    ): Promise<void> {
      const key = `${accounts.limitKey(email)} ${sessionId}`
      const refusal = await takePerAccount(limits.accountAttempts, key, email, c.get('networks')[0])
      if (refusal) throw refusal
    },
    /**
     * Calls `signIn`, which hashes the password before it throws a refusal. From a known network too a wrong password counts among those of
     * strangers and is answered as theirs: otherwise anybody there could learn that the account exists and is used in that network.
     */
    async limitSignIn<SignedIn>(
      { c }: GuardedRequest<'rate_limited'>,
      email: string,
      signIn: (refusal: LimitReached | undefined) => Promise<SignedIn>,
    ): Promise<SignedIn> {
      const [network] = c.get('networks')
      const key = accounts.limitKey(email)
      const take = (ofWhom: string) => takeFromLimit(sharedLimits, limits.accountAttempts, ofWhom)
      const hasOwn = (await accounts.knownNetworks.has(email, network)) && !(await take(`${key} ${network}`))
      const refusal = hasOwn ? undefined : await take(key)
      return await signIn(refusal).catch(async (error: unknown) => {
        const isWrong = error instanceof AppError && error.code === 'credentials_wrong'
        throw (hasOwn && isWrong && (await take(key))) || error
      })
    },
    /** Mails the owner what `work` does to the account: a few times a day for each kind, since an intruder could do it all day. */
    warningOwner<Result>(change: AccountChange, work: (warn: Warn) => Promise<Result>): Promise<Result> {
      const limit = limits.accountWarnings
      const key = (userId: string) => `${change} ${userId}`
      const left = async (userId: string) => (await sharedLimits.peek(limit, key(userId))).remaining
      // The change is made: a limit that cannot be reached now must not refuse it.
      const count = (userId: string) =>
        takeFromLimit(sharedLimits, limit, key(userId)).catch(
          (err: unknown) => void log.debug({ err }, 'A mail to an owner was not counted'),
        )
      return accounts.warning(change, { left, count }, work)
    },
    /**
     * Mails a link to set a new password, unless enough of them are in the inbox. The response is the same, so that strangers who ask for
     * them do not keep the owner from one. Only a mail that will be sent counts, and once, however often it is tried.
     */
    mailReset({ c }: GuardedRequest<'rate_limited'>, wanted: Wanted): void {
      const [network] = c.get('networks')
      let isCounted = false
      accounts.passwords.forgot(wanted, async email => {
        isCounted ||= await takeMail(limits.resetMails, email, network)
        return isCounted
      })
    },
    /**
     * Calls `send`, which mails a link to confirm the address. Beyond the mails that strangers may send to it with sign-ups of their own,
     * the mail has a link to set a new password, which opens the account too: whoever reads the mail is not kept from signing up.
     */
    async mailConfirmation(request: GuardedRequest<'rate_limited'>, wanted: Wanted, send: () => Promise<void>): Promise<void> {
      if (await takeMail(limits.accountMails, wanted.email, request.c.get('networks')[0])) await send()
      else this.mailReset(request, wanted)
    },
    /** The same for a sign-up. Fails as `requireFree` does, and then counts no mail. */
    async mailSignUp(
      request: GuardedRequest<'account_exists' | 'registration_closed' | 'email_not_allowed' | 'rate_limited'>,
      wanted: Wanted,
      signUp: () => Promise<void>,
    ): Promise<void> {
      await accounts.signUps.requireFree(wanted.email)
      await this.mailConfirmation(request, wanted, signUp)
    },
  }
}

import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Language } from '#contract/languages.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner, asEnding, asOwner, requireRight, type Step, sessionRight } from '#server/database/rights.ts'
import { AppError } from '#server/errors.ts'
import { endRights } from './account-endings.ts'
import { type AccountMail, LINK_LIFETIME_MS, type Warn } from './account-mail.ts'
import { endMailboxes } from './owned-mailboxes.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { Account, SignedIn } from './sessions.ts'
import type { MayMail, SignUps } from './sign-up.ts'

/**
 * A reset link is created and mailed this long (random) after the response. Creating it before the response took nine milliseconds more and
 * so revealed whether the account exists; doing it right after would delay the same client's next request.
 */
const PAUSE_MS = { min: 250, max: 1250 } as const
/** Nobody is told that the database has no room for a link or is away for a moment, so nobody would try again. */
const RETRY_AFTER_MS = [1000, 2000, 4000]

type PasswordsDeps = DatabaseAccess & {
  readonly hasher: PasswordHasher
  readonly mail: AccountMail
  readonly signUps: SignUps
  /** Destroys what `endMailboxes` ended. */
  readonly destroyMailboxes: (userId: string) => Promise<void>
  readonly background: (work: Promise<void>) => void
}

type Replacement = {
  readonly passwordHash: string
  readonly destroyMailboxes: boolean
  readonly tell: Awaited<ReturnType<Warn>> | undefined
}
type Reset = { readonly token: string; readonly password: string; readonly destroyMailboxes?: boolean | undefined }

export class Passwords {
  readonly #deps: PasswordsDeps
  readonly #stopping = new AbortController()

  constructor(deps: PasswordsDeps) {
    this.#deps = deps
  }

  /** A link that finds no room is tried once more, and not waited for. */
  stop(): void {
    this.#stopping.abort()
  }

  async isCorrect(account: Account, password: string): Promise<boolean> {
    return (await this.#verify(account, password)) !== undefined
  }

  /**
   * Sets another password. Every session but the one that asks ends. Links that were mailed stay: an intruder who knows the password must
   * not be able to void what the owner waits for.
   * `renew` is part of the step, which resolves to its result. AppError `credentials_wrong`, and `sign_in_required` if the session ended
   * meanwhile.
   */
  async change<Renewed>(
    { account, sessionId }: Pick<SignedIn, 'account' | 'sessionId'>,
    { currentPassword, password }: { currentPassword: string; password: string },
    renew: (step: Step) => Promise<Renewed>,
  ): Promise<Renewed> {
    const before = await this.#verify(account, currentPassword)
    if (before === undefined) throw new AppError('credentials_wrong')
    const passwordHash = await this.#deps.hasher.hash(password)
    const right = sessionRight(account.id, sessionId)
    return await asEnding(this.#deps, right, async step => {
      await requireRight(step, this.#deps, right)
      const users = step.updateTable('users').set({ password_hash: passwordHash })
      const changed = users.where('id', '=', account.id).where('password_hash', '=', before).returning('id')
      if (!(await changed.executeTakeFirst())) throw new AppError('credentials_wrong')
      await step.deleteFrom('sessions').where('user_id', '=', account.id).where('id', '!=', sessionId).execute()
      return await renew(step)
    })
  }

  /** The hash of the account's password, if it is this one. */
  async #verify(account: Account, password: string): Promise<string | undefined> {
    const { db, hasher } = this.#deps
    const query = db.selectFrom('users').select('password_hash').where('id', '=', account.id)
    const hash = (await query.executeTakeFirst())?.password_hash
    return hash && (await hasher.verify({ hash, password })) ? hash : undefined
  }

  /**
   * Mails a reset link later. The response is the same, and as fast, whether or not the account exists. `mayMail` is asked about the
   * address that the mail goes to, once it is known that there is one to send.
   */
  forgot(wanted: { email: string; language: Language }, mayMail: MayMail): void {
    this.#deps.background(this.#sendResetLink(wanted, mayMail))
  }

  /**
   * Sets the password and revokes whatever an intruder may have: every session, every API key and, if asked to, the live addresses. The
   * rights end first, so nobody can create while the addresses are destroyed. Resolves to the account. AppError
   * `link_expired`.
   */
  async reset({ token, password, destroyMailboxes = false }: Reset, warn?: Warn): Promise<Account> {
    const { hasher, mail, signUps } = this.#deps
    const tokenHash = mail.hash('reset', token)
    const owner = await this.#ownerOfLink(tokenHash)
    if (!owner && !(await signUps.hasReset(tokenHash))) throw new AppError('link_expired')
    const tell = owner && (await warn?.(owner.id))
    const passwordHash = await hasher.hash(password)
    const opened = await signUps.openByReset(tokenHash, passwordHash)
    if (opened) return opened
    if (!owner || !(await this.#replace(owner.id, tokenHash, { passwordHash, destroyMailboxes, tell }))) throw new AppError('link_expired')
    if (destroyMailboxes) await this.#deps.destroyMailboxes(owner.id)
    return owner
  }

  /** `undefined` if the link is used, too old or made up. */
  async #ownerOfLink(tokenHash: string): Promise<Account | undefined> {
    const { db, clock } = this.#deps
    const links = db.selectFrom('link_tokens').innerJoin('users', 'users.id', 'link_tokens.user_id').select(['users.id', 'users.email'])
    return await links.where('token_hash', '=', tokenHash).where('expires_at', '>', clock()).executeTakeFirst()
  }

  /** One step: uses up the token, sets the password, ends all rights and what was made with them. `false` for a used token. */
  #replace(userId: string, tokenHash: string, { passwordHash, destroyMailboxes, tell }: Replacement) {
    return asEnding(this.#deps, { owner: accountOwner(userId) }, async step => {
      const taken = step.deleteFrom('link_tokens').where('token_hash', '=', tokenHash).where('expires_at', '>', this.#deps.clock())
      if (!(await taken.returning('user_id').executeTakeFirst())) return false
      await step.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
      await endRights(step, userId)
      if (destroyMailboxes) await endMailboxes(step, userId)
      await tell?.(step)
      return true
    })
  }

  async #sendResetLink(wanted: { email: string; language: Language }, mayMail: MayMail): Promise<void> {
    await setTimeout(randomInt(PAUSE_MS.min, PAUSE_MS.max))
    for (const pauseMs of RETRY_AFTER_MS) {
      try {
        return await this.#mailLink(wanted, mayMail)
      } catch (error) {
        if (!(error instanceof AppError) || this.#stopping.signal.aborted) throw error
        await setTimeout(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      }
    }
    await this.#mailLink(wanted, mayMail)
  }

  async #mailLink({ email, language }: { email: string; language: Language }, mayMail: MayMail): Promise<void> {
    const { mail, signUps } = this.#deps
    const { token, tokenHash } = mail.newToken('reset')
    const sendTo = (await this.#keepLink(email, tokenHash, mayMail)) ?? (await signUps.allowReset(email, tokenHash, mayMail))
    if (sendTo !== undefined) await mail.sendLink('reset', { email: sendTo, language }, token)
  }

  /**
   * The address of the account; `undefined` if there is none or no mail may be sent. Earlier links work until the first of them is used, or
   * anybody who knows the address could keep its owner from using one.
   */
  async #keepLink(email: string, tokenHash: string, mayMail: MayMail): Promise<string | undefined> {
    const { db, clock } = this.#deps
    const user = await db.selectFrom('users').select(['id', 'email']).where('email', '=', email.toLowerCase()).executeTakeFirst()
    if (!user || !(await mayMail(user.email))) return undefined
    const row = { token_hash: tokenHash, expires_at: clock() + LINK_LIFETIME_MS.reset }
    return asOwner(this.#deps, accountOwner(user.id), async step => {
      // It may have been deleted meanwhile.
      if (!(await step.selectFrom('users').select('id').where('id', '=', user.id).executeTakeFirst())) return undefined
      await step
        .insertInto('link_tokens')
        .values({ user_id: user.id, ...row })
        .execute()
      return user.email
    })
  }
}

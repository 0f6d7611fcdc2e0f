import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Language } from '#contract/languages.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { AppError } from '#server/errors.ts'
import { type AccountMail, LINK_LIFETIME_MS } from './account-mail.ts'
import { accountOwner } from './api-credentials.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { Account } from './sessions.ts'
import type { SignUps } from './sign-up.ts'

/**
 * A reset link is created and mailed this long (random) after the response. Creating it before the response took nine milliseconds more and
 * so revealed whether the account exists; doing it right after would delay the same client's next request.
 */
const PAUSE_MS = { min: 250, max: 1250 } as const

type PasswordsDeps = DatabaseAccess & {
  readonly hasher: PasswordHasher
  readonly mail: AccountMail
  readonly signUps: SignUps
  readonly destroyMailboxes: (userId: string) => Promise<void>
  readonly background: (work: Promise<void>) => void
}

type Reset = { readonly token: string; readonly password: string; readonly destroyMailboxes?: boolean | undefined }

/** Checking, forgetting and resetting passwords. */
export class Passwords {
  readonly #deps: PasswordsDeps

  constructor(deps: PasswordsDeps) {
    this.#deps = deps
  }

  async isCorrect(account: Account, password: string): Promise<boolean> {
    const { db, hasher } = this.#deps
    const query = db.selectFrom('users').select('password_hash').where('id', '=', account.id)
    const hash = (await query.executeTakeFirst())?.password_hash
    return hash ? hasher.verify({ hash, password }) : false
  }

  /** Mails a reset link later. The response is the same, and as fast, whether or not the account exists. */
  forgot({ email, language }: { email: string; language: Language }): void {
    this.#deps.background(this.#sendResetLink(email, language))
  }

  /**
   * Sets the password and revokes whatever an intruder may have: every session, every API key and, if asked to, the live addresses. If
   * those cannot be destroyed now, the link stays valid for another try. AppError `link_expired`, `unavailable`.
   */
  async reset({ token, password, destroyMailboxes = false }: Reset): Promise<void> {
    const { hasher, mail, signUps } = this.#deps
    const tokenHash = mail.hash('reset', token)
    const isLive = (await this.#ownerOfLink(tokenHash)) !== undefined || (await signUps.hasReset(tokenHash))
    if (!isLive) throw new AppError('link_expired')
    const passwordHash = await hasher.hash(password)
    if (await signUps.openByReset(tokenHash, passwordHash)) return
    const owner = destroyMailboxes ? await this.#ownerOfLink(tokenHash) : undefined
    if (owner !== undefined) await this.#deps.destroyMailboxes(owner)
    const userId = await this.#replace(tokenHash, passwordHash)
    if (userId === undefined) throw new AppError('link_expired')
    // Destroys them again: a session that existed until now could have created one.
    if (destroyMailboxes) await this.#deps.destroyMailboxes(userId)
  }

  /** `undefined` if the link is used, too old or made up. */
  async #ownerOfLink(tokenHash: string): Promise<string | undefined> {
    const { db, clock } = this.#deps
    const live = db.selectFrom('link_tokens').select('user_id').where('token_hash', '=', tokenHash).where('expires_at', '>', clock())
    return (await live.executeTakeFirst())?.user_id
  }

  /**
   * One transaction: uses up the token, sets the password, ends sessions, API keys and webhooks. Resolves to the account, or to `undefined`
   * for a used token.
   */
  #replace(tokenHash: string, passwordHash: string): Promise<string | undefined> {
    const { db, clock } = this.#deps
    return db.transaction().execute(async step => {
      const taken = step.deleteFrom('link_tokens').where('token_hash', '=', tokenHash).where('expires_at', '>', clock())
      const owner = (await taken.returning('user_id').executeTakeFirst())?.user_id
      if (owner === undefined) return undefined
      await step.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', owner).execute()
      await step.deleteFrom('sessions').where('user_id', '=', owner).execute()
      await step.deleteFrom('api_keys').where('user_id', '=', owner).execute()
      await step.deleteFrom('webhooks').where('owner', '=', accountOwner(owner)).execute()
      return owner
    })
  }

  async #sendResetLink(email: string, language: Language): Promise<void> {
    const { mail, signUps } = this.#deps
    await setTimeout(randomInt(PAUSE_MS.min, PAUSE_MS.max))
    const { token, tokenHash } = mail.newToken('reset')
    const sendTo = (await this.#keepLink(email, tokenHash)) ?? (await signUps.allowReset(email, tokenHash))
    if (sendTo !== undefined) await mail.sendLink('reset', { email: sendTo, language }, token)
  }

  /** The address of the account; `undefined` if there is none. Its earlier reset link stops working. */
  async #keepLink(email: string, tokenHash: string): Promise<string | undefined> {
    const { db, clock } = this.#deps
    const user = await db.selectFrom('users').select(['id', 'email']).where('email', '=', email.toLowerCase()).executeTakeFirst()
    if (!user) return undefined
    const row = { token_hash: tokenHash, expires_at: clock() + LINK_LIFETIME_MS.reset }
    await db
      .insertInto('link_tokens')
      .values({ user_id: user.id, purpose: 'reset', ...row })
      .onConflict(conflict => conflict.columns(['user_id', 'purpose']).doUpdateSet(row))
      .execute()
    return user.email
  }
}

import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { Confirmation, Credentials } from '#contract/account.ts'
import { DEFAULT_LANGUAGE, type Language, toLanguage } from '#contract/languages.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { asOwner, type Step, signUpsOwner } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { canonicalAddress, isAtDomain, wholeAddress } from '#server/mail/addresses/address.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { Policy } from '#server/mail/policy.ts'
import { endSignUps } from './account-endings.ts'
import { type AccountMail, LINK_LIFETIME_MS } from './account-mail.ts'
import { insertPasskey } from './passkeys.ts'
import { type PasswordHasher, SALT_BYTES } from './password-hasher.ts'
import type { Account } from './sessions.ts'
import { type Ceremonies, readSignUpPasskey, type SignUpPasskey } from './webauthn.ts'

/**
 * Waiting sign-ups per address. None is ever replaced by a later one, or strangers could push out the owner's. More than the limits of
 * mails to one address and to its tags allow in seven days (25,536).
 */
const WAITING_PER_ADDRESS_MAX = 30_000
const RETRY_SECONDS = 3600
/** Stored in place of a hash in the row of a reset link or of a passkey: no password matches it. */
export const NO_PASSWORD = ''

type SignUpRow = Selectable<DatabaseSchema['sign_ups']>

type SignUpsDeps = DatabaseAccess & {
  readonly hasher: PasswordHasher
  readonly mail: AccountMail
  readonly ceremonies: Ceremonies
  readonly domains: () => MailDomains
  readonly policy: () => Policy
  readonly operators: readonly string[]
}
type Wanted = { readonly email: string; readonly language: Language }
/** Whether one more mail may be sent to the address, which then counts. */
export type MayMail = (email: string) => Promise<boolean>
type WaitingSignUp = { readonly row: SignUpRow; readonly wanted: Wanted }
/** `passwordHash`: empty if it has a passkey instead. */
export type ConfirmedAccount = Account & { readonly passwordHash: string }

/**
 * From the form to the confirmed account. Each sign-up of an address has its own link, and its own password or passkey, until one of them
 * is confirmed with these. Otherwise the owner's click on a link could open an account with a stranger's password or passkey.
 */
export class SignUps {
  readonly #deps: SignUpsDeps

  constructor(deps: SignUpsDeps) {
    this.#deps = deps
  }

  /** Mails a link. AppError as `requireAllowed`, `account_exists` if confirmed, `rate_limited` if too many sign-ups wait. */
  async start({ email, password, language }: Credentials & { language: Language }): Promise<void> {
    await this.requireFree(email)
    const hash = await this.#deps.hasher.hash(password, this.#saltOf(canonicalAddress(email)))
    await this.#write({ email, language }, { password_hash: hash, passkey: null })
  }

  /** The same with a passkey. Resolves to the id of the sign-up. */
  async startWithPasskey(wanted: Wanted, passkey: SignUpPasskey): Promise<string> {
    await this.requireFree(wanted.email)
    return await this.#write(wanted, { password_hash: NO_PASSWORD, passkey: JSON.stringify(passkey) })
  }

  /**
   * Whatever opens an account asks this again: a link that is out opens none after the operator has closed registration or barred the
   * address. AppError `registration_closed`; `email_not_allowed` for an address that is barred or at one of this server's domains.
   */
  requireAllowed(email: string): void {
    const refusal = this.#refusal(email)
    if (refusal) throw refusal
  }

  #refusal(email: string): AppError | undefined {
    const { domains, policy, operators } = this.#deps
    if (!policy().isRegistrationOpen) return new AppError('registration_closed')
    const isOurs = isAtDomain(
      email,
      domains().all.map(({ name }) => name),
    )
    // One answer for all: strangers are not told who operates this site.
    const isRefused = isOurs || policy().blocksSender(email) || isTagOfOperator(email, operators)
    return isRefused ? new AppError('email_not_allowed') : undefined
  }

  /** Rejects as `start` does. */
  async requireFree(email: string): Promise<void> {
    this.requireAllowed(email)
    const key = canonicalAddress(email)
    if (await isConfirmed(this.#deps.db, key)) throw new AppError('account_exists')
    if (!(await this.#hasRoom(key))) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
  }

  async #write({ email, language }: Wanted, secret: Pick<SignUpRow, 'password_hash' | 'passkey'>): Promise<string> {
    const { clock, mail } = this.#deps
    const { token, tokenHash } = mail.newToken('confirm')
    const to = { email: email.toLowerCase(), language }
    const now = clock()
    const expiry = { created_at: now, link_expires_at: now + LINK_LIFETIME_MS.confirm }
    const row = { id: randomUUID(), ...to, email_key: canonicalAddress(email), ...secret, link_hash: tokenHash, ...expiry }
    if (!(await this.#insert(row))) throw new AppError('account_exists')
    await mail.sendLink('confirm', to, token)
    return row.id
  }

  /** `false` if a link has opened the account meanwhile. */
  #insert(row: SignUpRow): Promise<boolean> {
    return this.#inStep(row.email_key, async step => {
      if (await isConfirmed(step, row.email_key)) return false
      await step.insertInto('sign_ups').values(row).execute()
      return true
    })
  }

  /** Sign-ups of an address are written, opened and ended one after the other, so that none is left beside an account or after it. */
  #inStep<Result>(emailKey: string, work: (step: Step) => Promise<Result>): Promise<Result> {
    return asOwner(this.#deps, signUpsOwner(emailKey), work)
  }

  /**
   * Resolves to the new account. AppError as `requireAllowed`, `link_expired` for a token that is used, replaced, too old or made up;
   * `credentials_wrong` or `passkey_refused` for any password or passkey but its own.
   */
  async confirm(confirmation: Confirmation): Promise<ConfirmedAccount> {
    const { db, clock, mail } = this.#deps
    const linkHash = mail.hash('confirm', confirmation.token)
    const waiting = db.selectFrom('sign_ups').selectAll().where('link_hash', '=', linkHash).where('link_expires_at', '>', clock())
    const signUp = await waiting.executeTakeFirst()
    if (!signUp) throw new AppError('link_expired')
    const passkey = await this.#prove(signUp, confirmation)
    const id = await this.#inStep(signUp.email_key, step => this.#openAccount(step, signUp, passkey))
    if (id === undefined) throw new AppError('link_expired')
    return { id, email: signUp.email, passwordHash: signUp.password_hash }
  }

  /** Resolves to the passkey that was used, if it is one. */
  async #prove({ password_hash: hash, passkey: text }: SignUpRow, confirmation: Confirmation): Promise<SignUpPasskey | undefined> {
    const { hasher, ceremonies } = this.#deps
    if ('password' in confirmation) {
      if (!(await hasher.verify({ hash, password: confirmation.password }))) throw new AppError('credentials_wrong')
      return undefined
    }
    if (text === null) throw new AppError('passkey_refused')
    const passkey = readSignUpPasskey(text)
    return { ...passkey, counter: await ceremonies.verifyUse(confirmation.passkey, passkey.userId, passkey) }
  }

  /** The password hashes of the unconfirmed sign-ups of the address, which share a salt. */
  async hashesOf(email: string): Promise<string[]> {
    return (await this.#newest(email)).map(({ password_hash: hash }) => hash)
  }

  /** The newest sign-up of the address with this password. */
  async find({ email, password }: Credentials): Promise<WaitingSignUp | undefined> {
    const row = await this.#withPassword(await this.#newest(email), password)
    return row && { row, wanted: { email: row.email, language: toLanguage(row.language) ?? DEFAULT_LANGUAGE } }
  }

  /**
   * Mails another link for this sign-up. The earlier one keeps working, because mails may arrive in any order; the first
   * link to be used ends all others. When the address has no more room, the new link replaces the earlier one.
   */
  async sendNewLink({ row: signUp, wanted }: WaitingSignUp): Promise<void> {
    const { db, clock, mail } = this.#deps
    this.requireAllowed(signUp.email)
    const { token, tokenHash } = mail.newToken('confirm')
    const link = { link_hash: tokenHash, link_expires_at: clock() + LINK_LIFETIME_MS.confirm }
    if (await this.#hasRoom(signUp.email_key)) {
      if (!(await this.#insert({ ...signUp, id: randomUUID(), ...link }))) return
    } else {
      await db.updateTable('sign_ups').set(link).where('id', '=', signUp.id).execute()
    }
    await mail.sendLink('confirm', wanted, token)
  }

  /**
   * For a user who forgot the password before confirming: the link with this token opens the account with a new password, because it proves
   * that the address is theirs. Does nothing for an address without a sign-up, or to which no mail may be sent. Resolves to the address to
   * mail the link to.
   */
  async allowReset(email: string, tokenHash: string, mayMail: MayMail): Promise<string | undefined> {
    const { db, clock } = this.#deps
    const key = canonicalAddress(email)
    const waiting = db.selectFrom('sign_ups').selectAll().where('email_key', '=', key).where('email', '=', email.toLowerCase())
    const signUp = await waiting.orderBy('created_at', 'desc').executeTakeFirst()
    if (!signUp || this.#refusal(signUp.email) || !(await this.#hasRoom(key)) || !(await mayMail(signUp.email))) return undefined
    const link = { link_hash: tokenHash, link_expires_at: clock() + LINK_LIFETIME_MS.reset }
    const row = { ...signUp, id: randomUUID(), password_hash: NO_PASSWORD, passkey: null, ...link }
    return (await this.#insert(row)) ? signUp.email : undefined
  }

  /** Opens the account of a sign-up that `allowReset` gave this token. `undefined` if there is none. AppError as `requireAllowed`. */
  async openByReset(tokenHash: string, passwordHash: string): Promise<Account | undefined> {
    const { db, clock } = this.#deps
    const waiting = db.selectFrom('sign_ups').selectAll().where('link_hash', '=', tokenHash).where('link_expires_at', '>', clock())
    const signUp = await waiting.executeTakeFirst()
    if (!signUp) return undefined
    const opening = { ...signUp, password_hash: passwordHash }
    const id = await this.#inStep(signUp.email_key, step => this.#openAccount(step, opening))
    return id === undefined ? undefined : { id, email: signUp.email }
  }

  /** Whether a reset link with this token opens an account that was never confirmed. */
  async hasReset(tokenHash: string): Promise<boolean> {
    const { db, clock } = this.#deps
    const waiting = db.selectFrom('sign_ups').select('id').where('link_hash', '=', tokenHash).where('link_expires_at', '>', clock())
    return (await waiting.executeTakeFirst()) !== undefined
  }

  /** One step: of all uses of a link and all links of an address, one opens the account. Resolves to its id. */
  async #openAccount(step: Step, signUp: SignUpRow, passkey?: SignUpPasskey): Promise<string | undefined> {
    this.requireAllowed(signUp.email)
    const query = step.deleteFrom('sign_ups').where('id', '=', signUp.id).where('link_hash', '=', signUp.link_hash)
    if (!(await query.returning('id').executeTakeFirst())) return undefined
    const { email, email_key, language, password_hash } = signUp
    const [userId, now] = [passkey?.userId ?? randomUUID(), this.#deps.clock()]
    const row = { id: userId, email, email_key, password_hash, language, created_at: now }
    const insert = step
      .insertInto('users')
      .values(row)
      .onConflict(conflict => conflict.doNothing())
    const opened = await insert.returning('id').executeTakeFirst()
    if (opened && passkey) await insertPasskey(step, { userId, credential: passkey, device: passkey.device, now })
    await endSignUps(step, email_key, opened ? [] : [signUp])
    return opened?.id
  }

  /** All sign-ups of an address share a salt, so that the time of a comparison does not reveal how many wait. */
  #saltOf(key: string): Buffer {
    return Buffer.from(this.#deps.secretBox.hash('sign-up-salt', key), 'base64url').subarray(0, SALT_BYTES)
  }

  async #newest(email: string): Promise<SignUpRow[]> {
    const waiting = this.#deps.db.selectFrom('sign_ups').selectAll().where('email_key', '=', canonicalAddress(email))
    const withPassword = waiting.where('password_hash', '!=', NO_PASSWORD)
    return withPassword.orderBy('created_at', 'desc').execute()
  }

  async #withPassword(signUps: readonly SignUpRow[], password: string): Promise<SignUpRow | undefined> {
    const hashes = signUps.map(({ password_hash: hash }) => hash)
    return signUps[await this.#deps.hasher.indexOf(password, hashes)]
  }

  async #hasRoom(key: string): Promise<boolean> {
    const { db } = this.#deps
    const waiting = db.selectFrom('sign_ups').select(db.fn.countAll<number>().as('count')).where('email_key', '=', key)
    const { count } = await waiting.executeTakeFirstOrThrow()
    return Number(count) < WAITING_PER_ADDRESS_MAX
  }
}

/** An address counts once, whatever its tag, so the account of `operator+x@…` would keep the operator from signing up. */
function isTagOfOperator(email: string, operators: readonly string[]): boolean {
  return !isNamedOperator(email, { operators }) && operators.some(operator => canonicalAddress(operator) === canonicalAddress(email))
}

export function isNamedOperator(email: string, { operators }: { readonly operators: readonly string[] }): boolean {
  return operators.some(operator => wholeAddress(operator) === wholeAddress(email))
}

async function isConfirmed(db: Kysely<DatabaseSchema>, key: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('email_key', '=', key).executeTakeFirst()) !== undefined
}

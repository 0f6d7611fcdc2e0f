import type { Credentials } from '#contract/account.ts'
import type { Language } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteDatabase } from '#server/database/database.ts'
import type { Outbox } from '#server/operator/outbox.ts'
import type { Account, SignedIn, WithCookies } from './account.ts'
import { createAccountLinks } from './account-links.ts'
import type { AuthParts } from './auth.ts'
import { AuthLibrary } from './auth-library.ts'
import { emailKey } from './email-key.ts'
import { createAccountPasswords } from './passwords.ts'
import { createAccountSessions } from './sessions.ts'
import { createSignUp } from './sign-up.ts'

/** A sign-up that was never confirmed is forgotten after this long: the link in its mail is dead by then. */
const UNCONFIRMED_MS = 7 * 86_400_000

export interface Accounts extends AsyncDisposable {
  /** What limits per account are keyed by: tells nobody the address. */
  keyOf(email: string): string
  /** Makes the account and mails the link. AppError `account_exists` for a confirmed one, `email_not_allowed` for our own domains. */
  signUp(request: Credentials & { language: Language }): Promise<void>
  /**
   * Ends the session that the browser brings in `headers`, if any: nothing a stranger planted, or knew, outlives a sign-in (case W25).
   * AppError `credentials_wrong`; with the right password of an unconfirmed account `email_not_confirmed`.
   */
  signIn(request: Credentials, headers?: Headers): Promise<WithCookies<SignedIn>>
  /** Mails a new link to an account that is not confirmed yet. For whoever has shown its password. */
  mailConfirmation(email: string): Promise<void>
  /** Who is signed in; pushes the session's end on when it is due. `undefined` for no session, an ended and a revoked one. */
  session(headers: Headers): Promise<WithCookies<{ signedIn: SignedIn | undefined }>>
  signOut(headers: Headers): Promise<WithCookies<object>>
  /** Every session of the account ends, this one too. */
  signOutEverywhere(headers: Headers): Promise<WithCookies<object>>
  /** AppError `link_expired` for a token that is used, replaced, too old or made up. */
  confirm(token: string): Promise<void>
  /** Always the same answer, at once, whether or not there is such an account (case W23). */
  forgotPassword(request: { email: string; language: Language }): Promise<void>
  /** Sets the password and ends every session. The link proves the address, so it confirms it too. AppError `link_expired`. */
  resetPassword(request: { token: string; password: string }): Promise<void>
  /** Is this the password of the account? */
  checkPassword(account: Account, password: string): Promise<boolean>
  /** Removes the account with its sessions and everything that refers to it in the site's database. */
  remove(account: Account): Promise<void>
  sweep(): Promise<void>
}

type AccountsParts = AuthParts & {
  clock: Clock
  outbox: Outbox
  domains: readonly string[]
  siteName: string
  /** Work that goes on after the reply; awaited when the site closes. */
  background: (work: Promise<void>) => void
}

export function createAccounts(given: AccountsParts): Accounts {
  const library = new AuthLibrary(given)
  const links = createAccountLinks(given)
  const parts = { ...given, library, links }
  return {
    ...createSignUp(parts),
    ...createAccountSessions(parts),
    ...createAccountPasswords(parts),
    keyOf: email => given.vault.hash('limit', emailKey(email)),

    async remove(account) {
      await (await library.records()).deleteUser(account.id)
    },

    async sweep() {
      await links.sweep()
      await sweepAccounts(given.database, given.clock())
    },

    [Symbol.asyncDispose]: () => library.settled(),
  }
}

async function sweepAccounts({ db, dialect }: SiteDatabase, now: number): Promise<void> {
  // better-auth keeps dates as text and flags as numbers where the engine has neither.
  const isSqlite = dialect === 'sqlite'
  const before = (millis: number) => (isSqlite ? new Date(millis).toISOString() : new Date(millis))
  await db.deleteFrom('sessions').where('expiresAt', '<', before(now)).execute()
  await db
    .deleteFrom('users')
    .where('emailVerified', '=', isSqlite ? 0 : false)
    .where('createdAt', '<', before(now - UNCONFIRMED_MS))
    .execute()
}

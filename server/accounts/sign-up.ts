import type { Credentials } from '#contract/account.ts'
import type { Language } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import type { AccountLinks } from './account-links.ts'
import { type AuthLibrary, failureOf } from './auth-library.ts'
import { emailKey, isAtOneOf } from './email-key.ts'

type Parts = { library: AuthLibrary; links: AccountLinks; domains: readonly string[] }

/** From the form to the confirmed account: see `Accounts`. */
export function createSignUp({ library, links, domains }: Parts) {
  async function createUser({ email, password, language }: Credentials & { language: Language }) {
    const auth = await library.load()
    const created = await auth.api
      .signUpEmail({ body: { name: '', email, password, language, emailKey: emailKey(email) } })
      .catch(cause => Promise.reject(failureOf(cause) ?? new AppError('account_exists', { cause })))
    const user = await library.findByKey(email)
    // Of two sign-ups at the same instant one made the account; only its link is mailed.
    if (user?.id !== created.user.id) throw new AppError('account_exists')
    return user
  }

  return {
    async signUp(request: Credentials & { language: Language }): Promise<void> {
      if (isAtOneOf(request.email, domains)) throw new AppError('email_not_allowed')
      const known = await library.findByKey(request.email)
      if (known?.emailVerified) throw new AppError('account_exists')
      // Never confirmed, so nobody has proved that it is theirs: the newest sign-up stands alone, with its own password and link.
      if (known) await (await library.records()).deleteUser(known.id)
      await links.mail(await createUser(request), request.language, 'confirm')
    },

    async confirm(token: string): Promise<void> {
      const userId = await links.consume(token, 'confirm')
      await (await library.records()).updateUser(userId, { emailVerified: true })
    },
  }
}

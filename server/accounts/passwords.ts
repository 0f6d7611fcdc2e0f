import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Language } from '#contract/limits.ts'
import type { Account } from './account.ts'
import type { AccountLinks } from './account-links.ts'
import type { AuthLibrary } from './auth-library.ts'
import type { Passwords } from './password-hash.ts'

/**
 * A link is made and mailed this long after the answer, by chance: made at once it held the answer up by nine milliseconds, measured, and so
 * told whether there is an account; made right after, it would hold up the asker's next request (case W23).
 */
const PAUSE_MS = { min: 250, max: 1250 } as const

type Parts = { library: AuthLibrary; links: AccountLinks; passwords: Passwords; background: (work: Promise<void>) => void }

/** Forgotten, new and asked-for-again passwords: see `Accounts`. */
export function createAccountPasswords({ library, links, passwords, background }: Parts) {
  async function mailReset(email: string, language: Language): Promise<void> {
    await setTimeout(randomInt(PAUSE_MS.min, PAUSE_MS.max))
    const found = await (await library.records()).findUserByEmail(email.toLowerCase())
    if (found) await links.mail(found.user, language, 'reset')
  }

  return {
    async forgotPassword({ email, language }: { email: string; language: Language }): Promise<void> {
      background(mailReset(email, language))
    },

    async resetPassword({ token, password }: { token: string; password: string }): Promise<void> {
      const userId = await links.consume(token, 'reset')
      const records = await library.records()
      await records.updatePassword(userId, await passwords.hash(password))
      await records.updateUser(userId, { emailVerified: true })
      await records.deleteUserSessions(userId)
    },

    async checkPassword(account: Account, password: string): Promise<boolean> {
      const credentials = await (await library.records()).findAccounts(account.id)
      const hash = credentials.find(credential => credential.providerId === 'credential')?.password
      return hash ? passwords.verify({ hash, password }) : false
    },
  }
}

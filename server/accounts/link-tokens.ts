import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'
import type { Vault } from '#server/database/secret-box.ts'

/** What a link in one of our mails is good for, and how long it stays so (case W26). */
export const LINK_LIFETIME_MS = { confirm: 24 * 3_600_000, reset: 3_600_000 } as const
export type LinkPurpose = keyof typeof LINK_LIFETIME_MS

/** Tokens that travel in mails: single use, kept as hashes, the newest of a user's only. */
type LinkTokens = {
  /** 256 random bits in base64url. Any earlier token of this user for this purpose is dead. */
  issue(userId: string, purpose: LinkPurpose): Promise<string>
  /** The user the token was made for, exactly once; `undefined` for anything else. */
  consume(token: string, purpose: LinkPurpose): Promise<string | undefined>
  sweep(): Promise<void>
}

export function createLinkTokens(db: Kysely<SiteSchema>, vault: Vault, clock: Clock): LinkTokens {
  return {
    async issue(userId, purpose) {
      const token = randomBytes(32).toString('base64url')
      const row = { token_hash: vault.hash(`link/${purpose}`, token), expires_at: clock() + LINK_LIFETIME_MS[purpose] }
      await db
        .insertInto('link_tokens')
        .values({ user_id: userId, purpose, ...row })
        .onConflict(conflict => conflict.columns(['user_id', 'purpose']).doUpdateSet(row))
        .execute()
      return token
    },

    async consume(token, purpose) {
      // One statement: of any number at once, one gets the row (case W32).
      const row = await db
        .deleteFrom('link_tokens')
        .where('token_hash', '=', vault.hash(`link/${purpose}`, token))
        .where('purpose', '=', purpose)
        .where('expires_at', '>', clock())
        .returning('user_id')
        .executeTakeFirst()
      return row?.user_id
    },

    async sweep() {
      await db.deleteFrom('link_tokens').where('expires_at', '<=', clock()).execute()
    },
  }
}

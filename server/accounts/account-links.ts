import type { Language } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteDatabase } from '#server/database/database.ts'
import type { Vault } from '#server/database/secret-box.ts'
import { AppError } from '#server/errors.ts'
import { linkLetter } from '#server/mail-out/mail-templates.ts'
import type { Outbox } from '#server/operator/outbox.ts'
import { createLinkTokens, LINK_LIFETIME_MS, type LinkPurpose } from './link-tokens.ts'

const PAGES: Record<LinkPurpose, string> = { confirm: '/auth/confirm', reset: '/auth/new-password' }

export type AccountLinks = {
  /** Mails a fresh link; earlier ones of this account for this purpose are dead. */
  mail(to: { id: string; email: string }, language: Language, purpose: LinkPurpose): Promise<void>
  /** The account the link was made for. AppError `link_expired`. */
  consume(token: string, purpose: LinkPurpose): Promise<string>
  sweep(): Promise<void>
}

type Parts = { database: SiteDatabase; vault: Vault; clock: Clock; outbox: Outbox; publicUrl: string; siteName: string }

/** The links in our mails (case W26). The token stands in the fragment, which no server, log or referrer gets to see. */
export function createAccountLinks({ database, vault, clock, outbox, publicUrl, siteName }: Parts): AccountLinks {
  const tokens = createLinkTokens(database.db, vault, clock)
  return {
    async mail({ id, email }, language, purpose) {
      const link = `${publicUrl}${PAGES[purpose]}?lang=${language}#${await tokens.issue(id, purpose)}`
      await outbox.enqueue(linkLetter(purpose, { email, language }, link, siteName), { givesUpAfterMs: LINK_LIFETIME_MS[purpose] })
    },

    async consume(token, purpose) {
      const userId = await tokens.consume(token, purpose)
      if (userId === undefined) throw new AppError('link_expired')
      return userId
    },

    sweep: () => tokens.sweep(),
  }
}

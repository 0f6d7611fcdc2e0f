import { randomBytes } from 'node:crypto'
import type { Language } from '#contract/languages.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { linkMail } from '#server/outbound/mail/mail-templates.ts'
import type { Outbox } from '#server/outbound/mail/outbox.ts'

/** The purposes of links in mails, and how long each works. */
export const LINK_LIFETIME_MS = { confirm: 24 * 3_600_000, reset: 3_600_000 } as const
type LinkPurpose = keyof typeof LINK_LIFETIME_MS

const PAGES: Record<LinkPurpose, string> = { confirm: '/auth/confirm', reset: '/auth/new-password' }

type AccountMailDeps = { secretBox: SecretBox; outbox: Outbox; publicUrl: string; siteName: string }

/** Mails that contain a link. A link's token has 256 random bits and is stored only as a keyed hash. */
export class AccountMail {
  readonly #deps: AccountMailDeps

  constructor(deps: AccountMailDeps) {
    this.#deps = deps
  }

  newToken(purpose: LinkPurpose): { token: string; tokenHash: string } {
    const token = randomBytes(32).toString('base64url')
    return { token, tokenHash: this.hash(purpose, token) }
  }

  hash(purpose: LinkPurpose, token: string): string {
    return this.#deps.secretBox.hash(`link/${purpose}`, token)
  }

  /** The token is in the fragment, which browsers send neither to servers nor in a referrer. */
  async sendLink(purpose: LinkPurpose, to: { email: string; language: Language }, token: string): Promise<void> {
    const { outbox, publicUrl, siteName } = this.#deps
    const link = `${publicUrl}${PAGES[purpose]}?lang=${to.language}#${token}`
    await outbox.enqueue(linkMail(purpose, to, link, siteName), { givesUpAfterMs: LINK_LIFETIME_MS[purpose] })
  }
}

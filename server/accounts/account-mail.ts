import { randomBytes } from 'node:crypto'
import { DEFAULT_LANGUAGE, type Language, toLanguage } from '#contract/languages.ts'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { Step } from '#server/database/rights.ts'
import type { OutgoingMail } from '#server/outbound/mail-out.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { escapeHtml } from '#server/platform/escape-html.ts'
import accountMail from './account-mail.json' with { type: 'json' }

/** The purposes of links in mails, and how long each works. */
export const LINK_LIFETIME_MS = { confirm: DAY_MS, reset: HOUR_MS } as const
type LinkPurpose = keyof typeof LINK_LIFETIME_MS
const PAGES = { confirm: '/auth/confirm', reset: '/auth/new-password' } as const
/** The changes that owners are told of, since somebody else may have made them, and where they do something about it. */
const RESCUE_PAGES = {
  password_changed: '/auth/forgot-password',
  password_reset: '/auth/forgot-password',
  passkey_added: '/auth/forgot-password',
  passkey_removed: '/auth/forgot-password',
  api_key_created: '/auth/forgot-password',
  api_key_revoked: '/auth/forgot-password',
  second_factor_locked: '/auth/forgot-password',
  account_deleted: '/contact',
} as const
export type AccountChange = keyof typeof RESCUE_PAGES
/**
 * Call it before the step of the change, since it may ask the cluster whether one more mail may be sent. What it returns tells the owner in
 * the step, so that the mail is there if the change is.
 */
export type Warn = (userId: string) => Promise<(step: Step) => Promise<void>>
/** `left` says how many more may be sent now, and `count` counts one. */
export type WarningMails = { readonly left: (userId: string) => Promise<number>; readonly count: (userId: string) => Promise<unknown> }
/** Mails of one kind to one owner, while changes that may send one are under way: those kept, and those of them that were counted. */
type Tally = { underWay: number; kept: number; counted: number }
/** A warning that arrives later than this helps nobody. */
const WARNING_LIFETIME_MS = DAY_MS
type AccountMailDeps = DatabaseAccess & { readonly outbox: Outbox; readonly publicUrl: string; readonly siteName: string }

/** Mails to the owners of accounts. A link's token has 256 random bits and is stored only as a keyed hash. */
export class AccountMail {
  readonly #deps: AccountMailDeps
  readonly #tallies = new Map<string, Tally>()

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

  /**
   * Calls `work` with what mails the owner, in the step of the change. A mail counts when that is written. Changes at once are told at most
   * as often as one after the other: what was kept since `left` was asked counts too.
   */
  async warning<Result>(change: AccountChange, { left, count }: WarningMails, work: (warn: Warn) => Promise<Result>): Promise<Result> {
    let told: { readonly userId: string; readonly tally: Tally } | undefined
    using leaving = new DisposableStack()
    const warn: Warn = async userId => {
      const tally = this.#joinTally(`${change} ${userId}`, leaving)
      const { counted } = tally
      const leftMax = await left(userId)
      return async step => {
        if (tally.kept - counted >= leftMax) return
        tally.kept++
        if (await this.#keepWarning(change, step, userId)) told = { userId, tally }
      }
    }
    // A refusal may be what the owner is told of.
    try {
      return await work(warn)
    } finally {
      if (told) {
        void this.#deps.outbox.flush()
        await count(told.userId)
        told.tally.counted++
      }
    }
  }

  #joinTally(key: string, leaving: DisposableStack): Tally {
    const tally = this.#tallies.get(key) ?? { underWay: 0, kept: 0, counted: 0 }
    this.#tallies.set(key, tally)
    tally.underWay++
    leaving.defer(() => {
      tally.underWay--
      if (tally.underWay === 0) this.#tallies.delete(key)
    })
    return tally
  }

  /** Resolves to `false` if the account is gone. */
  async #keepWarning(change: AccountChange, step: Step, userId: string): Promise<boolean> {
    const { outbox, publicUrl, siteName } = this.#deps
    const owner = await step.selectFrom('users').select(['email', 'language']).where('id', '=', userId).executeTakeFirst()
    if (!owner) return false
    const to = { email: owner.email, language: toLanguage(owner.language) ?? DEFAULT_LANGUAGE }
    const { link, ...mail } = linkMail(change, to, `${publicUrl}${RESCUE_PAGES[change]}?lang=${to.language}`, siteName)
    await outbox.enqueue(mail, { givesUpAfterMs: WARNING_LIFETIME_MS }, step)
    return true
  }
}

type Template = { subject: string; fact: string; remedy: string; button: string; otherwise: string }
/** `common` has what a mail does not say itself. `{siteName}` stands for the name of the site. */
type Texts = {
  common: Omit<Template, 'subject' | 'fact'>
  mails: Record<LinkPurpose | AccountChange, Pick<Template, 'subject' | 'fact'> & Partial<Template>>
}
const texts: Record<Language, Texts> = accountMail

/** A mail with a link (an absolute URL of this site) in the reader's language, as plain text and simple HTML. */
function linkMail(
  kind: LinkPurpose | AccountChange,
  to: { email: string; language: Language },
  link: string,
  siteName: string,
): OutgoingMail {
  const { common, mails } = texts[to.language]
  const named = (template: string) => template.replaceAll('{siteName}', () => siteName)
  const { subject, fact, remedy, button, otherwise } = { ...common, ...mails[kind] }
  const lines = [named(fact), remedy]
  const text = [...lines, link, otherwise, siteName].join('\n\n')
  const paragraphs = lines.map(line => `<p>${escapeHtml(line)}</p>`).join('')
  const anchor = `<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p><p style="color:#555;word-break:break-all">${escapeHtml(link)}</p>`
  const html = `<!doctype html><html lang="${to.language}"><head><meta charset="utf-8"><title>${escapeHtml(named(subject))}</title></head><body style="font-family:sans-serif;line-height:1.5;max-width:34em">${paragraphs}${anchor}<p>${escapeHtml(otherwise)}</p><p>${escapeHtml(siteName)}</p></body></html>`
  return { to: to.email, subject: named(subject), text: `${text}\n`, html, link }
}

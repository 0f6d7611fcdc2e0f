import type { Kysely } from 'kysely'
import { PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'
import type { Vault } from '#server/database/secret-box.ts'
import { AppError } from '#server/errors.ts'
import { chosenLocalPart } from '#server/mail/chosen-local-part.ts'
import type { Mail } from '#server/mail/mail.ts'
import type { ChosenNames } from './chosen-names.ts'
import { type Kept, ProSlots } from './pro-slots.ts'

/** What of the core a Pro address needs. */
export type MailboxMaker = Pick<Mail, 'createAddress' | 'openMailbox' | 'destroyMailbox'>

export interface ProMailboxes {
  /**
   * An address that lives 24 hours and belongs to the account.
   * AppError `mailboxes_max`, `local_part_taken`, `local_part_reserved`, `domain_not_served`, `invalid_request`.
   */
  create(userId: string, request: { domain?: string | undefined; localPart?: string | undefined }): Promise<MailboxCreated>
  /** The live addresses with their tokens, oldest first. */
  list(userId: string): Promise<MailboxCreated[]>
  /** Destroys every mailbox of the account and forgets whose chosen names were. */
  destroyAll(userId: string): Promise<void>
  sweep(): Promise<void>
}

type Parts = {
  db: Kysely<SiteSchema>
  vault: Vault
  clock: Clock
  mail: MailboxMaker
  names: ChosenNames
  domains: readonly string[]
}

export function createProMailboxes({ db, vault, clock, mail, names, domains }: Parts): ProMailboxes {
  const slots = new ProSlots(db, vault, clock)
  const live = (userId: string) => slots.live(userId, async token => (await mail.openMailbox(token)) !== undefined)

  async function destroy(token: string): Promise<void> {
    const mailbox = await mail.openMailbox(token)
    if (mailbox) await mail.destroyMailbox(mailbox)
  }

  async function createAddress(userId: string, { domain, localPart }: Wanted): Promise<Kept> {
    const lifetimeSeconds = PRO_LIFETIME_SECONDS
    if (localPart !== undefined && !(await names.claim(userId, `${localPart}@${domain}`, clock() + lifetimeSeconds * 1000))) {
      throw new AppError('local_part_taken')
    }
    return mail.createAddress({ domain, localPart, lifetimeSeconds })
  }

  async function createInSlot(userId: string, slot: number, wanted: Wanted): Promise<Kept> {
    const made = await createAddress(userId, wanted)
    if (await slots.keep(userId, slot, made)) return made
    // The account was deleted meanwhile: nobody could ever open this mailbox again.
    await destroy(made.token)
    throw new AppError('sign_in_required')
  }

  return {
    async create(userId, request) {
      const wanted = wantedOf(request, domains)
      await live(userId)
      const slot = await slots.reserve(userId)
      if (slot === undefined) throw new AppError('mailboxes_max')
      try {
        return described(await createInSlot(userId, slot, wanted), clock())
      } catch (error) {
        await slots.release(userId, slot)
        throw error
      }
    },

    async list(userId) {
      return (await live(userId)).map(mailbox => described(mailbox, clock()))
    },

    async destroyAll(userId) {
      for (const { token } of await live(userId)) await destroy(token)
      await names.disown(userId)
    },

    async sweep() {
      await slots.sweep()
      await names.sweep()
    },
  }
}

type Asked = { domain?: string | undefined; localPart?: string | undefined }
type Wanted = { readonly domain: string; readonly localPart: string | undefined }

function wantedOf({ domain: asked, localPart }: Asked, domains: readonly string[]): Wanted {
  const domain = asked?.toLowerCase() ?? domains[0]
  if (domain === undefined || !domains.includes(domain)) throw new AppError('domain_not_served')
  return { domain, localPart: localPart === undefined ? undefined : chosenLocalPart(localPart) }
}

function described({ email, token, expiresAt }: Kept, now: number): MailboxCreated {
  const secondsLeft = Math.max(0, (expiresAt - now) / 1000)
  return { email, token, expiresAt: new Date(expiresAt).toISOString(), secondsLeft, lifetimeSeconds: PRO_LIFETIME_SECONDS }
}

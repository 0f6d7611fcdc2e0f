import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { PRO_LIFETIME_SECONDS, PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import type { Clock } from '#server/clock.ts'
import { AppError } from '#server/errors.ts'
import { chosenLocalPart } from '#server/mail/chosen-local-part.ts'
import type { Mail } from '#server/mail/mail.ts'
import type { ChosenNames } from './chosen-names.ts'
import type { SiteSchema } from './schema.ts'
import { takeSlot } from './slots.ts'
import type { Vault } from './vault.ts'

/** A slot whose address was never made, because the process ended in between, is free again after this. */
const PENDING_MS = 60_000

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

const storedSchema = z.object({ email: z.string(), token: z.string() })
type Stored = z.infer<typeof storedSchema>
type Owned = Stored & { readonly slot: number; readonly expiresAt: number }

export function createProMailboxes({ db, vault, clock, mail, names, domains }: Parts): ProMailboxes {
  const context = (userId: string) => `pro-mailbox/${userId}`

  /** Live addresses; rows of expired and destroyed ones are removed on the way. */
  async function live(userId: string): Promise<Owned[]> {
    const rows = await db
      .selectFrom('pro_mailboxes')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('slot')
      .execute()
    const owned = await Promise.all(
      rows.map(async (row): Promise<Owned | undefined> => {
        if (row.sealed === '' && row.expires_at > clock()) return undefined
        const stored = unseal(row.sealed, userId)
        if (stored && row.expires_at > clock() && (await mail.openMailbox(stored.token))) {
          return { ...stored, slot: row.slot, expiresAt: row.expires_at }
        }
        await freeSlot(userId, row.slot, row.sealed)
        return undefined
      }),
    )
    return owned.filter(mailbox => mailbox !== undefined)
  }

  function unseal(sealed: string, userId: string): Stored | undefined {
    const bytes = vault.open(context(userId), Buffer.from(sealed, 'base64'))
    return bytes && z.parse(storedSchema, JSON.parse(bytes.toString()))
  }

  async function freeSlot(userId: string, slot: number, sealed: string): Promise<void> {
    const row = db.deleteFrom('pro_mailboxes').where('user_id', '=', userId).where('slot', '=', slot)
    await row.where('sealed', '=', sealed).execute()
  }

  async function reserveSlot(userId: string): Promise<number> {
    await live(userId)
    const now = clock()
    const slot = await takeSlot(PRO_MAILBOXES_MAX, async slot => {
      const inserted = await db
        .insertInto('pro_mailboxes')
        .values({ user_id: userId, slot, sealed: '', created_at: now, expires_at: now + PENDING_MS })
        .onConflict(conflict => conflict.columns(['user_id', 'slot']).doNothing())
        .returning('slot')
        .executeTakeFirst()
      return inserted !== undefined
    })
    if (slot === undefined) throw new AppError('mailboxes_max')
    return slot
  }

  async function createAddress(userId: string, domain: string, localPart: string | undefined) {
    const lifetimeSeconds = PRO_LIFETIME_SECONDS
    if (localPart === undefined) return mail.createAddress({ domain, lifetimeSeconds })
    const address = `${localPart}@${domain}`
    if (!(await names.claim(userId, address, clock() + lifetimeSeconds * 1000))) throw new AppError('local_part_taken')
    return mail.createAddress({ domain, localPart, lifetimeSeconds })
  }

  async function keep(userId: string, slot: number, made: { email: string; token: string; expiresAt: number }): Promise<void> {
    const sealed = vault.seal(context(userId), Buffer.from(JSON.stringify({ email: made.email, token: made.token }))).toString('base64')
    const kept = await db
      .updateTable('pro_mailboxes')
      .set({ sealed, expires_at: made.expiresAt })
      .where('user_id', '=', userId)
      .where('slot', '=', slot)
      .where('sealed', '=', '')
      .returning('slot')
      .executeTakeFirst()
    if (kept) return
    // The account was deleted meanwhile: nobody could ever open this mailbox again.
    const mailbox = await mail.openMailbox(made.token)
    if (mailbox) await mail.destroyMailbox(mailbox)
    throw new AppError('sign_in_required')
  }

  function described(mailbox: Stored & { expiresAt: number }): MailboxCreated {
    const secondsLeft = Math.max(0, (mailbox.expiresAt - clock()) / 1000)
    const expiresAt = new Date(mailbox.expiresAt).toISOString()
    return { email: mailbox.email, token: mailbox.token, expiresAt, secondsLeft, lifetimeSeconds: PRO_LIFETIME_SECONDS }
  }

  return {
    async create(userId, request) {
      const domain = request.domain?.toLowerCase() ?? domains[0]
      if (domain === undefined || !domains.includes(domain)) throw new AppError('domain_not_served')
      const localPart = request.localPart === undefined ? undefined : chosenLocalPart(request.localPart)
      const slot = await reserveSlot(userId)
      try {
        const made = await createAddress(userId, domain, localPart)
        await keep(userId, slot, made)
        return described(made)
      } catch (error) {
        await freeSlot(userId, slot, '')
        throw error
      }
    },

    async list(userId) {
      return (await live(userId)).map(described)
    },

    async destroyAll(userId) {
      for (const { token } of await live(userId)) {
        const mailbox = await mail.openMailbox(token)
        if (mailbox) await mail.destroyMailbox(mailbox)
      }
      await names.disown(userId)
    },

    async sweep() {
      await db.deleteFrom('pro_mailboxes').where('expires_at', '<=', clock()).execute()
      await names.sweep()
    },
  }
}

import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'
import type { Vault } from '#server/database/secret-box.ts'
import { takeSlot } from './slots.ts'

/** A slot whose address was never made, because the process ended in between, is free again after this. */
const PENDING_MS = 60_000

const storedSchema = z.object({ email: z.string(), token: z.string() })
export type Kept = z.infer<typeof storedSchema> & { readonly expiresAt: number }

/**
 * The places an account has for live addresses, one row each. The slot number, unique per account, is what holds the limit under concurrency;
 * a row without a sealed address is a place that is taken for one being made.
 */
export class ProSlots {
  readonly #db: Kysely<SiteSchema>
  readonly #vault: Vault
  readonly #clock: Clock

  constructor(db: Kysely<SiteSchema>, vault: Vault, clock: Clock) {
    this.#db = db
    this.#vault = vault
    this.#clock = clock
  }

  /** The addresses that `isLive` vouches for, oldest first; rows of all others are removed on the way. */
  async live(userId: string, isLive: (token: string) => Promise<boolean>): Promise<Kept[]> {
    const own = this.#db.selectFrom('pro_mailboxes').selectAll().where('user_id', '=', userId)
    const rows = await own.orderBy('created_at').orderBy('slot').execute()
    const kept = await Promise.all(
      rows.map(async ({ slot, sealed, expires_at: expiresAt }): Promise<Kept | undefined> => {
        const isDue = expiresAt <= this.#clock()
        if (sealed === '' && !isDue) return undefined
        const stored = this.#open(sealed, userId)
        if (stored && !isDue && (await isLive(stored.token))) return { ...stored, expiresAt }
        await this.#remove(userId, slot, sealed)
        return undefined
      }),
    )
    return kept.filter(mailbox => mailbox !== undefined)
  }

  /** Takes a place; `undefined` when there is none. */
  reserve(userId: string): Promise<number | undefined> {
    const now = this.#clock()
    return takeSlot(PRO_MAILBOXES_MAX, async slot => {
      const inserted = await this.#db
        .insertInto('pro_mailboxes')
        .values({ user_id: userId, slot, sealed: '', created_at: now, expires_at: now + PENDING_MS })
        .onConflict(conflict => conflict.columns(['user_id', 'slot']).doNothing())
        .returning('slot')
        .executeTakeFirst()
      return inserted !== undefined
    })
  }

  /** Puts the address into its place. `false` when the place is gone, because the account was deleted meanwhile. */
  async keep(userId: string, slot: number, { email, token, expiresAt }: Kept): Promise<boolean> {
    const sealed = this.#vault.seal(contextOf(userId), Buffer.from(JSON.stringify({ email, token }))).toString('base64')
    const place = this.#db.updateTable('pro_mailboxes').set({ sealed, expires_at: expiresAt })
    const kept = await place
      .where('user_id', '=', userId)
      .where('slot', '=', slot)
      .where('sealed', '=', '')
      .returning('slot')
      .executeTakeFirst()
    return kept !== undefined
  }

  /** Gives back a place whose address was not made. */
  release(userId: string, slot: number): Promise<void> {
    return this.#remove(userId, slot, '')
  }

  async sweep(): Promise<void> {
    await this.#db.deleteFrom('pro_mailboxes').where('expires_at', '<=', this.#clock()).execute()
  }

  #open(sealed: string, userId: string) {
    const bytes = this.#vault.open(contextOf(userId), Buffer.from(sealed, 'base64'))
    return bytes && z.parse(storedSchema, JSON.parse(bytes.toString()))
  }

  async #remove(userId: string, slot: number, sealed: string): Promise<void> {
    const row = this.#db.deleteFrom('pro_mailboxes').where('user_id', '=', userId).where('slot', '=', slot)
    await row.where('sealed', '=', sealed).execute()
  }
}

/** One account's address cannot be passed off as another's. */
function contextOf(userId: string): string {
  return `pro-mailbox/${userId}`
}

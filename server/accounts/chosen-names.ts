import { type Kysely, sql } from 'kysely'
import { LOCAL_PART_QUARANTINE_DAYS } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'
import type { Vault } from '#server/database/secret-box.ts'

const QUARANTINE_MS = LOCAL_PART_QUARANTINE_DAYS * 86_400_000

/** Who may take a local part somebody chose before: its last owner, or anyone 90 days after (decision 6). Names are kept as keyed hashes. */
export interface ChosenNames {
  /** Takes the name until `expiresAt` and the quarantine after it, in one atomic step. `false` when it is another's. */
  claim(userId: string, address: string, expiresAt: number): Promise<boolean>
  /** Forgets who the owner was; the names stay refused. */
  disown(userId: string): Promise<void>
  sweep(): Promise<void>
}

export function createChosenNames(db: Kysely<SiteSchema>, vault: Vault, clock: Clock): ChosenNames {
  const hashOf = (address: string) => vault.hash('chosen-name', address.toLowerCase())
  return {
    async claim(userId, address, expiresAt) {
      const row = { name_hash: hashOf(address), owner_id: userId, refused_until: expiresAt + QUARANTINE_MS }
      const claimed = await db
        .insertInto('chosen_names')
        .values(row)
        .onConflict(conflict =>
          conflict
            .column('name_hash')
            .doUpdateSet({ owner_id: userId, refused_until: row.refused_until })
            .where(is => is.or([is('chosen_names.owner_id', '=', userId), is('chosen_names.refused_until', '<=', clock())])),
        )
        .returning('name_hash')
        .executeTakeFirst()
      return claimed !== undefined
    },

    async disown(userId) {
      // A hash of nothing anybody has: the name can only be claimed when its time is over.
      await db.updateTable('chosen_names').set({ owner_id: sql`''` }).where('owner_id', '=', userId).execute()
    },

    async sweep() {
      await db.deleteFrom('chosen_names').where('refused_until', '<=', clock()).execute()
    },
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ApiKey } from '#contract/account.ts'
import { API_KEYS_MAX } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import type { SiteSchema } from '#server/database/schema.ts'
import type { Vault } from '#server/database/secret-box.ts'
import { AppError } from '#server/errors.ts'
import { takeSlot } from './slots.ts'

/** `mfk_` and 256 random bits in base64url; the start is told so that secret scanners and people know one when they see it. */
const KEY = /^mfk_[\w-]{43}$/
const PREFIX_CHARS = 12
/** "Last used" is for people: one write a minute is exact enough. */
const LAST_USED_STEP_MS = 60_000

export interface ApiKeys {
  /** The only time the key is shown. AppError `api_keys_max`. */
  create(userId: string, name: string): Promise<ApiKey & { key: string }>
  list(userId: string): Promise<ApiKey[]>
  /** `false` when this user has no such key. */
  revoke(userId: string, id: string): Promise<boolean>
  /** The account a key acts for; `undefined` for a wrong and a revoked one alike. */
  owner(key: string): Promise<{ id: string } | undefined>
}

export function createApiKeys(db: Kysely<SiteSchema>, vault: Vault, clock: Clock): ApiKeys {
  return {
    async create(userId, name) {
      const key = `mfk_${randomBytes(32).toString('base64url')}`
      const now = clock()
      const row = { id: randomUUID(), name, prefix: key.slice(0, PREFIX_CHARS), created_at: now, last_used_at: null }
      const slot = await takeSlot(API_KEYS_MAX, async slot => {
        const inserted = await db
          .insertInto('api_keys')
          .values({ ...row, user_id: userId, slot, key_hash: vault.hash('api-key', key) })
          .onConflict(conflict => conflict.columns(['user_id', 'slot']).doNothing())
          .returning('id')
          .executeTakeFirst()
        return inserted !== undefined
      })
      if (slot === undefined) throw new AppError('api_keys_max')
      return { ...described(row), key }
    },

    async list(userId) {
      const rows = await db.selectFrom('api_keys').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('slot').execute()
      return rows.map(described)
    },

    async revoke(userId, id) {
      const row = await db.deleteFrom('api_keys').where('id', '=', id).where('user_id', '=', userId).returning('id').executeTakeFirst()
      return row !== undefined
    },

    async owner(key) {
      if (!KEY.test(key)) return undefined
      const row = await db
        .selectFrom('api_keys')
        .select(['id', 'user_id', 'last_used_at'])
        .where('key_hash', '=', vault.hash('api-key', key))
        .executeTakeFirst()
      if (!row) return undefined
      const now = clock()
      if ((row.last_used_at ?? 0) + LAST_USED_STEP_MS <= now) {
        await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', row.id).execute()
      }
      return { id: row.user_id }
    },
  }
}

type Described = { id: string; name: string; prefix: string; created_at: number; last_used_at: number | null }

function described(row: Described): ApiKey {
  const lastUsed = row.last_used_at === null ? {} : { lastUsedAt: new Date(row.last_used_at).toISOString() }
  return { id: row.id, name: row.name, prefix: row.prefix, createdAt: new Date(row.created_at).toISOString(), ...lastUsed }
}

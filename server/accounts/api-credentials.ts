/** How programs authenticate: with API keys, which belong to an account, or API tokens of the operator, stored or configured. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { ApiKey } from '#contract/account.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { endWebhooks } from '#server/database/mailbox-rows.ts'
import { accountOwner, asEnding, type Right, sessionRight, tokenOwner, withRight } from '#server/database/rights.ts'
import { AppError } from '#server/errors.ts'
import { toIso } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { deriveSubkey } from '#server/platform/cryptography.ts'
import { endOne } from './account-endings.ts'
import type { Warn } from './account-mail.ts'
import { forgetNameOwner } from './chosen-names.ts'

/** 256 random bits in base64url. The fixed prefix lets secret scanners and people recognise it. */
const TOKEN = /^mft_[\w-]{43}$/

/** Who creates and destroys mailboxes with an API key or API token. */
export type ApiCaller = Right & {
  /** The account that owns the names it chooses. */
  readonly nameOwner: string
  /** Derived from the key or token, which the server does not keep: only its holder can decrypt what was sealed with it. */
  readonly sealingKey: Uint8Array
}

export class ApiCredentials {
  readonly #apiKeys: ApiKeys
  readonly #apiTokens: ApiTokens
  readonly #nameByHash: ReadonlyMap<string, string>

  /** `configured`: by API_TOKENS. */
  constructor(apiKeys: ApiKeys, apiTokens: ApiTokens, configured: Config['apiTokens']) {
    this.#apiKeys = apiKeys
    this.#apiTokens = apiTokens
    this.#nameByHash = new Map(configured.map(({ name, sha256 }) => [sha256, name]))
  }

  /** `undefined` for one that is malformed, wrong, revoked or no longer configured. */
  async find(credential: string): Promise<ApiCaller | undefined> {
    if (TOKEN.test(credential)) {
      const hash = hashApiToken(credential)
      const configured = this.#nameByHash.get(hash)
      const name = configured ?? (await this.#apiTokens.findName(hash))
      if (name === undefined) return undefined
      const owner = tokenOwner(name)
      return caller(credential, { owner, ...(configured === undefined && { apiTokenHash: hash }) }, owner)
    }
    const key = await this.#apiKeys.owner(credential)
    return key && caller(credential, { owner: accountOwner(key.userId), apiKeyId: key.id }, key.userId)
  }
}

function caller(credential: string, right: Right, nameOwner: string): ApiCaller {
  return { ...right, nameOwner, sealingKey: deriveSubkey(credential, 'mayfly api caller v1') }
}

/** A new API token, and its entry for the configuration. */
export function createApiToken(): { token: string; sha256: string } {
  const token = `mft_${randomBytes(32).toString('base64url')}`
  return { token, sha256: hashApiToken(token) }
}

/** A plain hash is enough for 256 random bits. */
const hashApiToken = (token: string): string => createHash('sha256').update(token).digest('hex')

type ApiToken = { readonly name: string; readonly createdAt: number; readonly lastUsedAt: number | null }

/** API tokens that the operator creates and revokes while the server runs, by name. Only their hashes are stored. */
export class ApiTokens {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  /** The only time that the token is returned. `undefined` if the name is in use. */
  async create(name: string): Promise<string | undefined> {
    const { token, sha256 } = createApiToken()
    const row = { name, sha256, created_at: this.#access.clock(), last_used_at: null }
    const insert = this.#access.db.insertInto('api_tokens').values(row)
    const created = await insert
      .onConflict(conflict => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    return created && token
  }

  async list(): Promise<ApiToken[]> {
    const rows = await this.#access.db.selectFrom('api_tokens').selectAll().orderBy('name').execute()
    return rows.map(({ name, created_at, last_used_at }) => ({ name, createdAt: created_at, lastUsedAt: last_used_at }))
  }

  /** With its webhooks, sessions and mailboxes, of which a later token of that name inherits nothing. `false` if there is none. */
  revoke(name: string): Promise<boolean> {
    const owner = tokenOwner(name)
    return asEnding(this.#access, { owner }, async step => {
      const revoked = await step.deleteFrom('api_tokens').where('name', '=', name).returning('name').executeTakeFirst()
      if (!revoked) return false
      await endWebhooks(step, 'owner', owner)
      await step.deleteFrom('agent_sessions').where('owner', '=', owner).execute()
      // The rows of mailboxes that are being created stay, so that these are destroyed.
      await step.deleteFrom('owned_mailboxes').where('owner', '=', owner).where('destroy_at', 'is', null).execute()
      await step.updateTable('owned_mailboxes').set({ destroy_at: 0 }).where('owner', '=', owner).execute()
      await forgetNameOwner(step, owner)
      return true
    })
  }

  async findName(sha256: string): Promise<string | undefined> {
    const row = await this.#access.db
      .selectFrom('api_tokens')
      .select(['name', 'last_used_at'])
      .where('sha256', '=', sha256)
      .executeTakeFirst()
    const now = this.#access.clock()
    if (row && (row.last_used_at ?? 0) + LAST_USED_STEP_MS <= now) {
      await this.#access.db.updateTable('api_tokens').set({ last_used_at: now }).where('name', '=', row.name).execute()
    }
    return row?.name
  }
}

/** `mfk_` and 256 random bits in base64url. The fixed prefix lets secret scanners and people recognise a key. */
const KEY = /^mfk_[\w-]{43}$/
const PREFIX_CHARS = 12
/** An account may have one for each place where they are used, and some to spare. */
const API_KEYS_MAX = 20
/** "Last used" is for people, so one write per minute is exact enough. */
const LAST_USED_STEP_MS = 60_000

/** API keys, with which scripts act for an account. Stored as keyed hashes. */
export class ApiKeys {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  /** The only time that the key is returned. AppError `api_keys_max`, `sign_in_required`. */
  async create(
    { accountId, sessionId }: { accountId: string; sessionId: string },
    name: string,
    warn?: Warn,
  ): Promise<ApiKey & { key: string }> {
    const { secretBox, clock } = this.#access
    const key = `mfk_${randomBytes(32).toString('base64url')}`
    const row = { id: randomUUID(), name, prefix: key.slice(0, PREFIX_CHARS), created_at: clock(), last_used_at: null }
    const tell = await warn?.(accountId)
    await withRight(this.#access, sessionRight(accountId, sessionId), async step => {
      const held = await step.selectFrom('api_keys').select('id').where('user_id', '=', accountId).execute()
      if (held.length >= API_KEYS_MAX) throw new AppError('api_keys_max')
      await step
        .insertInto('api_keys')
        .values({ ...row, user_id: accountId, key_hash: secretBox.hash('api-key', key) })
        .execute()
      await tell?.(step)
    })
    return { ...describe(row), key }
  }

  async list(userId: string): Promise<ApiKey[]> {
    const query = this.#access.db.selectFrom('api_keys').selectAll().where('user_id', '=', userId)
    return (await query.orderBy('created_at').orderBy('id').execute()).map(describe)
  }

  /** `false` if this account has no such key. */
  revoke(userId: string, by: Right, id: string, warn?: Warn): Promise<boolean> {
    return endOne(this.#access, by, { table: 'api_keys', userId, id, warn })
  }

  /** The key and the account it acts for. `undefined` for a wrong key, a revoked one and one of a suspended account alike. */
  async owner(key: string): Promise<{ id: string; userId: string } | undefined> {
    if (!KEY.test(key)) return undefined
    const { db, secretBox, clock } = this.#access
    const known = db.selectFrom('api_keys').select(['id', 'user_id', 'last_used_at'])
    const suspended = db.selectFrom('suspensions').select('user_id')
    const live = known.where('key_hash', '=', secretBox.hash('api-key', key)).where('user_id', 'not in', suspended)
    const row = await live.executeTakeFirst()
    if (!row) return undefined
    const now = clock()
    if ((row.last_used_at ?? 0) + LAST_USED_STEP_MS <= now) {
      await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', row.id).execute()
    }
    return { id: row.id, userId: row.user_id }
  }
}

type Described = { id: string; name: string; prefix: string; created_at: number; last_used_at: number | null }

function describe(row: Described): ApiKey {
  const lastUsed = row.last_used_at === null ? {} : { lastUsedAt: toIso(row.last_used_at) }
  return { id: row.id, name: row.name, prefix: row.prefix, createdAt: toIso(row.created_at), ...lastUsed }
}

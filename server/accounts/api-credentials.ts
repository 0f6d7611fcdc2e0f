/** How programs authenticate: with API keys, which belong to an account, or API tokens, which the operator configures. */
import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '#server/platform/config/config.ts'
import { deriveSubkey } from '#server/platform/derive-subkey.ts'
import type { ApiKeys } from './api-keys.ts'

/** 256 random bits in base64url. The fixed prefix lets secret scanners and people recognise it. */
const TOKEN = /^mft_[\w-]{43}$/

/** Who creates and destroys mailboxes with an API key or API token. */
export type ApiCaller = {
  /** Whose quotas apply and who owns the mailboxes: `account:ID` for all keys of an account, `token:NAME` for an API token. */
  readonly owner: string
  /** The account that owns the names it chooses. */
  readonly nameOwner: string
  /** For API keys only: the row that must still exist when a mailbox is stored. */
  readonly apiKeyId: string | undefined
  /** Derived from the key or token, which the server does not keep: only its holder can decrypt what was sealed with it. */
  readonly sealingKey: Uint8Array
}

/** A new API token, and its entry for the configuration. */
export function createApiToken(): { token: string; sha256: string } {
  const token = `mft_${randomBytes(32).toString('base64url')}`
  return { token, sha256: hashApiToken(token) }
}

/** A plain hash is enough for 256 random bits. */
function hashApiToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export class ApiCredentials {
  readonly #apiKeys: Pick<ApiKeys, 'owner'>
  readonly #nameByHash: ReadonlyMap<string, string>

  constructor({ apiKeys, apiTokens }: { apiKeys: Pick<ApiKeys, 'owner'>; apiTokens: Config['apiTokens'] }) {
    this.#apiKeys = apiKeys
    this.#nameByHash = new Map(apiTokens.map(({ name, sha256 }) => [sha256, name]))
  }

  /** `undefined` for one that is malformed, wrong, revoked or no longer configured. */
  async find(credential: string): Promise<ApiCaller | undefined> {
    const name = TOKEN.test(credential) ? this.#nameByHash.get(hashApiToken(credential)) : undefined
    if (name !== undefined) return caller(credential, `token:${name}`, `token:${name}`, undefined)
    const key = await this.#apiKeys.owner(credential)
    return key && caller(credential, accountOwner(key.userId), key.userId, key.id)
  }
}

export function accountOwner(userId: string): string {
  return `account:${userId}`
}

function caller(credential: string, owner: string, nameOwner: string, apiKeyId: string | undefined): ApiCaller {
  const sealingKey = deriveSubkey(credential, 'mayfly api caller v1')
  return { owner, nameOwner, apiKeyId, sealingKey }
}

/** What programs authenticate with: API keys, which belong to an account, and API tokens, which the operator configures. */
import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '#server/config.ts'
import type { ApiKeys } from './api-keys.ts'

/** 256 random bits in base64url. The fixed starts let secret scanners and people recognise them. */
const TOKEN = /^mft_[\w-]{43}$/

/** Who makes and destroys mailboxes with an API key or an API token. */
export type ApiCaller = {
  /** Whose quotas count and whose mailboxes these are: `account:ID` for all keys of an account, `token:NAME` for an API token. */
  readonly owner: string
  /** Whose chosen names they are. */
  readonly nameOwner: string
  /** Only for API keys: the row that must still be there when a mailbox is kept. */
  readonly apiKeyId: string | undefined
  /** Derived from the key or token itself, which the server does not keep: what is sealed with it, only its holder has opened again. */
  readonly sealingKey: Uint8Array
}

/** A new API token, and what the configuration keeps of it. */
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

  /** `undefined` for what is malformed, wrong, revoked or no longer configured. */
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
  const sealingKey = new Uint8Array(hkdfSync('sha256', credential, '', 'mayfly api caller v1', 32))
  return { owner, nameOwner, apiKeyId, sealingKey }
}

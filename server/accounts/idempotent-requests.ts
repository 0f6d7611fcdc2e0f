import type { DatabaseAccess } from '#server/database/database.ts'
import { hashMailbox, keepIfLive } from '#server/database/mailbox-rows.ts'
import { AppError } from '#server/errors.ts'
import { parseToken } from '#server/mail/keys/token.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { deriveSubkey, openText, sealText } from '#server/platform/cryptography.ts'

/** A request may be repeated after this time if its process died while handling it. */
const PENDING_MS = 60_000
const RETRY_SECONDS = 1

type Deps = DatabaseAccess & { readonly mail: MailCore }

/** One mailbox, or several that were created together. */
export type CreatedMailboxes = { readonly expiresAt: string } & (
  | { readonly token: string }
  | { readonly mailboxes: readonly { readonly token: string }[] }
)

/** `scope`: who asks; keys of different scopes never collide. `request`: what is asked for, the same at each repetition. */
type IdempotentRequest = { readonly scope: string; readonly key: string; readonly request: unknown }

/**
 * Stores the results of requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). A result contains mailbox tokens,
 * so it is sealed twice: under the server's secret and with the key itself, which is not stored.
 */
export class IdempotentRequests {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Calls `make` once. The same request with the same key gets the stored result until its `expiresAt`, or until one of its mailboxes is
   * destroyed. Failures are not stored. AppError `idempotency_key_in_use`, `idempotency_key_reused`.
   */
  async once<T extends CreatedMailboxes>(request: IdempotentRequest, make: () => Promise<T>): Promise<T> {
    const { db, secretBox } = this.#deps
    const keyHash = this.#keyHash(request.scope, request.key)
    const requestHash = secretBox.hash('idempotent-request', JSON.stringify(request.request))
    const claimedUntil = await this.#claim(keyHash, requestHash)
    if (claimedUntil === undefined) {
      const { result, sealed } = await this.#replay<T>(request, keyHash, requestHash)
      if (await this.#areLive(result)) return result
      await this.#remove(keyHash, { sealed })
      return await this.once(request, make)
    }
    const claim = { sealed: '', expires_at: claimedUntil }
    try {
      const result = await make()
      const sealed = secretBox.seal(keyHash, Buffer.from(sealText(sealingKey(request), keyHash, JSON.stringify(result)))).toString('base64')
      const mailboxIds = tokensOf(result).flatMap(token => parseToken(token)?.mailboxId ?? [])
      await db.transaction().execute(async step => {
        const own = step.updateTable('idempotent_requests').set({ sealed, expires_at: Date.parse(result.expiresAt) })
        const stored = await own
          .where('key_hash', '=', keyHash)
          .where(is => is.and(claim))
          .returning('key_hash')
          .executeTakeFirst()
        const links = mailboxIds.map(id => ({ mailbox_hash: hashMailbox(secretBox, 'idempotent_mailboxes', id), key_hash: keyHash }))
        // It took so long that the request was repeated.
        if (stored && links.length > 0) await step.insertInto('idempotent_mailboxes').values(links).execute()
      })
      await keepIfLive({ ...this.#deps, isLive: this.#deps.mail.isLive }, mailboxIds)
      return result
    } catch (error) {
      await this.#remove(keyHash, claim)
      throw error
    }
  }

  /** Whether this key was used already. Writes nothing. */
  async isKnown({ scope, key }: Pick<IdempotentRequest, 'scope' | 'key'>): Promise<boolean> {
    const row = this.#deps.db.selectFrom('idempotent_requests').select('key_hash').where('key_hash', '=', this.#keyHash(scope, key))
    return (await row.executeTakeFirst()) !== undefined
  }

  /** Only as it was found: another request may have the key by now. */
  async #remove(keyHash: string, found: { sealed: string; expires_at?: number }): Promise<void> {
    const own = this.#deps.db.deleteFrom('idempotent_requests').where('key_hash', '=', keyHash)
    await own.where(is => is.and(found)).execute()
  }

  async #areLive(result: CreatedMailboxes): Promise<boolean> {
    const opened = await Promise.all(tokensOf(result).map(token => this.#deps.mail.openMailbox(token)))
    return !opened.includes(undefined)
  }

  #keyHash(scope: string, key: string): string {
    return this.#deps.secretBox.hash('idempotency-key', `${scope}\0${key}`)
  }

  /** One atomic step. Until when the key is claimed; `undefined` if it is taken. */
  async #claim(keyHash: string, requestHash: string): Promise<number | undefined> {
    const { db, clock } = this.#deps
    const row = { request_hash: requestHash, sealed: '', expires_at: clock() + PENDING_MS }
    const claimed = await db
      .insertInto('idempotent_requests')
      .values({ key_hash: keyHash, ...row })
      .onConflict(conflict => conflict.column('key_hash').doUpdateSet(row).where('idempotent_requests.expires_at', '<=', clock()))
      .returning('expires_at')
      .executeTakeFirst()
    return claimed?.expires_at
  }

  async #replay<T>(request: IdempotentRequest, keyHash: string, requestHash: string): Promise<{ result: T; sealed: string }> {
    const { db, secretBox } = this.#deps
    const row = await db.selectFrom('idempotent_requests').selectAll().where('key_hash', '=', keyHash).executeTakeFirst()
    if (row && row.request_hash !== requestHash) throw new AppError('idempotency_key_reused')
    const inner = row && secretBox.open(keyHash, Buffer.from(row.sealed, 'base64'))
    const text = inner && openText(sealingKey(request), keyHash, inner.toString())
    if (text === undefined) throw new AppError('idempotency_key_in_use', { retryAfterSeconds: RETRY_SECONDS })
    return { result: JSON.parse(text) as T, sealed: row?.sealed ?? '' }
  }
}

const tokensOf = (result: CreatedMailboxes): string[] => ('mailboxes' in result ? result.mailboxes : [result]).map(({ token }) => token)
const sealingKey = ({ scope, key }: IdempotentRequest): Uint8Array => deriveSubkey(key, 'mayfly idempotency key v1', scope)

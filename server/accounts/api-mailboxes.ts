import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { MAILBOX_PAGE } from '#contract/limits.ts'
import { type ApiMailbox, type ApiMailboxPage, type MailboxCreated, mailboxTimes, PAGE_CURSOR } from '#contract/mailbox.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { lockCredential, lockOwner } from '#server/database/locks.ts'
import { hashMailbox } from '#server/database/mailbox-rows.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { openText, sealText } from '#server/database/secret-box.ts'
import { invalid } from '#server/errors.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { toIso } from '#server/platform/clock.ts'
import { LimitReached } from '#server/platform/limits/limiter.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { ApiCaller } from './api-credentials.ts'
import { type AddressRequest, ChosenNames, checkAddress } from './chosen-names.ts'

/** Mailboxes destroyed at once: the store writes them in one group, and a list of thousands is never in memory. */
const DESTROYED_AT_ONCE = 100

type ApiMailboxesDeps = DatabaseAccess & {
  readonly mail: MailCore
  readonly domains: () => MailDomains
  /** Live mailboxes of one account or one API token. */
  readonly mailboxesMax: number
}

type MailboxRequest = AddressRequest & { readonly lifetimeSeconds: number; readonly count?: number }
type Created = Awaited<ReturnType<MailCore['createAddress']>>

/**
 * Mailboxes created with API keys and API tokens. Each has a row with its owner and expiry. The address in it is sealed with the key or
 * token itself, so only its holder can list it. The mailbox token is not stored, so nobody can read mail with this table. The mailbox id is
 * sealed under the server's secret, so that a deleted account takes its mailboxes along.
 */
export class ApiMailboxes {
  readonly #deps: ApiMailboxesDeps
  readonly #names: ChosenNames

  constructor(deps: ApiMailboxesDeps) {
    this.#deps = deps
    this.#names = new ChosenNames(deps)
  }

  /**
   * Creates all or none. `charge` counts them against the hourly limit. It is called when nothing else refuses them, because what is
   * refused costs nothing. AppError `api_mailboxes_max`, `local_part_taken`, `local_part_reserved`, `domain_not_served`,
   * `api_token_invalid`.
   */
  async create(
    caller: ApiCaller,
    { count = 1, lifetimeSeconds, ...request }: MailboxRequest,
    charge?: () => Promise<void>,
  ): Promise<MailboxCreated[]> {
    const checked = checkAddress(request, this.#deps.domains())
    await this.#refuseOverMax(this.#deps.db, caller.owner, count)
    const expiresAt = this.#deps.clock() + lifetimeSeconds * 1000
    const lock = (step: Transaction<DatabaseSchema>) => lockCredential(step, this.#deps.dialect, caller)
    await this.#names.claim(caller.nameOwner, checked, { expiresAt, charge, lock })
    const address = { ...checked, lifetimeSeconds, creator: caller.owner }
    const results = await Promise.allSettled(Array.from({ length: count }, () => this.#deps.mail.createAddress(address)))
    const created = results.flatMap(result => (result.status === 'fulfilled' ? [{ ...result.value, id: randomUUID() }] : []))
    try {
      const failed = results.find(result => result.status === 'rejected')
      if (failed) throw failed.reason
      await this.#keep(caller, created)
    } catch (error) {
      await Promise.all(created.map(({ mailboxId }) => this.#deps.mail.destroyMailbox({ mailboxId })))
      throw error
    }
    const now = this.#deps.clock()
    return created.map(mailbox => ({ id: mailbox.id, email: mailbox.email, token: mailbox.token, ...mailboxTimes(mailbox, now) }))
  }

  /** Newest first. AppError `invalid_request` for a cursor that was never returned. */
  async list(caller: ApiCaller, page: { limit?: number | undefined; cursor?: string | undefined }): Promise<ApiMailboxPage> {
    const limit = page.limit ?? MAILBOX_PAGE.default
    const after = page.cursor === undefined ? undefined : parseCursor(page.cursor)
    let rows = this.#live(caller.owner).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
    if (after) {
      const { createdAt, id } = after
      rows = rows.where(is => is.or([is('created_at', '<', createdAt), is.and([is('created_at', '=', createdAt), is('id', '<', id)])]))
    }
    const found = await rows.limit(limit + 1).execute()
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return {
      mailboxes: shown.map(row => this.#listed(caller, row)),
      ...(last && { nextCursor: `${last.created_at}.${last.id}` }),
    }
  }

  /** `false` if the caller has no such mailbox. */
  async destroy(caller: ApiCaller, id: string): Promise<boolean> {
    const row = await this.#live(caller.owner).selectAll().where('id', '=', id).executeTakeFirst()
    return row !== undefined && (await this.#destroyRows(caller.owner, [row])) === 1
  }

  /** Destroys every mailbox of the owner; resolves to their number. */
  async destroyAll(owner: string): Promise<number> {
    let destroyed = 0
    for (;;) {
      const rows = await this.#live(owner).selectAll().limit(DESTROYED_AT_ONCE).execute()
      if (rows.length === 0) return destroyed
      destroyed += await this.#destroyRows(owner, rows)
    }
  }

  /** Finds a live mailbox of an API key or API token by its id in the store. */
  async find(mailboxId: MailboxId): Promise<{ id: string; owner: string; expiresAt: number } | undefined> {
    const rows = this.#deps.db.selectFrom('api_mailboxes').select(['id', 'owner', 'expires_at as expiresAt'])
    const row = rows.where('mailbox_hash', '=', this.#mailboxHash(mailboxId)).where('expires_at', '>', this.#deps.clock())
    return await row.executeTakeFirst()
  }

  async #keep(caller: ApiCaller, created: readonly (Created & { id: string })[]): Promise<void> {
    const rows = created.map(({ id, email, mailboxId, createdAt, expiresAt }) => ({
      id,
      owner: caller.owner,
      sealed_email: sealText(caller.sealingKey, id, email),
      sealed_mailbox: this.#deps.secretBox.seal(sealingContext(caller.owner), Buffer.from(mailboxId)).toString('base64'),
      mailbox_hash: this.#mailboxHash(mailboxId),
      created_at: createdAt,
      expires_at: expiresAt,
    }))
    await this.#deps.db.transaction().execute(async step => {
      await lockOwner(step, this.#deps.dialect, caller.owner)
      await this.#refuseOverMax(step, caller.owner, rows.length)
      await lockCredential(step, this.#deps.dialect, caller)
      await step.insertInto('api_mailboxes').values(rows).execute()
    })
  }

  async #refuseOverMax(db: Kysely<DatabaseSchema>, owner: string, count: number): Promise<void> {
    const { mailboxesMax } = this.#deps
    const live = this.#live(owner, db).select(db.fn.countAll<number>().as('count'))
    const held = Number((await live.executeTakeFirstOrThrow()).count)
    if (held + count <= mailboxesMax) return
    const detail = `${held} mailboxes are live, and ${mailboxesMax} may be.`
    const quota = { name: 'api-mailboxes', max: mailboxesMax }
    const endsEnough = this.#live(owner, db)
      .select('expires_at')
      .orderBy('expires_at')
      .offset(Math.min(held, held + count - mailboxesMax) - 1)
    const expiresAt = (await endsEnough.limit(1).executeTakeFirst())?.expires_at
    const retryAfterSeconds = expiresAt === undefined ? 0 : Math.max(1, Math.ceil((Number(expiresAt) - this.#deps.clock()) / 1000))
    const remaining = Math.max(0, mailboxesMax - held)
    throw new LimitReached(quota, { detail, remaining, ...(retryAfterSeconds > 0 && { retryAfterSeconds }) }, 'api_mailboxes_max')
  }

  #live(owner: string, db: Kysely<DatabaseSchema> = this.#deps.db) {
    return db.selectFrom('api_mailboxes').where('owner', '=', owner).where('expires_at', '>', this.#deps.clock())
  }

  async #destroyRows(owner: string, rows: readonly { id: string; sealed_mailbox: string }[]): Promise<number> {
    const { mail, secretBox } = this.#deps
    const destroyed = await Promise.all(
      rows.map(async row => {
        const mailboxId = secretBox.open(sealingContext(owner), Buffer.from(row.sealed_mailbox, 'base64'))
        return mailboxId !== undefined && (await mail.destroyMailbox({ mailboxId: mailboxId.toString() as MailboxId }))
      }),
    )
    // Those of mailboxes that were gone already.
    const ids = rows.map(({ id }) => id)
    await this.#deps.db.deleteFrom('api_mailboxes').where('id', 'in', ids).execute()
    return destroyed.filter(Boolean).length
  }

  #listed(caller: ApiCaller, row: { id: string; sealed_email: string; created_at: number; expires_at: number }): ApiMailbox {
    const email = openText(caller.sealingKey, row.id, row.sealed_email)
    const { expires_at: expiresAt, created_at: createdAt } = row
    return {
      id: row.id,
      ...(email !== undefined && { email }),
      createdAt: toIso(createdAt),
      ...mailboxTimes({ createdAt, expiresAt }, this.#deps.clock()),
    }
  }

  #mailboxHash(mailboxId: MailboxId): string {
    return hashMailbox(this.#deps.secretBox, 'api_mailboxes', mailboxId)
  }
}

function parseCursor(cursor: string): { createdAt: number; id: string } {
  const [, createdAt, id] = PAGE_CURSOR.exec(cursor) ?? []
  if (createdAt === undefined || id === undefined) throw invalid('This cursor is not of a page of this list.')
  return { createdAt: Number(createdAt), id }
}

/** Binds a sealed value to its owner, so that it cannot be moved to another row. */
function sealingContext(owner: string): string {
  return `api-mailbox/${owner}`
}

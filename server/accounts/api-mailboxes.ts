import { MAILBOX_PAGE } from '#contract/limits.ts'
import { type ApiMailbox, type ApiMailboxPage, type MailboxCreated, mailboxTimes, PAGE_CURSOR } from '#contract/mailbox.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { hashMailbox } from '#server/database/mailbox-rows.ts'
import { suspendedOwners } from '#server/database/rights.ts'
import { invalid } from '#server/errors.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { NewAddress } from '#server/mail/mailboxes.ts'
import { toIso } from '#server/platform/clock.ts'
import { openText, sealText } from '#server/platform/cryptography.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { ApiCaller } from './api-credentials.ts'
import { type AddressRequest, checkAddress } from './chosen-names.ts'
import { isOfPages, type OwnedMailboxes, type OwnedRow, openOwned } from './owned-mailboxes.ts'

type ApiMailboxesDeps = DatabaseAccess & {
  readonly owned: OwnedMailboxes
  readonly domains: () => MailDomains
  /** Live mailboxes of one account or one API token. */
  readonly mailboxesMax: number
}

type MailboxRequest = AddressRequest & Pick<NewAddress, 'lifetimeSeconds' | 'failure'> & { readonly count?: number }

/**
 * Mailboxes created with API keys and API tokens. The address in a row is sealed with the key or token itself, so only its holder can list
 * it. The mailbox token is not stored, so nobody can read mail with this table.
 */
export class ApiMailboxes {
  readonly #deps: ApiMailboxesDeps

  constructor(deps: ApiMailboxesDeps) {
    this.#deps = deps
  }

  /**
   * Creates all or none. `charge` counts them against the hourly limit. It is called when nothing else refuses them, because what is
   * refused costs nothing. AppError `api_mailboxes_max`, `local_part_taken`, `local_part_reserved`, `domain_not_served`,
   * `api_token_invalid`.
   */
  async create(
    caller: ApiCaller,
    { count = 1, lifetimeSeconds, failure, ...request }: MailboxRequest,
    charge?: () => Promise<void>,
  ): Promise<MailboxCreated[]> {
    const { owned, domains, clock, mailboxesMax } = this.#deps
    const created = await owned.create({
      right: caller,
      owner: caller.owner,
      nameOwner: caller.nameOwner,
      address: { ...checkAddress(request, domains()), lifetimeSeconds, failure },
      count,
      max: { name: 'api-mailboxes', code: 'api_mailboxes_max', mailboxes: mailboxesMax },
      charge,
      sealEmail: ({ id, email }) => sealText(caller.sealingKey, id, email),
    })
    const now = clock()
    return created.map(mailbox => ({ id: mailbox.id, email: mailbox.email, token: mailbox.token, ...mailboxTimes(mailbox, now) }))
  }

  /** Newest first. AppError `invalid_request` for a cursor that was never returned. */
  async list(caller: ApiCaller, page: { limit?: number | undefined; cursor?: string | undefined }): Promise<ApiMailboxPage> {
    const limit = page.limit ?? MAILBOX_PAGE.default
    const after = page.cursor === undefined ? undefined : parseCursor(page.cursor)
    let rows = this.#deps.owned.live(caller.owner).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
    if (after) {
      const { createdAt, id } = after
      rows = rows.where(is => is.or([is('created_at', '<', createdAt), is.and([is('created_at', '=', createdAt), is('id', '<', id)])]))
    }
    const found = await rows.limit(limit + 1).execute()
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return { mailboxes: shown.map(row => this.#listed(caller, row)), ...(last && { nextCursor: `${last.created_at}.${last.id}` }) }
  }

  /** `false` if the caller has no such mailbox. */
  destroy({ owner }: ApiCaller, id: string): Promise<boolean> {
    return this.#deps.owned.destroy(owner, id)
  }

  /** Destroys every mailbox of the owner; resolves to their number. */
  destroyAll(caller: ApiCaller): Promise<number> {
    return this.#deps.owned.destroyAll(caller)
  }

  find(mailboxId: MailboxId) {
    return findApiMailbox(this.#deps, mailboxId)
  }

  #listed(caller: ApiCaller, row: OwnedRow): ApiMailbox {
    const email = openText(caller.sealingKey, row.id, row.sealed_email ?? '')
    const { expires_at: expiresAt, created_at: createdAt } = row
    return {
      id: row.id,
      ...(email !== undefined && { email }),
      createdAt: toIso(createdAt),
      ...mailboxTimes({ createdAt, expiresAt }, this.#deps.clock()),
    }
  }
}

/**
 * Finds a mailbox of an API key or API token by its id in the store. Also one that is about to be live: mail may arrive already. None of an
 * account that is suspended, for which this server sends nothing.
 */
export async function findApiMailbox({ db, clock, secretBox }: DatabaseAccess, mailboxId: MailboxId) {
  const rows = db
    .selectFrom('owned_mailboxes')
    .select(['id', 'owner', 'sealed', 'expires_at as expiresAt'])
    .where('expires_at', '>', clock())
  const own = rows.where('mailbox_hash', '=', hashMailbox(secretBox, 'owned_mailboxes', mailboxId))
  const found = await own
    .where('owner', 'not in', suspendedOwners(db))
    .where(is => is.or([is('destroy_at', 'is', null), is('destroy_at', '>', 0)]))
    .executeTakeFirst()
  if (!found || isOfPages(found)) return undefined
  const { id, owner, expiresAt } = found
  return { id, owner, expiresAt, apiKeyId: openOwned(secretBox, found)?.apiKeyId }
}

function parseCursor(cursor: string): { createdAt: number; id: string } {
  const [, createdAt, id] = PAGE_CURSOR.exec(cursor) ?? []
  if (createdAt === undefined || id === undefined) throw invalid('This cursor is not of a page of this list.')
  return { createdAt: Number(createdAt), id }
}

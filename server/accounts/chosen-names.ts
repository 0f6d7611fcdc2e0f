import { sql } from 'kysely'
import type { SealedRows } from '#server/database/database.ts'
import { normaliseChosenLocalPart } from '#server/mail/addresses/chosen-addresses.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'

/** A local part is refused to others for this long after its last owner. */
const QUARANTINE_MS = 90 * 86_400_000
/** Of all owners and domains: 12 MB. One API token could choose ten million names within the quarantine. */
const NAMES_MAX = 100_000
/** So that a sweep takes a quarter of a second at most. */
const REMOVED_AT_ONCE_MAX = 2000

/** Records who may choose a local part again: its last owner, or anyone after the quarantine. Names are stored as keyed hashes. */
export class ChosenNames {
  readonly #deps: SealedRows
  readonly #namesMax: number

  constructor(deps: SealedRows, namesMax = NAMES_MAX) {
    this.#deps = deps
    this.#namesMax = namesMax
  }

  /** Takes the name until `expiresAt` and for the quarantine after it, in one atomic step. `false` if somebody else has it. */
  async claim(userId: string, address: string, expiresAt: number): Promise<boolean> {
    const { db, secretBox, clock } = this.#deps
    const row = { name_hash: secretBox.hash('chosen-name', address), owner_id: userId, refused_until: expiresAt + QUARANTINE_MS }
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
  }

  /** Forgets the owner. The names stay refused, because no account has the empty id. */
  async forgetOwner(userId: string): Promise<void> {
    await this.#deps.db.updateTable('chosen_names').set({ owner_id: sql`''` }).where('owner_id', '=', userId).execute()
  }

  async sweep(): Promise<void> {
    const { db, clock } = this.#deps
    await db.deleteFrom('chosen_names').where('refused_until', '<=', clock()).execute()
    const { count } = await db
      .selectFrom('chosen_names')
      .select(is => is.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    const surplus = Number(count) - this.#namesMax
    if (surplus > 0) await this.#makeRoom(Math.min(surplus, REMOVED_AT_ONCE_MAX))
  }

  /** Owners with most names lose them, those that end first: who chooses many frees no name of anybody else. */
  async #makeRoom(surplus: number): Promise<void> {
    const { db } = this.#deps
    const place = sql<number>`row_number() over (partition by owner_id order by refused_until desc)`
    const ranked = db
      .selectFrom('chosen_names')
      .select(['name_hash', place.as('place')])
      .as('ranked')
    const last = db.selectFrom(ranked).select('name_hash').orderBy('place', 'desc').limit(surplus)
    await db.deleteFrom('chosen_names').where('name_hash', 'in', last).execute()
  }
}

export type AddressRequest = {
  readonly domain?: string | undefined
  readonly insteadOf?: string | undefined
  readonly localPart?: string | undefined
}
export type CheckedAddress = { readonly domain: string; readonly localPart: string | undefined }

/** `domains`: those that are offered now. */
export type OfferedNames = { readonly domains: () => MailDomains }

/**
 * Checks the address that an account or API token asks for against what this deployment offers. AppError `domain_not_served`,
 * `local_part_reserved`, `invalid_request`.
 */
export function checkAddress({ domain: requested, insteadOf, localPart }: AddressRequest, { domains }: OfferedNames): CheckedAddress {
  const { choose, operatorNames } = domains()
  const domain = choose(requested, insteadOf).name
  return { domain, localPart: localPart === undefined ? undefined : normaliseChosenLocalPart(localPart, operatorNames) }
}

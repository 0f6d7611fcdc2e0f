import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '#contract/limits.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { normaliseChosenLocalPart } from '#server/mail/addresses/chosen-addresses.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'

/** A local part is refused to others for this long after its last owner. */
const QUARANTINE_MS = 90 * DAY_MS
/** The names of all owners and domains take 12 MB. One API token could choose ten million names within the quarantine. */
const NAMES_MAX = 100_000
/** So that this takes a quarter of a second at most. */
const REMOVED_AT_ONCE_MAX = 2000

/** Records who may choose a local part again: its last owner, or anyone after the quarantine. Names are stored as keyed hashes. */
export class ChosenNames {
  readonly #access: DatabaseAccess
  readonly #namesMax: number

  constructor(access: DatabaseAccess, namesMax = NAMES_MAX) {
    this.#access = access
    this.#namesMax = namesMax
  }

  /** AppError `local_part_taken` if somebody else has the name. Writes nothing. */
  async refuseTaken(ownerId: string, address: CheckedAddress): Promise<void> {
    const { db, clock } = this.#access
    const held = db.selectFrom('chosen_names').select('name_hash').where('name_hash', '=', this.#hash(address))
    const taken = await held.where('owner_id', '!=', ownerId).where('refused_until', '>', clock()).executeTakeFirst()
    if (taken) throw new AppError('local_part_taken')
  }

  /** Takes the name, if one was chosen, until `expiresAt` and for the quarantine after it. AppError `local_part_taken`. */
  async claim(step: Kysely<DatabaseSchema>, ownerId: string, address: CheckedAddress, expiresAt: number): Promise<void> {
    if (address.localPart === undefined) return
    const row = { owner_id: ownerId, refused_until: expiresAt + QUARANTINE_MS }
    const claimed = await step
      .insertInto('chosen_names')
      .values({ name_hash: this.#hash(address), ...row })
      .onConflict(conflict =>
        conflict
          .column('name_hash')
          .doUpdateSet(row)
          .where(is => is.or([is('chosen_names.owner_id', '=', ownerId), is('chosen_names.refused_until', '<=', this.#access.clock())])),
      )
      .returning('name_hash')
      .executeTakeFirst()
    if (!claimed) throw new AppError('local_part_taken')
  }

  /** Removes names above the limit. */
  async makeRoom(): Promise<void> {
    const { db } = this.#access
    const { count } = await db
      .selectFrom('chosen_names')
      .select(is => is.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    const surplus = Number(count) - this.#namesMax
    if (surplus <= 0) return
    // Owners with most names lose them, those that end first: who chooses many frees no name of anybody else.
    const place = sql<number>`row_number() over (partition by owner_id order by refused_until desc)`
    const ranked = db
      .selectFrom('chosen_names')
      .select(['name_hash', place.as('place')])
      .as('ranked')
    const last = db.selectFrom(ranked).select('name_hash').orderBy('place', 'desc').limit(Math.min(surplus, REMOVED_AT_ONCE_MAX))
    await db.deleteFrom('chosen_names').where('name_hash', 'in', last).execute()
  }

  #hash({ localPart, domain }: CheckedAddress): string {
    return this.#access.secretBox.hash('chosen-name', `${localPart}@${domain}`)
  }
}

/**
 * Forgets the owner; the names stay refused. Each forgotten owner counts for itself when names have to go: under one common id, those of
 * all former accounts would be the largest share and go first.
 */
export async function forgetNameOwner(db: Kysely<DatabaseSchema>, ownerId: string): Promise<void> {
  await db
    .updateTable('chosen_names')
    .set({ owner_id: `gone:${randomUUID()}` })
    .where('owner_id', '=', ownerId)
    .execute()
}

export type AddressRequest = {
  readonly domain?: string | undefined
  readonly insteadOf?: string | undefined
  readonly localPart?: string | undefined
}
export type CheckedAddress = { readonly domain: string; readonly localPart: string | undefined }

/** Checks a wanted address. AppError `domain_not_served`, `local_part_reserved`, `invalid_request`. */
export function checkAddress({ domain: requested, insteadOf, localPart }: AddressRequest, domains: MailDomains): CheckedAddress {
  const domain = domains.choose(requested, insteadOf).name
  return { domain, localPart: localPart === undefined ? undefined : normaliseChosenLocalPart(localPart, domains.operatorNames) }
}

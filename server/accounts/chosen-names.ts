import { sql } from 'kysely'
import type { SealedRows } from '#server/database/database.ts'
import { normaliseChosenLocalPart } from '#server/mail/addresses/chosen-addresses.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'

/** A local part is refused to others for this long after its last owner. */
const QUARANTINE_MS = 90 * 86_400_000

/** Records who may choose a local part again: its last owner, or anyone after the quarantine. Names are stored as keyed hashes. */
export class ChosenNames {
  readonly #deps: SealedRows

  constructor(deps: SealedRows) {
    this.#deps = deps
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
  }
}

export type AddressRequest = {
  readonly domain?: string | undefined
  readonly insteadOf?: string | undefined
  readonly localPart?: string | undefined
}
export type CheckedAddress = { readonly domain: string; readonly localPart: string | undefined }

/** As they are now. */
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

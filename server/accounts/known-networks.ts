import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner, asOwner } from '#server/database/rights.ts'
import { KEPT_MS } from '#server/database/sweep.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { Account } from './sessions.ts'

/** Home, office, phone and a few journeys. A new one replaces the one unused for longest. */
const PER_ACCOUNT_MAX = 10

/**
 * The networks that an account signed in from, as keyed hashes of network and address. Attempts from them have a limit of their own, so
 * that strangers who use up the attempts of an address do not lock its owner out.
 */
export class KnownNetworks {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  async remember({ id, email }: Account, network: string): Promise<void> {
    const row = { user_id: id, seen_at: this.#access.clock() }
    await asOwner(this.#access, accountOwner(id), async step => {
      // It may have been deleted meanwhile.
      if (!(await step.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst())) return
      await step
        .insertInto('known_networks')
        .values({ network_hash: this.#hash(email, network), ...row })
        .onConflict(conflict => conflict.column('network_hash').doUpdateSet(row))
        .execute()
      const networks = step.selectFrom('known_networks').select('network_hash').where('user_id', '=', id).orderBy('seen_at', 'desc')
      const kept = networks.limit(PER_ACCOUNT_MAX)
      await step.deleteFrom('known_networks').where('user_id', '=', id).where('network_hash', 'not in', kept).execute()
    })
  }

  async has(email: string, network: string): Promise<boolean> {
    const { db, clock } = this.#access
    const known = db.selectFrom('known_networks').select('seen_at').where('network_hash', '=', this.#hash(email, network))
    return (await known.where('seen_at', '>', clock() - KEPT_MS.knownNetworks).executeTakeFirst()) !== undefined
  }

  #hash(email: string, network: string): string {
    return this.#access.secretBox.hash('known-network', `${canonicalAddress(email)}\0${network}`)
  }
}

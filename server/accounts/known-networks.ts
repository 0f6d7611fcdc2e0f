import { sql } from 'kysely'
import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner, asOwner } from '#server/database/rights.ts'
import { KEPT_MS } from '#server/database/sweep.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import { largestNetwork, type Networks } from '#server/platform/net/ip-address.ts'
import type { Account } from './sessions.ts'

/** Home, office, phone and a few journeys. */
const PER_ACCOUNT_MAX = 10

/**
 * The networks that an account signed in from, as keyed hashes of network and address. Attempts from them have a limit of their own, so
 * that strangers who use up the attempts of an address do not lock its owner out. When there are too many, those go first beside which the
 * account signed in later from the same IPv4 /24 or IPv6 /48: one line of an intruder, however large, takes one place from the others.
 */
export class KnownNetworks {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  async remember({ id, email }: Account, networks: Networks): Promise<void> {
    const [network] = networks
    const row = { user_id: id, seen_at: this.#access.clock(), around_hash: this.#hash(email, largestNetwork(networks)) }
    await asOwner(this.#access, accountOwner(id), async step => {
      // It may have been deleted meanwhile.
      if (!(await step.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst())) return
      await step
        .insertInto('known_networks')
        .values({ network_hash: this.#hash(email, network), ...row })
        .onConflict(conflict => conflict.column('network_hash').doUpdateSet(row))
        .execute()
      const turn = sql<number>`row_number() over (partition by around_hash order by seen_at desc)`
      const own = step
        .selectFrom('known_networks')
        .select(['network_hash', 'seen_at', turn.as('turn')])
        .where('user_id', '=', id)
      const inTurn = step.selectFrom(own.as('own')).select('network_hash').orderBy('turn').orderBy('seen_at', 'desc')
      const kept = inTurn.limit(PER_ACCOUNT_MAX)
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

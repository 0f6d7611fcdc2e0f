import { domainToASCII } from 'node:url'
import type { Selectable } from 'kysely'
import type { BlockKind } from '#contract/operator.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { invalid } from '#server/errors.ts'
import { type Block, canonicalSender } from '#server/mail/policy.ts'
import { IpRanges, isIpRange } from '#server/platform/net/ip-address.ts'
import type { AuditedBy, AuditLog } from './audit-log.ts'
import { bumpRevision } from './settings.ts'

/** Limited, because every message is compared with all patterns and networks. */
const BLOCKS_MAX = 5000
const VALUE_CHARS_MAX = 320
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A larger range is more likely a mistake. */
const WIDEST = { ipv4Bits: 8, ipv6Bits: 16 } as const

export type StoredBlock = Block & { readonly id: number; readonly createdAt: number }
type BlocksDeps = DatabaseAccess & { readonly audit: AuditLog }

export class Blocks {
  readonly #deps: BlocksDeps

  constructor(deps: BlocksDeps) {
    this.#deps = deps
  }

  /** Adding the same block again only changes its end. AppError `invalid_request` with a sentence about valid values of this kind. */
  async add(actor: AuditedBy, { kind, value: given, endsAt }: Block): Promise<StoredBlock> {
    const { db, clock, audit } = this.#deps
    const value = checkedValue(kind, given)
    if (endsAt !== null && endsAt <= clock()) throw invalid('The end of a block must lie in the future.')
    return db.transaction().execute(async step => {
      // First, because it locks: of two operators, the second one counts what the first has added.
      await bumpRevision(step)
      const { count } = await step.selectFrom('blocks').select(step.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      if (Number(count) >= BLOCKS_MAX) throw invalid(`There are ${BLOCKS_MAX} blocks. Remove one first.`)
      const row = await step
        .insertInto('blocks')
        .values({ kind, value, created_at: clock(), ends_at: endsAt })
        .onConflict(conflict => conflict.columns(['kind', 'value']).doUpdateSet({ ends_at: endsAt }))
        .returningAll()
        .executeTakeFirstOrThrow()
      await audit.add(actor, 'block.add', `${kind} ${value}`, step)
      return toBlock(row)
    })
  }

  /** `false` if there is none with this number. */
  async remove(actor: AuditedBy, id: number): Promise<boolean> {
    const { db, audit } = this.#deps
    return db.transaction().execute(async step => {
      const gone = await step.deleteFrom('blocks').where('id', '=', id).returning(['kind', 'value']).executeTakeFirst()
      if (!gone) return false
      await audit.add(actor, 'block.remove', `${gone.kind} ${gone.value}`, step)
      await bumpRevision(step)
      return true
    })
  }

  /** Active blocks, newest first. */
  async list(): Promise<StoredBlock[]> {
    const { db, clock } = this.#deps
    const rows = await db.selectFrom('blocks').selectAll().orderBy('id', 'desc').execute()
    return rows.map(toBlock).filter(({ endsAt }) => endsAt === null || endsAt > clock())
  }
}

function toBlock({ id, kind, value, created_at, ends_at }: Selectable<DatabaseSchema['blocks']>): StoredBlock {
  return { id, kind: kind as BlockKind, value, createdAt: created_at, endsAt: ends_at }
}

function checkedValue(kind: BlockKind, given: string): string {
  const value = given.trim().toLowerCase()
  if (value === '' || value.length > VALUE_CHARS_MAX || /[\s\p{Cc}]/u.test(value)) throw invalid('A block needs a value without spaces.')
  if (kind === 'network') return checkedNetwork(value)
  if (kind === 'domain') return checkedDomain(value.replace(/^@/, ''))
  if (kind === 'recipient') {
    if (/^[*@.]*$/.test(value)) throw invalid('A recipient pattern that matches every address is refused: close the service instead.')
    return value
  }
  const at = value.lastIndexOf('@')
  if (at < 1 || value.includes('*'))
    throw invalid('A sender is one whole address, e.g. ann@spam.example. To block a domain use the kind "domain".')
  return canonicalSender(`${value.slice(0, at)}@${checkedDomain(value.slice(at + 1))}`)
}

function checkedDomain(value: string): string {
  const domain = domainToASCII(value)
  if (!DOMAIN.test(domain)) throw invalid('A domain looks like spam.example; it includes its subdomains.')
  return domain
}

function checkedNetwork(value: string): string {
  if (!isIpRange(value)) throw invalid('A network is an address or a range, e.g. 192.0.2.0/24 or 2001:db8::/32.')
  const bits = Number(/\/(\d+)$/.exec(value)?.[1] ?? 128)
  if (bits < (value.includes(':') ? WIDEST.ipv6Bits : WIDEST.ipv4Bits)) throw invalid('This range is too wide: at most /8, or /16 of IPv6.')
  if (['127.0.0.1', '::1'].some(own => new IpRanges([value]).has(own))) throw invalid('This range holds the server itself.')
  return value
}

import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { SecretBox } from '#server/platform/cryptography.ts'
import { networksServed } from '#server/platform/limits/clients.ts'

/** So short that it names nobody: 64 IPv4 networks share each of its values, which is fair enough to tell a flood from everybody else. */
const MARK_CHARS = 3

/** A mark of the largest network around the client that is served now, a /24 or a /48. */
export function networkMark(secretBox: SecretBox): string {
  return secretBox.hash('operator-message-network', networksServed().at(-1) ?? '').slice(0, MARK_CHARS)
}

type FairTable = 'contact_messages' | 'abuse_reports' | 'operator_messages'

/** `last`: the rows that are worth least: deleted first, and listed when there is room for them. `bytes`: the size of a row. */
type Room = {
  readonly rowsMax: number
  readonly last?: RawBuilder<unknown>
  readonly bytes?: RawBuilder<unknown>
  readonly bytesMax?: number
}

/** When a table is full, the network with the most rows loses its oldest, so that a flood pushes out itself. */
export async function makeRoom(db: Kysely<DatabaseSchema>, table: FairTable, room: Room): Promise<void> {
  const { rowsMax, bytes = sql`0`, bytesMax = 0 } = room
  // Nearly always there is room, and to learn this costs far less than to put all rows in order.
  const isFull = sql`select count(*) > ${rowsMax} or sum(${bytes}) > ${bytesMax} as "isFull" from ${sql.table(table)}`
  const { rows } = await sql<{ isFull: unknown }>`${isFull}`.execute(db)
  if (!rows[0]?.isFull) return
  await sql`delete from ${sql.table(table)} where id not in ${fairIds(table, room)}`.execute(db)
}

/** The ids of the rows that fit into `room` when networks take turns: first the newest row of each, then the second of each, and so on. */
export function fairIds(table: FairTable, { rowsMax, last = sql`false`, bytes = sql`0`, bytesMax = 0 }: Room): RawBuilder<number> {
  const rows = sql`select id, network, ${last} as is_last, ${bytes} as size from ${sql.table(table)}`
  const turns = sql`select *, row_number() over (partition by network order by is_last, id desc) as turn from (${rows}) as all_rows`
  const order = sql`over (order by is_last, turn, id desc)`
  const placed = sql`select id, row_number() ${order} as place, sum(size) ${order} as total from (${turns}) as in_turn`
  return sql`(select id from (${placed}) as placed where place <= ${rowsMax} and total <= ${bytesMax})`
}

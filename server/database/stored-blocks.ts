import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'

const BUSY_MS_MAX = 1000
const rowsSchema = z.array(
  z.object({ kind: z.enum(['sender', 'domain', 'network', 'recipient']), value: z.string(), endsAt: z.nullable(z.number()) }),
)

/**
 * The operator's blocks of the last run, read within milliseconds, because mail is accepted before the database is open and must not bypass
 * them. Empty if there is no database yet. One that cannot be read stops the start itself a moment later.
 */
export function readStoredBlocks(dataDir: string): z.infer<typeof rowsSchema> {
  const path = join(dataDir, 'site.db')
  if (!existsSync(path)) return []
  try {
    const database = new DatabaseSync(path, { timeout: BUSY_MS_MAX })
    try {
      return rowsSchema.parse(database.prepare('select kind, value, ends_at as endsAt from blocks').all())
    } finally {
      database.close()
    }
  } catch {
    return []
  }
}

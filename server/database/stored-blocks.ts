import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'

const BUSY_MS_MAX = 1000
const rowsSchema = z.array(
  z.object({ kind: z.enum(['sender', 'domain', 'network', 'recipient']), value: z.string(), endsAt: z.nullable(z.number()) }),
)

/**
 * The operator's blocks as the last run left them, read within milliseconds: mail is taken before the database is open, and must not pass
 * them. None if there is no database yet; one that cannot be read refuses the start itself in a moment.
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

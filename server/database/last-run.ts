import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { DATABASE_FILES } from '#server/platform/formats.ts'
import { REMOVED_DOMAIN } from './schema.ts'

const BUSY_MS_MAX = 1000
const blocksSchema = z.array(
  z.object({ kind: z.enum(['sender', 'domain', 'network', 'recipient']), value: z.string(), endsAt: z.nullable(z.number()) }),
)
const domainsSchema = z
  .array(
    z.object({
      name: z.string(),
      state: z.enum(['offered', 'receiving', 'retired']),
      hasSubdomains: z.pipe(
        z.number(),
        z.transform(flag => flag === 1),
      ),
      endsAt: z.nullable(z.number()),
    }),
  )
  .check(z.minLength(1))

type LastRun = { readonly blocks: z.infer<typeof blocksSchema>; readonly domains: z.infer<typeof domainsSchema> | undefined }

/**
 * The operator's blocks and domains of the last run, read within milliseconds, because mail is accepted before the database is open.
 * `undefined` if there is no database yet. One that cannot be read stops the start itself a moment later.
 */
export function readLastRun(dataDir: string): LastRun | undefined {
  const path = join(dataDir, DATABASE_FILES.site)
  if (!existsSync(path)) return undefined
  try {
    const database = new DatabaseSync(path, { timeout: BUSY_MS_MAX })
    try {
      const blocks = blocksSchema.parse(database.prepare('select kind, value, ends_at as endsAt from blocks').all())
      // A database of an older version has no such table: then the domains are those of MAIL_DOMAINS.
      const isThere = database.prepare("select 1 from sqlite_master where name = 'mail_domains'").get() !== undefined
      const query = `select name, case state when '${REMOVED_DOMAIN}' then 'retired' else state end as state, has_subdomains as hasSubdomains,
        ends_at as endsAt from mail_domains where state <> '${REMOVED_DOMAIN}' or ends_at is not null order by position, name`
      return { blocks, domains: isThere ? domainsSchema.safeParse(database.prepare(query).all()).data : undefined }
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

/** Reads the formats of the mail's and of the site's database without changing anything, before either is opened. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Config } from '#server/platform/config/config.ts'
import { DATABASE_FILES, requireFormat, siteFormat } from '#server/platform/formats.ts'
import { configuredStore } from '#server/store/configured-store.ts'

/** Nothing is stored where there is no format. */
type StoredFormat = { readonly format: number | undefined; readonly writtenBy: string | undefined }

/**
 * `isRunning`: a server has the files open, and a migration of the site may be in its log alone.
 * @throws StartError if one of them has a format that this version does not know, or a database server cannot be reached.
 */
export async function checkStoredFormats(config: Config, { isRunning = false } = {}): Promise<{ mail?: number; site?: number }> {
  const { dataDir, databaseUrl } = config
  const mailFile = configuredStore(config).file
  const mail = mailFile === undefined ? undefined : known('mail', mailFile, readMailFormat(mailFile))
  const site = databaseUrl === undefined ? readSiteFormat(join(dataDir, DATABASE_FILES.site), isRunning) : undefined
  if (site) return { ...mail, ...known('site', join(dataDir, DATABASE_FILES.site), site) }
  // Kysely and the driver take time to load, which a start without them does not spend.
  const { readPostgresFormat } = await import('./database.ts')
  const { place, ...stored } = await readPostgresFormat(databaseUrl ?? '')
  return { ...mail, ...known('site', place, stored) }
}

function known<Kind extends 'mail' | 'site'>(kind: Kind, place: string, { format, writtenBy }: StoredFormat) {
  if (format === undefined) return {}
  requireFormat(kind, { place, format, writtenBy })
  return { [kind]: format }
}

function readMailFormat(path: string): StoredFormat {
  return read(path, db => ({
    format: Number(db.prepare('PRAGMA user_version').get()?.user_version) || undefined,
    writtenBy: readWriter(db),
  }))
}

function readSiteFormat(path: string, isRunning: boolean): StoredFormat {
  const query = (db: DatabaseSync) => {
    const names = db.prepare('SELECT name FROM kysely_migration ORDER BY name').all()
    return { format: siteFormat(names.map(({ name }) => String(name))), writtenBy: readWriter(db) }
  }
  return read(path, query, isRunning ? path : undefined)
}

function readWriter(db: DatabaseSync): string | undefined {
  const value = db.prepare("SELECT value FROM about WHERE name = 'written_by'").get()?.value
  return value === undefined ? undefined : String(value)
}

/**
 * `immutable`: nothing is written beside the file, and another process may have it locked. A migration may still be in its log; and what
 * cannot be read here may be damaged or of another program. Both are reported when it is opened.
 */
function read(path: string, query: (db: DatabaseSync) => StoredFormat, name = `${pathToFileURL(path)}?immutable=1`): StoredFormat {
  if (!existsSync(path)) return { format: undefined, writtenBy: undefined }
  try {
    using db = new DatabaseSync(name, { readOnly: true })
    return query(db)
  } catch {
    return { format: undefined, writtenBy: undefined }
  }
}

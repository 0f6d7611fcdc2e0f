/** What the server's own database knows of itself: which version wrote it, which secret it belongs to, and which mail store. */
import type { Kysely } from 'kysely'
import { StartError, wrongSecret } from '#server/start-error.ts'
import type { DatabaseSchema } from './schema.ts'

export type Identity = {
  /** See `deriveKeyCheck`. */
  readonly keyCheck: string
  /** Given when the mail store is a folder of this process alone, so that a second one must not use the same database. */
  readonly mailStoreId?: string | undefined
}

type Fact = 'written_by' | 'key_check' | 'mail_store_id'
type Db = Kysely<DatabaseSchema>

/** `undefined` when the database does not say. */
export async function readFact(db: Db, name: Fact): Promise<string | undefined> {
  return (await db.selectFrom('about').select('value').where('name', '=', name).executeTakeFirst())?.value
}

export async function setFact(db: Db, name: Fact, value: string): Promise<void> {
  await db
    .insertInto('about')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** @throws StartError when the database belongs to another secret or another mail store. The first to come is the one it belongs to. */
export async function checkIdentity(db: Db, { keyCheck, mailStoreId }: Identity, place: string): Promise<void> {
  if ((await claim(db, 'key_check', keyCheck)) !== keyCheck) throw new StartError(wrongSecretIn(place))
  if (mailStoreId === undefined || (await claim(db, 'mail_store_id', mailStoreId)) === mailStoreId) return
  throw new StartError(
    `${place} belongs to the mail store in another data folder, and two mail stores on one database would each refuse the addresses of the other. ` +
      'Start with that data folder, or give this server a database of its own with DATABASE_URL. ' +
      'If the other data folder is gone for good, run: npm run mayfly -- adopt-mail-store',
  )
}

/** The place of a PostgreSQL begins a sentence. */
function wrongSecretIn(place: string): string {
  return place.startsWith('The ') ? wrongSecret(`t${place.slice(1)}`, 'name an empty database in DATABASE_URL') : wrongSecret(place)
}

async function claim(db: Db, name: Fact, value: string): Promise<string | undefined> {
  await db
    .insertInto('about')
    .values({ name, value })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return await readFact(db, name)
}

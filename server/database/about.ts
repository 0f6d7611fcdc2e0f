/** What the site database records about itself: the version that wrote it, and the secret and mail store it belongs to. */
import type { Kysely } from 'kysely'
import { StartError, wrongSecretMessage } from '#server/platform/start-error.ts'
import type { DatabaseSchema } from './schema.ts'

export type Identity = {
  /** See `deriveKeyCheck`. */
  readonly keyCheck: string
  /** Set if the mail store is a folder of this process alone, so that no second process may use the same database. */
  readonly mailStoreId?: string | undefined
}

type Fact = 'written_by' | 'key_check' | 'mail_store_id'
type Db = Kysely<DatabaseSchema>

/** `undefined` if the database does not say. */
export async function readFact(db: Db, name: Fact): Promise<string | undefined> {
  return (await db.selectFrom('about').select('value').where('name', '=', name).executeTakeFirst())?.value
}

export async function writeFact(db: Db, name: Fact, value: string): Promise<void> {
  await db
    .insertInto('about')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Compares the identity, or stores it in a new database. @throws StartError if the database belongs to another secret or mail store. */
export async function checkIdentity(db: Db, { keyCheck, mailStoreId }: Identity, place: string): Promise<void> {
  if ((await claim(db, 'key_check', keyCheck)) !== keyCheck) throw new StartError(wrongSecretIn(place))
  if (mailStoreId === undefined || (await claim(db, 'mail_store_id', mailStoreId)) === mailStoreId) return
  throw new StartError(
    `${place} belongs to the mail store in another data folder, and two mail stores on one database would each refuse the addresses of the other. ` +
      'Start with that data folder, or give this server a database of its own with DATABASE_URL. ' +
      'If the other data folder is gone for good, run: npm run mayfly -- adopt-mail-store',
  )
}

/** The location of a PostgreSQL starts a sentence. */
function wrongSecretIn(place: string): string {
  return place.startsWith('The ')
    ? wrongSecretMessage(`t${place.slice(1)}`, 'name an empty database in DATABASE_URL')
    : wrongSecretMessage(place)
}

async function claim(db: Db, name: Fact, value: string): Promise<string | undefined> {
  await db
    .insertInto('about')
    .values({ name, value })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return await readFact(db, name)
}

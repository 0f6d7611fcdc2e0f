/** `adopt-mail-store`: tells the PostgreSQL of accounts that it now belongs to the mail store of this data folder. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase as openSiteDatabase, writeFact } from '#server/database/database.ts'
import { deriveKeyCheck, loadSecret } from '#server/mail/keys/secret.ts'
import type { Config } from '#server/platform/config/config.ts'
import { openDatabase as openMailDatabase, readFact } from '#server/store/sqlite/schema.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { refuseMore, type Write } from './command.ts'
import { CommandError } from './command-error.ts'

export function adoptMailStore(args: readonly string[]): (config: Config, write: Write) => Promise<void> {
  refuseMore(args)
  return adopt
}

async function adopt(config: Config, write: Write): Promise<void> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl === undefined)
    throw new CommandError(EXIT.failed, 'DATABASE_URL is not set: accounts in a data folder always belong to its mail store.')
  if (!existsSync(join(dataDir, 'mail.db'))) {
    throw new CommandError(EXIT.failed, `The data folder ${dataDir} has no mail.db. Set DATA_DIR to the folder of the new mail store.`)
  }
  const keyCheck = deriveKeyCheck(loadSecret(dataDir, config.secret))
  const mail = openMailDatabase(dataDir, { keyCheck })
  const storeId = readFact(mail, 'store_id')
  mail.close()
  await using site = await openSiteDatabase(config, { keyCheck })
  await writeFact(site.db, 'mail_store_id', storeId ?? '')
  write(`The accounts now belong to the mail store in ${dataDir}. Addresses that only the old one had are gone.\n`, { adopted: dataDir })
}

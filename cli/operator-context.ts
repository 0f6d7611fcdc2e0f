import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ApiTokens } from '#server/accounts/api-credentials.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { identifyServer } from '#server/operator/control.ts'
import { Moderation } from '#server/operator/moderation.ts'
import { type OperatorRecords, openOperatorRecords } from '#server/operator/operator.ts'
import type { Config } from '#server/platform/config/config.ts'
import { createSecretBox } from '#server/platform/cryptography.ts'
import { currentFormats, DATABASE_FILES } from '#server/platform/formats.ts'
import { version } from '#server/platform/installation.ts'
import { createLog } from '#server/platform/log.ts'
import { loadSecret, refuseHalfRestored } from '#server/start/data-folder.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'

export type OperatorContext = AsyncDisposable & {
  readonly config: Config
  readonly database: Database
  readonly operator: OperatorRecords
  readonly moderation: Moderation
  readonly apiTokens: ApiTokens
}

/**
 * Opens the site database next to a running server: WAL and a busy timeout let both work. It sends no mail.
 * CommandError if there is no database: a wrong folder must not become a new, empty one.
 */
export async function openOperatorContext(config: Config): Promise<OperatorContext> {
  refuseHalfRestored(config.dataDir)
  refuseMissing(config)
  await refuseOtherFormat(config)
  const secret = loadSecret(config.dataDir, config.secret)
  const database = await openDatabase(config)
  const { db, dialect } = database
  const access = { db, dialect, secretBox: createSecretBox(secret), clock: Date.now, log: createLog(config.logLevel) }
  const operator = openOperatorRecords(access, { config })
  return {
    config,
    database,
    operator,
    moderation: new Moderation({ ...access, audit: operator.audit }),
    apiTokens: new ApiTokens(access),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** Opening the database would migrate it under a server of an older release, which then could not use it. */
async function refuseOtherFormat({ dataDir }: Config): Promise<void> {
  const running = await identifyServer(dataDir)
  if (running?.formats === undefined || running.formats.site === currentFormats().site) return
  throw new CommandError(
    EXIT.failed,
    `A server of version ${running.version} uses this database, and this command of version ${version} would change its format. Use the command of that version, or upgrade the server first.`,
  )
}

function refuseMissing({ dataDir, databaseUrl, secret }: Config): void {
  const needed = [...(databaseUrl === undefined ? [DATABASE_FILES.site] : []), ...(secret === undefined ? ['secret'] : [])]
  const missing = needed.filter(name => !existsSync(join(dataDir, name)))
  if (missing.length === 0) return
  throw new CommandError(
    EXIT.failed,
    `The data folder ${dataDir} has no ${missing.join(' and no ')}. Set DATA_DIR to the server's folder and run this as the server's user, or start the server once.`,
  )
}

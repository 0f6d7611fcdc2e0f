import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { openDatabase, type SiteDatabase } from '#server/database/database.ts'
import { createSecretBox } from '#server/database/secret-box.ts'
import { createLog } from '#server/log.ts'
import { loadSecret } from '#server/mail/keys/secret.ts'
import { createPrintLinks } from '#server/mail-out/print-links.ts'
import { type ContactMessages, createContactMessages } from '#server/operator/contact-messages.ts'
import { createOperatorInbox, type OperatorInbox } from '#server/operator/operator-inbox.ts'
import { createOutbox } from '#server/operator/outbox.ts'
import { CommandError } from './command-error.ts'

export type OperatorView = AsyncDisposable & {
  readonly database: SiteDatabase
  readonly contact: ContactMessages
  readonly operatorInbox: OperatorInbox
}

/**
 * The site's data beside a running server: WAL and a busy timeout let both work. Nothing is sent from here.
 * CommandError when there is nothing to look at: a wrong folder must not become a new, empty one.
 */
export async function openOperatorView(config: Config): Promise<OperatorView> {
  refuseMissing(config)
  const secret = loadSecret(config.dataDir, config.secret)
  const database = await openDatabase(config)
  const { db } = database
  const clock = Date.now
  const vault = createSecretBox(Buffer.from(secret))
  const log = createLog('silent')
  const outbox = createOutbox({ db, vault, clock, log, mailOut: createPrintLinks(() => undefined) })
  const parts = { db, clock, outbox, forwardTo: undefined, siteName: config.siteName }
  return {
    database,
    contact: createContactMessages(parts),
    operatorInbox: createOperatorInbox({ ...parts, vault }),
    async [Symbol.asyncDispose]() {
      await outbox[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

function refuseMissing({ dataDir, databaseUrl, secret }: Config): void {
  const needed = [...(databaseUrl === undefined ? ['site.db'] : []), ...(secret === undefined ? ['secret'] : [])]
  const missing = needed.filter(name => !existsSync(join(dataDir, name)))
  if (missing.length === 0) return
  throw new CommandError(
    1,
    `The data folder ${dataDir} has no ${missing.join(' and no ')}. Set DATA_DIR to the server's folder and run this as the server's user, or start the server once.`,
  )
}

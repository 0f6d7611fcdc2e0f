import type { Config } from '#server/config.ts'
import { createLog } from '#server/log.ts'
import { loadSecret } from '#server/mail/secret.ts'
import { createLogLinks } from '#server/mail-out/log-links.ts'
import { type ContactMessages, createContactMessages } from '#server/site/contact-messages.ts'
import { openSiteDatabase, type SiteDatabase } from '#server/site/database.ts'
import { createOperatorInbox, type OperatorInbox } from '#server/site/operator-inbox.ts'
import { createOutbox } from '#server/site/outbox.ts'
import { createVault } from '#server/site/vault.ts'

export type OperatorView = AsyncDisposable & {
  readonly database: SiteDatabase
  readonly contact: ContactMessages
  readonly operatorInbox: OperatorInbox
}
export type Write = (text: string | Uint8Array) => void
/** Resolves to the exit code; 2 when the arguments were not understood. */
export type Command = (view: OperatorView, args: readonly string[], write: Write) => Promise<number>

/** The site's data beside a running server: WAL and a busy timeout let both work. Nothing is sent from here. */
export async function openOperatorView(config: Config): Promise<OperatorView> {
  const database = await openSiteDatabase(config)
  const { db } = database
  const clock = Date.now
  const vault = createVault(Buffer.from(loadSecret(config.dataDir, config.secret)))
  const log = createLog('silent')
  const outbox = createOutbox({ db, vault, clock, log, mailOut: createLogLinks(log) })
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

/** Strangers' text on a terminal: control characters, which can move the cursor or set colours, become a visible mark. */
export function plain(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, '\uFFFD')
}

export const idOf = (text: string | undefined): number | undefined => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined)
export const timeOf = (millis: number) => new Date(millis).toISOString()

/** What stands on the site's database, opened together: app.ts starts taking mail while this is still being opened. */
import type { Accounts } from '#server/accounts/accounts.ts'
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { ValkeyLimits } from '#server/limiter/valkey-limiter.ts'
import type { Log } from '#server/log.ts'
import type { OperatorInbox, StoredNotice } from '#server/mail/context.ts'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Mail } from '#server/mail/mail.ts'
import { createMailOut } from '#server/mail-out/create-mail-out.ts'
import { articleSlugs } from '#server/operator/article-slugs.ts'
import type { BlogViews } from '#server/operator/blog-views.ts'
import type { Operations, ServerState } from '#server/operator/operations.ts'
import type { OpenWebhooks } from '#server/webhooks/open-webhooks.ts'

type DatabaseRoomsDeps = {
  config: Config
  secret: string
  /** See `Identity` in database/about.ts. */
  mailStoreId: string | undefined
  clock: Clock
  log: Log
  mail: Mail
  passwordHasher: PasswordHasher | undefined
  state: ServerState
  counts: ValkeyLimits | undefined
}

/** What stands on the database: accounts, what reaches the operator, and the views of the blog. */
export type DatabaseRooms = AsyncDisposable & {
  readonly accounts: Accounts
  readonly operations: Operations
  readonly views: BlogViews
  readonly webhooks: OpenWebhooks
}

export async function openDatabaseRooms(deps: DatabaseRoomsDeps): Promise<DatabaseRooms> {
  const { config, clock, log, mail, passwordHasher, mailStoreId, state, counts } = deps
  const [{ openDatabase }, { createSecretBox }, { Outbox }, { openAccounts }, { openOperations }, { BlogViews }, { openWebhooks }] =
    await Promise.all([
      import('#server/database/database.ts'),
      import('#server/database/secret-box.ts'),
      import('#server/operator/outbox.ts'),
      import('#server/accounts/accounts.ts'),
      import('#server/operator/operations.ts'),
      import('#server/operator/blog-views.ts'),
      import('#server/webhooks/open-webhooks.ts'),
    ])
  await using opening = new AsyncDisposableStack()
  const secret = Buffer.from(deps.secret)
  const secretBox = createSecretBox(secret)
  const database = opening.use(await openDatabase({ ...config, log }, { keyCheck: deriveKeyCheck(secret), mailStoreId }))
  const { db } = database
  const mailOut = opening.use(await createMailOut(config))
  const outbox = opening.use(new Outbox({ database, secretBox, clock, log, mailOut }))
  const accounts = opening.use(openAccounts({ config, database, secretBox, secret, clock, log, outbox, mail, passwordHasher }))
  const operations = opening.use(await openOperations({ config, database, secretBox, clock, log, outbox, accounts, mail, state }))
  const webhooks = opening.use(openWebhooks({ config, database, secretBox, clock, log, accounts }))
  const views = new BlogViews(db, clock, await articleSlugs(), counts && { secret: deps.secret, counts })
  void outbox.flush()
  const opened = opening.move()
  return { accounts, operations, views, webhooks, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Mail to the operator can arrive while the database is still being opened: it waits. */
export function waitingInbox(rooms: Promise<DatabaseRooms>): OperatorInbox {
  return { receive: async mail => (await rooms).operations.operator.inbox.receive(mail) }
}

/** So do webhooks; of a start that fails, nobody is told. */
export function tellWebhooks(rooms: Promise<DatabaseRooms>, notice: StoredNotice): void {
  rooms.then(
    ({ webhooks }) => webhooks.events.messageStored(notice),
    () => undefined,
  )
}

/** Opens every feature that needs the database. SMTP may accept mail meanwhile: see deferred-features.ts. */
import type { Accounts } from '#server/accounts/accounts.ts'
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { articleSlugs } from '#server/operator/article-slugs.ts'
import type { BlogViews } from '#server/operator/blog-views.ts'
import type { OperatorParts } from '#server/operator/operator-parts.ts'
import { createMailOut } from '#server/outbound/mail-out.ts'
import type { OpenPush } from '#server/outbound/push.ts'
import type { OpenWebhooks } from '#server/outbound/webhooks.ts'
import type { Basics, MailStorage, Meters } from './start-phases.ts'

type DatabaseFeaturesDeps = {
  readonly storage: MailStorage
  readonly meters: Meters
  readonly mail: MailCore
  /** See `AppDeps`. */
  readonly passwordHasher: PasswordHasher | undefined
}

/** Accounts, the operator's pages and mail, blog views, webhooks and notifications. */
export type DatabaseFeatures = AsyncDisposable & {
  readonly accounts: Accounts
  readonly operations: OperatorParts
  readonly views: BlogViews
  readonly webhooks: OpenWebhooks
  readonly push: OpenPush | undefined
}

export async function openDatabaseFeatures(basics: Basics, deps: DatabaseFeaturesDeps): Promise<DatabaseFeatures> {
  const { config, clock, log } = basics
  const { mail, passwordHasher } = deps
  const { store, health, sharedLimits } = deps.storage
  const { metrics, statistics, streams } = deps.meters
  const [
    { openDatabase },
    { createSecretBox },
    { Outbox },
    { openAccounts },
    { openOperatorParts },
    { BlogViews },
    { openWebhooks },
    { openPush },
  ] = await Promise.all([
    import('#server/database/database.ts'),
    import('#server/database/secret-box.ts'),
    import('#server/outbound/outbox.ts'),
    import('#server/accounts/accounts.ts'),
    import('#server/operator/operator-parts.ts'),
    import('#server/operator/blog-views.ts'),
    import('#server/outbound/webhooks.ts'),
    import('#server/outbound/push.ts'),
  ])
  await using opening = new AsyncDisposableStack()
  const secret = Buffer.from(basics.secret)
  // Only a database on the network may belong to another mail store: see `Identity` in database/database.ts.
  const mailStoreId = config.databaseUrl === undefined ? undefined : store.storeId
  const state = { counter: statistics, health: () => health.latest, streams: () => streams.count }
  const secretBox = createSecretBox(secret)
  const database = opening.use(await openDatabase({ ...config, log }, { keyCheck: deriveKeyCheck(secret), mailStoreId }))
  const { db } = database
  const mailOut = opening.use(createMailOut(config))
  const outbox = opening.use(new Outbox({ database, secretBox, clock, log, mailOut, retried: () => metrics.sendingRetried('mail') }))
  const accounts = opening.use(openAccounts({ config, database, secretBox, secret, clock, log, outbox, mail, passwordHasher }))
  const operations = opening.use(await openOperatorParts({ config, database, secretBox, clock, log, outbox, accounts, mail, state }))
  const webhooks = opening.use(
    openWebhooks({ config, database, secretBox, clock, log, accounts, store, retried: () => metrics.sendingRetried('webhook') }),
  )
  const push = openPush({ config, database, secretBox, secret, clock, log, retried: () => metrics.sendingRetried('push') })
  if (push) opening.use(push)
  const views = new BlogViews(db, clock, await articleSlugs(), sharedLimits && { secret: basics.secret, counts: sharedLimits })
  void outbox.flush()
  const opened = opening.move()
  return { accounts, operations, views, webhooks, push, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

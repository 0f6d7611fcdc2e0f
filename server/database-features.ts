/** Opens every feature that needs the site database. The SMTP server already accepts mail while this is being opened. */
import type { Accounts } from '#server/accounts/accounts.ts'
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { ValkeyLimits } from '#server/limiter/valkey-limiter.ts'
import type { Log } from '#server/log.ts'
import type { MailListener, OperatorInbox } from '#server/mail/context.ts'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Mail } from '#server/mail/mail.ts'
import { createMailOut } from '#server/mail-out/create-mail-out.ts'
import { articleSlugs } from '#server/operator/article-slugs.ts'
import type { BlogViews } from '#server/operator/blog-views.ts'
import type { Operations, ServerState } from '#server/operator/operations.ts'
import type { OpenPush } from '#server/push/open-push.ts'
import type { MailStore } from '#server/store/store.ts'
import type { OpenWebhooks } from '#server/webhooks/open-webhooks.ts'

type DatabaseFeaturesDeps = {
  config: Config
  secret: string
  /** See `Identity` in database/about.ts. */
  mailStoreId: string | undefined
  clock: Clock
  log: Log
  mail: Mail
  store: Pick<MailStore, 'readMessage'>
  passwordHasher: PasswordHasher | undefined
  state: ServerState
  counts: ValkeyLimits | undefined
}

/** Accounts, the operator's pages and mail, blog views, webhooks and notifications. */
export type DatabaseFeatures = AsyncDisposable & {
  readonly accounts: Accounts
  readonly operations: Operations
  readonly views: BlogViews
  readonly webhooks: OpenWebhooks
  readonly push: OpenPush | undefined
}

export async function openDatabaseFeatures(deps: DatabaseFeaturesDeps): Promise<DatabaseFeatures> {
  const { config, clock, log, mail, store, passwordHasher, mailStoreId, state, counts } = deps
  const [
    { openDatabase },
    { createSecretBox },
    { Outbox },
    { openAccounts },
    { openOperations },
    { BlogViews },
    { openWebhooks },
    { openPush },
  ] = await Promise.all([
    import('#server/database/database.ts'),
    import('#server/database/secret-box.ts'),
    import('#server/operator/outbox.ts'),
    import('#server/accounts/accounts.ts'),
    import('#server/operator/operations.ts'),
    import('#server/operator/blog-views.ts'),
    import('#server/webhooks/open-webhooks.ts'),
    import('#server/push/open-push.ts'),
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
  const webhooks = opening.use(openWebhooks({ config, database, secretBox, clock, log, accounts, store }))
  const push = openPush({ config, database, secretBox, secret, clock, log })
  if (push) opening.use(push)
  const views = new BlogViews(db, clock, await articleSlugs(), counts && { secret: deps.secret, counts })
  void outbox.flush()
  const opened = opening.move()
  return { accounts, operations, views, webhooks, push, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Mail to the operator can arrive while the database is still being opened; it then waits. */
export function waitingInbox(features: Promise<DatabaseFeatures>): OperatorInbox {
  return { receive: async mail => (await features).operations.operator.inbox.receive(mail) }
}

/**
 * Notifies webhooks and browsers of new mail, and forgets the browsers of a destroyed mailbox. Mail waits until the database is open; if
 * opening fails, nobody is notified.
 */
export function listenToMail(features: Promise<DatabaseFeatures>): MailListener {
  let open: DatabaseFeatures | undefined
  features.then(
    opened => {
      open = opened
    },
    () => undefined,
  )
  return {
    enqueueArrival: arrival => {
      if (open) return open.webhooks.events.enqueueArrival(arrival)
      return features.then(
        ({ webhooks }) => webhooks.events.enqueueArrival(arrival),
        () => undefined,
      )
    },
    get mayEnqueueArrivals() {
      return !open || open.webhooks.events.mayEnqueueArrivals
    },
    mailStored: mailboxId => {
      if (open) return open.push?.mailArrived(mailboxId)
      features.then(
        ({ push }) => push?.mailArrived(mailboxId),
        () => undefined,
      )
    },
    // Before the database is open, nobody can have subscribed in this process. Subscriptions in other processes expire with the mailbox.
    mailboxDestroyed: mailboxId => open?.push?.mailboxDestroyed(mailboxId),
  }
}

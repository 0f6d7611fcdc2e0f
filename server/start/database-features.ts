/** Opens every feature that needs the database. SMTP may accept mail meanwhile: see `DeferredFeatures`. */
import type { Accounts } from '#server/accounts/accounts.ts'
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import type { Rows } from '#server/database/database.ts'
import { readLastRun } from '#server/database/last-run.ts'
import { AppError } from '#server/errors.ts'
import type { StreamLimit } from '#server/http/connections/stream-limit.ts'
import { createMailDomains, type DomainDirectory, initialDomains, type MailDomains } from '#server/mail/addresses/mail-domains.ts'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Arrival, MailCore, MailListener, OperatorInbox, OperatorMail, SettleArrival } from '#server/mail/mail-core.ts'
import { createPolicy, defaultSettings, type Policy } from '#server/mail/policy.ts'
import type { BlogViews } from '#server/operator/blog-views.ts'
import { articleSlugs } from '#server/operator/blog-views.ts'
import type { Operator } from '#server/operator/operator.ts'
import type { Telemetry } from '#server/operator/telemetry.ts'
import { createMailOut } from '#server/outbound/mail-out.ts'
import type { OpenPush } from '#server/outbound/push.ts'
import type { OpenWebhooks } from '#server/outbound/webhooks.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Basics } from '#server/platform/basics.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { MailStorage } from './open-mail-store.ts'

type DatabaseFeaturesDeps = {
  readonly storage: MailStorage
  readonly telemetry: Telemetry
  readonly streams: StreamLimit
  readonly mail: MailCore
  readonly domains: DomainDirectory
  /** See `AppDeps`. */
  readonly passwordHasher: PasswordHasher | undefined
}

/** Accounts, the operator's pages and mail, blog views, webhooks and notifications. */
export type DatabaseFeatures = AsyncDisposable & {
  readonly accounts: Accounts
  readonly operator: Operator
  readonly views: BlogViews
  readonly webhooks: OpenWebhooks
  readonly push: OpenPush | undefined
  /** Resolves when nothing in the database is about it; a failure is only logged. */
  mailboxDestroyed(mailboxId: MailboxId): Promise<void>
}

export async function openDatabaseFeatures(basics: Basics, deps: DatabaseFeaturesDeps): Promise<DatabaseFeatures> {
  const { config, clock, log } = basics
  const { telemetry, streams, mail, domains, passwordHasher } = deps
  const { store, health, sharedLimits } = deps.storage
  const [
    { openDatabase },
    { createSecretBox },
    { forgetMailbox },
    { Sweep },
    { ChosenNames },
    { Outbox },
    { openAccounts },
    { openOperator },
    { BlogViews },
    { openWebhooks },
    { openPush },
  ] = await Promise.all([
    import('#server/database/database.ts'),
    import('#server/database/secret-box.ts'),
    import('#server/database/mailbox-rows.ts'),
    import('#server/database/sweep.ts'),
    import('#server/accounts/chosen-names.ts'),
    import('#server/outbound/outbox.ts'),
    import('#server/accounts/accounts.ts'),
    import('#server/operator/operator.ts'),
    import('#server/operator/blog-views.ts'),
    import('#server/outbound/webhooks.ts'),
    import('#server/outbound/push.ts'),
  ])
  await using opening = new AsyncDisposableStack()
  const secret = Buffer.from(basics.secret)
  // Only a database on the network may belong to another mail store: see `Identity` in database/database.ts.
  const mailStoreId = config.databaseUrl === undefined ? undefined : store.storeId
  const state = { telemetry, health: () => health.latest, streams: () => streams.count }
  const secretBox = createSecretBox(secret)
  const database = opening.use(await openDatabase({ ...config, log }, { keyCheck: deriveKeyCheck(secret), mailStoreId }))
  const { db, dialect } = database
  const rows: Rows = { db, dialect, secretBox, clock, log }
  const background = opening.adopt(new BackgroundWork(log), work => work.idle())
  const mailOut = opening.use(createMailOut(config))
  const outbox = opening.use(new Outbox({ ...rows, mailOut, telemetry }))
  const accounts = opening.use(openAccounts(rows, { config, domains: () => domains.domains, outbox, mail, passwordHasher }))
  const operator = opening.use(await openOperator(rows, { config, outbox, accounts, mail, state, limiter: sharedLimits }))
  const findApiMailbox = (mailboxId: MailboxId) => accounts.apiMailboxes.find(mailboxId)
  const webhooks = opening.use(openWebhooks(rows, { config, findApiMailbox, store, telemetry }))
  const contact = operator.rules.domains.supportEmail
  const push = openPush(rows, { config, secret, contact, telemetry })
  if (push) opening.use(push)
  const views = new BlogViews(rows, await articleSlugs(), sharedLimits)
  void outbox.flush()
  // Last, so that a start that is refused removes nothing.
  opening.use(new Sweep({ ...rows, contactDays: config.contactDays, limitNames: () => new ChosenNames(rows).makeRoom() }))
  const opened = opening.move()
  return {
    accounts,
    operator,
    views,
    webhooks,
    push,
    mailboxDestroyed: mailboxId => background.run(forgetMailbox(rows, mailboxId), 'Rows about a destroyed mailbox could not be removed'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/**
 * What the mail core and SMTP need of the features in the database. A SQLite database is opened a moment after SMTP has greeted its first
 * senders. Until then:
 * - The blocks and domains of the last run hold, with the default settings.
 * - Mail to the operator waits. If the database cannot be opened, it gets a temporary refusal.
 * - Mail to mailboxes waits for its webhooks and is stored in any case. If the database cannot be opened, nobody is notified.
 * - A mailbox that is destroyed has no subscription in this process. Those in other processes, and results of requests, expire with it.
 */
export class DeferredFeatures implements OperatorInbox, MailListener, DomainDirectory {
  readonly #storedPolicy: Policy
  readonly #storedDomains: MailDomains
  readonly #opened = Promise.withResolvers<DatabaseFeatures>()
  #features: DatabaseFeatures | undefined

  /** A database on the network is open before SMTP is, so that its blocks need not be kept. */
  constructor(config: Config, clock: () => number) {
    const last = config.databaseUrl === undefined ? readLastRun(config.dataDir) : undefined
    const domains = createMailDomains(last?.domains ?? initialDomains(config.domains), config, clock)
    this.#storedPolicy = createPolicy(last?.blocks ?? [], defaultSettings, clock, domain => domains.receiving(domain)?.name)
    this.#storedDomains = domains
    this.#opened.promise.catch(() => undefined)
  }

  open(features: DatabaseFeatures): void {
    this.#features = features
    this.#opened.resolve(features)
  }

  /** Call when they cannot be opened: what waits for them fails. Does nothing if they are open. */
  giveUp(): void {
    this.#opened.reject(new AppError('unavailable'))
  }

  get policy(): Policy {
    return this.#features?.operator.rules.policy ?? this.#storedPolicy
  }

  get domains(): MailDomains {
    return this.#features?.operator.rules.domains ?? this.#storedDomains
  }

  async readAgain(): Promise<MailDomains> {
    await this.#features?.operator.rules.refresh()
    return this.domains
  }

  async keepUntil(name: string, expiresAt: number): Promise<void> {
    const { operator } = this.#features ?? (await this.#opened.promise)
    await operator.storedDomains.keepUntil(name, expiresAt)
  }

  async receive(mail: OperatorMail) {
    const { operator } = await this.#opened.promise
    return await operator.inbox.receive(mail)
  }

  get mayEnqueueArrivals(): boolean {
    return this.#features?.webhooks.events.mayEnqueueArrivals ?? true
  }

  enqueueArrival(arrival: Arrival): Promise<SettleArrival | undefined> | undefined {
    if (this.#features) return this.#features.webhooks.events.enqueueArrival(arrival)
    return this.#opened.promise.then(
      ({ webhooks }) => webhooks.events.enqueueArrival(arrival),
      () => undefined,
    )
  }

  mailStored(mailboxId: MailboxId): void {
    if (this.#features) this.#features.push?.mailArrived(mailboxId)
    else
      this.#opened.promise.then(
        ({ push }) => push?.mailArrived(mailboxId),
        () => undefined,
      )
  }

  async mailboxDestroyed(mailboxId: MailboxId): Promise<void> {
    await this.#features?.mailboxDestroyed(mailboxId)
  }
}

/**
 * Opens every feature that needs the database. The start imports this module, and with it half of the server, while the mail store opens.
 */
import { type Accounts, openAccounts } from '#server/accounts/accounts.ts'
import { ChosenNames } from '#server/accounts/chosen-names.ts'
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import { type Database, type DatabaseAccess, openDatabase } from '#server/database/database.ts'
import { forgetMailboxes } from '#server/database/mailbox-rows.ts'
import { createSecretBox } from '#server/database/secret-box.ts'
import { Sweep } from '#server/database/sweep.ts'
import type { StreamLimit } from '#server/http/connections/stream-limit.ts'
import type { DomainDirectory, MailDomains } from '#server/mail/addresses/mail-domains.ts'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Arrival, MailCore, MailListener, OperatorMail, OperatorMailReceiver, SettleArrival } from '#server/mail/mail-core.ts'
import type { Policy } from '#server/mail/policy.ts'
import { articleSlugs, BlogViewCounts } from '#server/operator/blog-views.ts'
import { seedDomains } from '#server/operator/domains.ts'
import { type Operator, openOperator } from '#server/operator/operator.ts'
import { createMailOut } from '#server/outbound/mail-out.ts'
import { Outbox } from '#server/outbound/outbox.ts'
import { type OpenPush, openPush } from '#server/outbound/push.ts'
import { type OpenWebhooks, openWebhooks } from '#server/outbound/webhooks.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Basics } from '#server/platform/basics.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { MailStorage } from './open-mail-store.ts'

type DatabaseFeaturesDeps = {
  readonly storage: MailStorage
  readonly telemetry: Telemetry
  readonly streams: StreamLimit
  readonly mail: MailCore
  readonly domains: DomainDirectory
  /** See `Replacements` in app.ts. */
  readonly passwordHasher: PasswordHasher | undefined
}

/** Accounts, the operator's pages and mail, blog views, webhooks and notifications. */
export type DatabaseFeatures = AsyncDisposable & {
  /** The same with the names that the database decides: see `SeededDomains`. */
  readonly basics: Basics
  readonly accounts: Accounts
  readonly operator: Operator
  readonly views: BlogViewCounts
  readonly webhooks: OpenWebhooks
  readonly push: OpenPush | undefined
  isDatabaseAway(): boolean
  /** Resolves when nothing in the database is about it; a failure is only logged. */
  mailboxDestroyed(mailboxId: MailboxId): Promise<void>
}

export async function openDatabaseFeatures(basics: Basics, deps: DatabaseFeaturesDeps): Promise<DatabaseFeatures> {
  const { secret, log } = basics
  await using opening = new AsyncDisposableStack()
  // Only a database on the network may belong to another mail store: see `Identity` in database/database.ts.
  const mailStoreId = basics.config.databaseUrl === undefined ? undefined : deps.storage.store.storeId
  const database = opening.use(await openDatabase({ ...basics.config, log }, { keyCheck: deriveKeyCheck(secret), mailStoreId }))
  try {
    const features = await openOn(database, opening, basics, deps)
    database.logOutages()
    return features
  } catch (error) {
    throw database.explain(error)
  }
}

/** What it opens goes to `opening`, and ends with the features. */
async function openOn(
  { db, dialect, isAway: isDatabaseAway }: Database,
  opening: AsyncDisposableStack,
  basics: Basics,
  deps: DatabaseFeaturesDeps,
): Promise<DatabaseFeatures> {
  const { secret, clock, log } = basics
  const { telemetry, streams, mail, domains, passwordHasher } = deps
  const { store, health, sharedLimits } = deps.storage
  const secretBox = createSecretBox(secret)
  const state = { telemetry, health: () => health.latest, streams: () => streams.count, isDatabaseAway }
  const access: DatabaseAccess = { db, dialect, secretBox, clock, log }
  const seeded = await seedDomains(access, basics.config)
  const { config } = seeded
  const background = opening.adopt(new BackgroundWork(log), work => work.idle())
  const mailOut = opening.use(createMailOut(config))
  const outbox = opening.use(new Outbox({ ...access, mailOut, telemetry }))
  const accounts = opening.use(openAccounts(access, { config, domains: () => domains.domains, outbox, mail, passwordHasher }))
  const operator = opening.use(await openOperator(access, { seeded, outbox, accounts, mail, state, sharedLimits }))
  const findApiMailbox = (mailboxId: MailboxId) => accounts.apiMailboxes.find(mailboxId)
  const webhooks = opening.use(openWebhooks(access, { config, findApiMailbox, store, isLive: mail.isLive, telemetry }))
  const contact = operator.rules.domains.supportEmail
  const push = openPush(access, { config, secret, contact, isLive: mail.isLive, telemetry })
  if (push) opening.use(push)
  const views = new BlogViewCounts(access, await articleSlugs(), sharedLimits)
  void outbox.flush()
  // Last, so that a start that is refused removes nothing.
  const limitNames = () => new ChosenNames(access).makeRoom()
  const destroyEnding = () => accounts.ownedMailboxes.destroyEnding()
  opening.use(new Sweep({ ...access, contactDays: config.contactDays, limitNames, destroyEnding }))
  const opened = opening.move()
  return {
    basics: { ...basics, config },
    accounts,
    operator,
    views,
    webhooks,
    push,
    isDatabaseAway,
    mailboxDestroyed: mailboxId =>
      background.run(forgetMailboxes(access, [mailboxId]), 'Rows about a destroyed mailbox could not be removed'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/**
 * What the mail core and SMTP need of the features. The features need the mail core too, so it is created first and gets them here. Nobody
 * sends, creates or destroys anything before `open` is called.
 */
export class LateFeatures implements OperatorMailReceiver, MailListener, DomainDirectory {
  #opened: DatabaseFeatures | undefined

  open(features: DatabaseFeatures): void {
    this.#opened = features
  }

  get #features(): DatabaseFeatures {
    if (!this.#opened) throw new Error('The features are used before they are open')
    return this.#opened
  }

  get policy(): Policy {
    return this.#features.operator.rules.policy
  }

  get domains(): MailDomains {
    return this.#features.operator.rules.domains
  }

  async readAgain(): Promise<MailDomains> {
    await this.#features.operator.rules.refresh()
    return this.domains
  }

  keepUntil(name: string, expiresAt: number): Promise<void> {
    return this.#features.operator.storedDomains.keepUntil(name, expiresAt)
  }

  receive(mail: OperatorMail) {
    return this.#features.operator.inbox.receive(mail)
  }

  get mayEnqueueArrivals(): boolean {
    return this.#features.webhooks.events.mayEnqueueArrivals
  }

  enqueueArrival(arrival: Arrival): Promise<SettleArrival | undefined> | undefined {
    return this.#features.webhooks.events.enqueueArrival(arrival)
  }

  mailStored(mailboxId: MailboxId): void {
    this.#features.push?.mailStored(mailboxId)
  }

  mailboxDestroyed(mailboxId: MailboxId): Promise<void> {
    return this.#features.mailboxDestroyed(mailboxId)
  }
}

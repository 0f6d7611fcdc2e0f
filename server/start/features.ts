/** Opens the mail core and all that needs the database, in order. Imported late, so that the mail store opens meanwhile. */
import { type Accounts, openAccounts } from '#server/accounts/accounts.ts'
import { findApiMailbox } from '#server/accounts/api-mailboxes.ts'
import { ChosenNames } from '#server/accounts/chosen-names.ts'
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import { type Database, type DatabaseAccess, openDatabase } from '#server/database/database.ts'
import { forgetMailboxes } from '#server/database/mailbox-rows.ts'
import { Sweep } from '#server/database/sweep.ts'
import type { StreamLimit } from '#server/http/connections/stream-limit.ts'
import { createAuthenticator } from '#server/mail/authentication/authenticate.ts'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import { createMailCore, type MailCore } from '#server/mail/mail-core.ts'
import { articleSlugs, BlogViewCounts } from '#server/operator/blog-views.ts'
import { Moderation } from '#server/operator/moderation.ts'
import { type Operator, openOperator } from '#server/operator/operator.ts'
import { createMailOut } from '#server/outbound/mail-out.ts'
import { Outbox } from '#server/outbound/outbox.ts'
import { type OpenPush, openPush } from '#server/outbound/push.ts'
import { type OpenWebhooks, openWebhooks } from '#server/outbound/webhooks.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Basics } from '#server/platform/config/config.ts'
import { createSecretBox } from '#server/platform/cryptography.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { MailStorage } from './open-mail-store.ts'

type FeaturesDeps = {
  readonly storage: MailStorage
  readonly telemetry: Telemetry
  readonly streams: StreamLimit
  /** See `Replacements` in app.ts. */
  readonly passwordHasher: PasswordHasher | undefined
}

/** The mail core, accounts, the operator's pages and mail, blog views, webhooks and notifications. */
export type Features = AsyncDisposable & {
  readonly mail: MailCore
  readonly accounts: Accounts
  readonly operator: Operator
  readonly moderation: Moderation
  readonly views: BlogViewCounts
  readonly webhooks: OpenWebhooks
  readonly push: OpenPush | undefined
  isDatabaseAway(): boolean
}

export async function openFeatures(basics: Basics, deps: FeaturesDeps): Promise<Features> {
  await using opening = new AsyncDisposableStack()
  // Only a database on the network may belong to another mail store: see `Identity` in database/database.ts.
  const mailStoreId = basics.config.databaseUrl === undefined ? undefined : deps.storage.store.storeId
  const database = opening.use(
    await openDatabase({ ...basics.config, log: basics.log }, { keyCheck: deriveKeyCheck(basics.secret), mailStoreId }),
  )
  try {
    const features = await openOn(database, opening, basics, deps)
    database.logOutages()
    return features
  } catch (error) {
    throw database.explain(error)
  }
}

/** What it opens goes to `opening`, and ends with the features, the last first. */
async function openOn(
  { db, dialect, isAway: isDatabaseAway }: Database,
  opening: AsyncDisposableStack,
  basics: Basics,
  { storage: { store, health, sharedLimits }, telemetry, streams, passwordHasher }: FeaturesDeps,
): Promise<Features> {
  const { config, secret, clock, log } = basics
  const access: DatabaseAccess = { db, dialect, secretBox: createSecretBox(secret), clock, log }
  const background = opening.adopt(new BackgroundWork(log), work => work.idle())
  const outbox = opening.use(new Outbox({ ...access, mailOut: opening.use(createMailOut(config)), telemetry }))
  const state = { telemetry, health: () => health.latest, streams: () => streams.count, isDatabaseAway }
  const operator = opening.use(await openOperator(access, { config, outbox, state, sharedLimits }))
  const { rules, storedDomains } = operator
  const isLive = async (mailboxId: MailboxId) => (await store.findMailbox(mailboxId)) !== undefined
  const webhooks = opening.use(
    openWebhooks(access, { config, findApiMailbox: mailboxId => findApiMailbox(access, mailboxId), store, isLive, telemetry }),
  )
  const push = openPush(access, { config, secret, contact: rules.domains.supportEmail, isLive, telemetry })
  if (push) opening.use(push)
  const { authenticateMail, dnsServers, dnsBlocklists: blocklists } = config
  const authenticator = authenticateMail ? opening.use(createAuthenticator({ dnsServers, blocklists, log, telemetry })) : undefined
  const mail = opening.use(
    createMailCore({
      ...basics,
      store,
      storeHealth: () => health.latest,
      telemetry,
      rules,
      keepDomain: (name, expiresAt) => storedDomains.keepUntil(name, expiresAt),
      receiveOperatorMail: received => operator.inbox.receive(received),
      webhookEvents: webhooks.events,
      mailStored: (mailboxId, creator) => push?.mailStored(mailboxId, creator),
      mailboxDestroyed: mailboxId =>
        background.run(forgetMailboxes(access, [mailboxId]), 'Rows about a destroyed mailbox could not be removed'),
      authenticator,
    }),
  )
  const accounts = opening.use(
    openAccounts(access, { config, domains: () => rules.domains, policy: () => rules.policy, outbox, mail, passwordHasher }),
  )
  const targets = { destroyAddress: mail.destroyAddress, deleteAccount: accounts.deleteAccount }
  const views = new BlogViewCounts(access, await articleSlugs(), sharedLimits)
  void outbox.flush()
  // Last, so that a start that is refused removes nothing.
  const limitNames = () => new ChosenNames(access).makeRoom()
  const destroyEnding = () => accounts.ownedMailboxes.destroyEnding()
  opening.use(new Sweep({ ...access, contactDays: config.contactDays, limitNames, destroyEnding }))
  const opened = opening.move()
  return {
    mail,
    accounts,
    operator,
    moderation: new Moderation({ ...access, audit: operator.audit, targets }),
    views,
    webhooks,
    push,
    isDatabaseAway,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

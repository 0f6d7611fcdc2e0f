import { readStoredBlocks } from '#server/database/stored-blocks.ts'
import { AppError } from '#server/errors.ts'
import type { Arrival, MailListener, OperatorInbox, OperatorMail, SettleArrival } from '#server/mail/context.ts'
import { createPolicy, defaultSettings, type Policy } from '#server/mail/policy.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { DatabaseFeatures } from './database-features.ts'

/**
 * What the mail core and SMTP need of the features in the database. A SQLite database is opened a moment after SMTP has greeted its first
 * senders. Until then:
 * - The blocks of the last run hold, with the default settings.
 * - Mail to the operator waits. If the database cannot be opened, it gets a temporary refusal.
 * - Mail to mailboxes waits for its webhooks and is stored in any case. If the database cannot be opened, nobody is notified.
 * - A mailbox that is destroyed has no subscription in this process. Those in other processes, and results of requests, expire with it.
 */
export class DeferredFeatures implements OperatorInbox, MailListener {
  readonly #storedPolicy: Policy
  readonly #opened = Promise.withResolvers<DatabaseFeatures>()
  #features: DatabaseFeatures | undefined

  /** A database on the network is open before SMTP is, so that its blocks need not be kept. */
  constructor({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>, clock: () => number) {
    this.#storedPolicy = createPolicy(databaseUrl === undefined ? readStoredBlocks(dataDir) : [], defaultSettings, clock)
    this.#opened.promise.catch(() => undefined)
  }

  open(features: DatabaseFeatures): void {
    this.#features = features
    this.#opened.resolve(features)
  }

  /** They will not be opened any more. Does nothing if they are open. */
  giveUp(): void {
    this.#opened.reject(new AppError('unavailable'))
  }

  get policy(): Policy {
    return this.#features?.operations.livePolicy.current ?? this.#storedPolicy
  }

  async receive(mail: OperatorMail) {
    const { operations } = await this.#opened.promise
    return await operations.operator.inbox.receive(mail)
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

  mailboxDestroyed(mailboxId: MailboxId): void {
    this.#features?.accounts.mailboxDestroyed(mailboxId)
    this.#features?.push?.mailboxDestroyed(mailboxId)
  }
}

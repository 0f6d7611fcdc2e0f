/** Wires everything behind the operator's page and commands. */
import type { Accounts } from '#server/accounts/accounts.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Outbox } from '#server/outbound/mail/outbox.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailboxId, StoreHealth } from '#server/store/store.ts'
import { ContactAnswers } from './contact-answers.ts'
import { openGauges } from './gauges.ts'
import { LivePolicy } from './live-policy.ts'
import { MessageRetention } from './message-retention.ts'
import { Moderation } from './moderation.ts'
import { configureForwarding, type Operator, openOperator } from './operator.ts'
import { SecondFactor } from './second-factor.ts'
import { Statistics, type StatisticsCounter } from './statistics.ts'

/** What only the running server knows. */
type ServerState = { readonly counter: StatisticsCounter; readonly health: () => StoreHealth; readonly streams: () => number }

type OperatorPartsDeps = {
  readonly config: Config
  readonly database: Database
  readonly secretBox: SecretBox
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly accounts: Accounts
  readonly mail: MailCore
  readonly state: ServerState
}

export type OperatorParts = AsyncDisposable & {
  readonly operator: Operator
  readonly moderation: Moderation
  readonly secondFactor: SecondFactor
  readonly livePolicy: LivePolicy
  readonly statistics: Statistics
  readonly replies: ContactAnswers
}

export async function openOperatorParts(deps: OperatorPartsDeps): Promise<OperatorParts> {
  const { config, database, secretBox, clock, log, outbox, accounts, mail, state } = deps
  const { db } = database
  await using opening = new AsyncDisposableStack()
  const operator = openOperator({ database, secretBox, clock, forwarding: configureForwarding(config, outbox) })
  const { audit, blocks, settings } = operator
  const targets = {
    destroyAddress: (address: string) => mail.destroyAddress(address),
    async forgetAddress(mailboxId: MailboxId) {
      await accounts.proMailboxes.forget({ mailboxId })
      await accounts.apiMailboxes.forget({ mailboxId })
    },
    deleteAccount: (userId: string) => accounts.deleteAccount(userId),
  }
  opening.use(new MessageRetention({ db, clock, log, keptDays: config.contactDays })).start()
  const gauges = opening.use(openGauges({ dataDir: config.dataDir, outbox, ...state }))
  const livePolicy = opening.use(await LivePolicy.open({ db, blocks, settings, clock, log }))
  const statistics = opening.use(new Statistics({ db, clock, log, counter: state.counter, gauges: () => gauges.read() }))
  const opened = opening.move()
  return {
    operator,
    moderation: new Moderation({ db, secretBox, clock, audit, targets }),
    secondFactor: new SecondFactor({ db, secretBox, clock, audit, issuer: config.siteName }),
    livePolicy,
    statistics,
    replies: new ContactAnswers(outbox, { canSend: config.smtpRelayUrl !== undefined, siteName: config.siteName }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

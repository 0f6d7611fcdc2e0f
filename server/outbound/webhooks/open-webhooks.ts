import type { Accounts } from '#server/accounts/accounts.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailStore } from '#server/store/store.ts'
import { RequestTargets } from '../request/targets.ts'
import { type MessageReference, WebhookDeliveries } from './deliveries.ts'
import { MessageEvents } from './message-events.ts'
import { Webhooks } from './webhooks.ts'

const SWEEP_EVERY_MS = 60_000

type Deps = {
  readonly config: Pick<Config, 'webhookAllowPrivate'>
  readonly database: Database
  readonly secretBox: SecretBox
  readonly clock: Clock
  readonly log: Log
  readonly accounts: Pick<Accounts, 'apiMailboxes'>
  readonly store: Pick<MailStore, 'readMessage'>
}

export type OpenWebhooks = AsyncDisposable & {
  readonly registry: Webhooks
  readonly deliveries: WebhookDeliveries
  readonly events: MessageEvents
}

export function openWebhooks({ config, database, secretBox, clock, log, accounts, store }: Deps): OpenWebhooks {
  const targets = new RequestTargets(config.webhookAllowPrivate)
  const registry = new Webhooks({ database, secretBox, clock, targets })
  const hasMail = async ({ mailboxId, messageId }: MessageReference) => (await store.readMessage(mailboxId, messageId)) !== undefined
  const deliveries = new WebhookDeliveries({ database, secretBox, clock, log, webhooks: registry, targets, hasMail })
  const findApiMailbox: Accounts['apiMailboxes']['find'] = mailboxId => accounts.apiMailboxes.find(mailboxId)
  const events = new MessageEvents({ webhooks: registry, deliveries, findApiMailbox, clock, log })
  const recovered = deliveries
    .recover()
    .catch((error: unknown) => log.error({ err: error }, 'Webhooks of an earlier process could not be recovered'))
  const sweep = () =>
    registry.sweep().catch((error: unknown) => log.error({ err: error }, 'Webhooks of expired mailboxes could not be removed'))
  const timer = setInterval(() => void sweep(), SWEEP_EVERY_MS)
  timer.unref()
  return {
    registry,
    deliveries,
    events,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await recovered
      await events[Symbol.asyncDispose]()
      await deliveries[Symbol.asyncDispose]()
    },
  }
}

import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import type { Log } from '#server/log.ts'
import type { MailboxId } from '#server/store/store.ts'
import { PushSender } from './push-sender.ts'
import { PushTargets } from './push-targets.ts'
import { PushSubscriptions } from './subscriptions.ts'
import { openVapid } from './vapid.ts'

/** Most deployments have no subscriptions, and then a mail should cost no query. This is how often to check whether there are any. */
const LOOK_AGAIN_MS = 2000

type Deps = {
  readonly config: Pick<Config, 'pushServices' | 'securityContact'>
  readonly database: Database
  readonly secretBox: SecretBox
  readonly secret: Uint8Array
  readonly clock: Clock
  readonly log: Log
}

export type OpenPush = AsyncDisposable & {
  readonly subscriptions: PushSubscriptions
  /** The public key that browsers subscribe with. */
  readonly publicKey: string
  /** Call when this process created a subscription; others notice within two seconds. */
  subscribed(): void
  /** Call when a mail was stored. Nobody waits for the notifications. */
  mailArrived(mailboxId: MailboxId): void
  mailboxDestroyed(mailboxId: MailboxId): void
}

/** `undefined` if the operator turned it off. */
export function openPush({ config, database, secretBox, secret, clock, log }: Deps): OpenPush | undefined {
  if (config.pushServices.length === 0) return undefined
  const services = new PushTargets(config.pushServices)
  const subscriptions = new PushSubscriptions({ database, secretBox, clock, services })
  const vapid = openVapid(secret, config.securityContact)
  const sender = new PushSender({ subscriptions, services, vapid, clock, log })
  let mayExist = true
  const running = new Set<Promise<void>>()
  /** Stopping the server waits for these. */
  const track = (work: Promise<void>) => {
    const tracked = work
      .catch((error: unknown) => log.error({ err: error }, 'Push subscriptions could not be read or removed'))
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }
  const look = async () => {
    if (mayExist) await subscriptions.sweep()
    mayExist = await subscriptions.exist()
  }
  const timer = setInterval(() => track(look()), LOOK_AGAIN_MS)
  timer.unref()
  return {
    subscriptions,
    publicKey: vapid.publicKey,
    subscribed() {
      mayExist = true
    },
    mailArrived(mailboxId) {
      if (mayExist) track(sender.mailArrived(mailboxId))
    },
    mailboxDestroyed(mailboxId) {
      if (mayExist) track(subscriptions.forget(mailboxId))
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      const closed = sender[Symbol.asyncDispose]()
      while (running.size > 0) await Promise.all(running)
      await closed
    },
  }
}

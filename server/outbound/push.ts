import type { DatabaseAccess } from '#server/database/database.ts'
import { ExistenceCheck } from '#server/database/existence-check.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId } from '#server/store/store.ts'
import { PushSender } from './push-sender.ts'
import { PushSubscriptions, PushTargets } from './push-subscriptions.ts'
import { openVapid } from './web-push.ts'

const FAILED = 'Push subscriptions could not be read'

type PushDeps = {
  readonly config: Config
  readonly secret: string
  /** Whom a push service may ask about these messages: an e-mail address. */
  readonly contact: string
  readonly isLive: (mailboxId: MailboxId) => Promise<boolean>
  readonly telemetry: Telemetry
}

export type OpenPush = NonNullable<ReturnType<typeof openPush>>

/** `undefined` if the operator turned it off. */
export function openPush(access: DatabaseAccess, { config, secret, contact, isLive, telemetry }: PushDeps) {
  if (config.pushServices.length === 0) return undefined
  const services = new PushTargets(config.pushServices, config.proxy)
  const subscriptions = new PushSubscriptions({ ...access, services, isLive })
  const vapid = openVapid(secret, `mailto:${contact}`)
  const sender = new PushSender({ subscriptions, services, vapid, clock: access.clock, log: access.log, telemetry })
  const background = new BackgroundWork(access.log)
  const any = new ExistenceCheck(() => subscriptions.exist())
  return {
    subscriptions,
    /** The public key that browsers subscribe with. */
    publicKey: vapid.publicKey,
    /** Call when this process created a subscription; others notice within two seconds. */
    subscribed(): void {
      any.created()
    },
    /** Call when a mail was stored. Nobody waits for the notifications. */
    mailStored(mailboxId: MailboxId, creator: Holder): void {
      // Mail costs no query while nobody subscribes; mails that arrive together share one.
      if (!any.mayExist) return
      const notified = any.exist().then(isAny => (isAny ? sender.mailStored(mailboxId, creator) : undefined))
      void background.run(notified, FAILED)
    },
    async [Symbol.asyncDispose]() {
      const closed = sender[Symbol.asyncDispose]()
      await background.idle()
      await closed
    },
  }
}

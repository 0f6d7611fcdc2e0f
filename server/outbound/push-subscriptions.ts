import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { PushSubscription } from '#contract/notifications.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { hashMailbox, keepIfLive } from '#server/database/mailbox-rows.ts'
import { asOwner } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { IpRanges, isIpRange } from '#server/platform/net/ip-address.ts'
import type { OutgoingProxy } from '#server/platform/net/outgoing-proxy.ts'
import type { MailboxId } from '#server/store/store.ts'
import { RequestTargets } from './guarded-request.ts'
import { isPublicKey, type PushKeys } from './web-push.ts'

/** Browsers that one mailbox notifies. */
const PUSH_SUBSCRIPTIONS_MAX = 5

/** An address and when it expires, in milliseconds since the epoch. */
type Mailbox = { readonly mailboxId: MailboxId; readonly expiresAt: number }
/** A browser that wants notifications. A push message contains only the `id`, and only that browser knows whose it is. */
export type Subscriber = { readonly id: string; readonly endpoint: string; readonly keys: PushKeys; readonly expiresAt: number }
type Deps = DatabaseAccess & { readonly services: PushTargets; readonly isLive: (mailboxId: MailboxId) => Promise<boolean> }

/** Browsers to notify of new mail, each until its mailbox expires. Endpoints and keys are sealed, and no address is stored. */
export class PushSubscriptions {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The subscription's id, the same for the same browser. AppError `push_refused`, `push_subscriptions_max`, `mailbox_not_found`. */
  async create({ mailboxId, expiresAt }: Mailbox, { endpoint, p256dh, auth }: PushSubscription): Promise<string> {
    const { services, clock } = this.#deps
    if (!services.accepts(endpoint)) throw new AppError('push_refused', { detail: 'This server does not send to that push service.' })
    if (!isPublicKey(Buffer.from(p256dh, 'base64url'))) throw new AppError('push_refused', { detail: 'p256dh is no key of a browser.' })
    const mailbox = this.#key(mailboxId)
    const id = randomUUID()
    const sealed = this.#deps.secretBox.seal(`push/${id}`, Buffer.from(JSON.stringify({ endpoint, p256dh, auth }))).toString('base64')
    const row = {
      id,
      mailbox_hash: mailbox,
      // Per mailbox, so that the table does not tell which mailboxes are open in one browser.
      browser_hash: this.#deps.secretBox.hash('push-endpoint', `${mailbox} ${endpoint}`),
      sealed,
      created_at: clock(),
      expires_at: expiresAt,
    }
    await asOwner(this.#deps, mailbox, async step => {
      // The same browser subscribes again, perhaps with new keys.
      const own = step.deleteFrom('push_subscriptions').where('mailbox_hash', '=', mailbox)
      await own.where('browser_hash', '=', row.browser_hash).execute()
      const held = await step.selectFrom('push_subscriptions').select('id').where('mailbox_hash', '=', mailbox).execute()
      if (held.length >= PUSH_SUBSCRIPTIONS_MAX) throw new AppError('push_subscriptions_max')
      await step.insertInto('push_subscriptions').values(row).execute()
    })
    if (!(await keepIfLive(this.#deps, [mailboxId]))) throw new AppError('mailbox_not_found')
    return id
  }

  /** `false` if the mailbox has none with this id. */
  async remove({ mailboxId }: Mailbox, id: string): Promise<boolean> {
    const own = this.#deps.db.deleteFrom('push_subscriptions').where('mailbox_hash', '=', this.#key(mailboxId))
    return (await own.where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
  }

  /** The push service reports that the browser has unsubscribed. */
  async removeGone(id: string): Promise<void> {
    await this.#deps.db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
  }

  async of(mailboxId: MailboxId): Promise<Subscriber[]> {
    const { db } = this.#deps
    const rows = await db.selectFrom('push_subscriptions').selectAll().where('mailbox_hash', '=', this.#key(mailboxId)).execute()
    return rows.flatMap(row => this.#open(row))
  }

  async exist(): Promise<boolean> {
    return (await this.#deps.db.selectFrom('push_subscriptions').select('id').limit(1).executeTakeFirst()) !== undefined
  }

  /** Nothing for a subscription that was sealed under another secret, or whose mailbox has expired. */
  #open({ id, sealed, expires_at: expiresAt }: DatabaseSchema['push_subscriptions']): Subscriber[] {
    const opened = this.#deps.secretBox.open(`push/${id}`, Buffer.from(sealed, 'base64'))
    if (!opened || expiresAt <= this.#deps.clock()) return []
    const { endpoint, p256dh, auth } = JSON.parse(opened.toString())
    return [{ id, endpoint, keys: { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }, expiresAt }]
  }

  #key(mailboxId: MailboxId): string {
    return hashMailbox(this.#deps.secretBox, 'push_subscriptions', mailboxId)
  }
}

/** Which push services the server sends to: visitors, who name them, must not make it send requests elsewhere. */
export class PushTargets {
  readonly #hosts: readonly string[]
  readonly #ranges: readonly { readonly service: string; readonly addresses: IpRanges }[]
  /** Checks the address at each connection. */
  readonly targets: RequestTargets

  /** @param services hosts, each with its subdomains, and addresses or ranges of the operator's own that may be private. */
  constructor(services: readonly string[], proxy?: OutgoingProxy) {
    const own = services.filter(isIpRange)
    this.#hosts = services.filter(service => !own.includes(service))
    this.#ranges = own.map(service => ({ service, addresses: new IpRanges([service]) }))
    this.targets = new RequestTargets(own, { proxy })
  }

  accepts(endpoint: string): boolean {
    return this.findService(endpoint) !== undefined
  }

  /** The name or range that allows this endpoint; `undefined` if none does. All hosts of a service share one limit. */
  findService(endpoint: string): string | undefined {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
    return url && this.targets.refuse(url) === undefined ? this.#findListed(url) : undefined
  }

  #findListed({ hostname, port }: URL): string | undefined {
    const ip = hostname.replace(/^\[|\]$/g, '')
    if (isIP(ip) !== 0) return this.#ranges.find(({ addresses }) => addresses.has(ip))?.service
    return port === '' ? this.#hosts.find(host => hostname === host || hostname.endsWith(`.${host}`)) : undefined
  }
}

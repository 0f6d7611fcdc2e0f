import type { Kysely } from 'kysely'
import { PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { AppError } from '#server/errors.ts'
import type { MailCore, OpenMailbox } from '#server/mail/mail-core.ts'
import type { Clock } from '#server/platform/clock.ts'
import { ChosenNames } from './chosen-names.ts'
import { type LiveAddress, ProMailboxSlots } from './pro-mailbox-slots.ts'
import { type AddressRequest, type CheckedAddress, checkAddress, type OfferedNames } from './requested-address.ts'

/** The parts of the mail core that Pro addresses need. */
export type MailboxPort = Pick<MailCore, 'createAddress' | 'openMailbox' | 'destroyMailbox'>

type ProMailboxesDeps = {
  db: Kysely<DatabaseSchema>
  secretBox: SecretBox
  clock: Clock
  mail: MailboxPort
} & OfferedNames

/** Addresses that belong to an account and live 24 hours. */
export class ProMailboxes {
  readonly #clock: Clock
  readonly #mail: MailboxPort
  readonly #offered: OfferedNames
  readonly #slots: ProMailboxSlots
  readonly #names: ChosenNames

  constructor(deps: ProMailboxesDeps) {
    this.#clock = deps.clock
    this.#mail = deps.mail
    this.#offered = deps
    this.#slots = new ProMailboxSlots(deps)
    this.#names = new ChosenNames(deps)
  }

  /** AppError `mailboxes_max`, `local_part_taken`, `local_part_reserved`, `domain_not_served`, `invalid_request`. */
  async create(userId: string, request: AddressRequest): Promise<MailboxCreated> {
    const checked = checkAddress(request, this.#offered)
    await this.#live(userId)
    const slot = await this.#slots.reserve(userId)
    if (slot === undefined) throw new AppError('mailboxes_max')
    try {
      return describe(await this.#createInSlot(userId, slot, checked), this.#clock())
    } catch (error) {
      await this.#slots.release(userId, slot)
      throw error
    }
  }

  /** The live addresses with their tokens, oldest first. */
  async list(userId: string): Promise<MailboxCreated[]> {
    return (await this.#live(userId)).map(address => describe(address, this.#clock()))
  }

  /** Destroys every mailbox of the account. */
  async destroyAll(userId: string): Promise<void> {
    for (const { token } of await this.#live(userId)) await this.#destroy(token)
    await this.#slots.removeAll(userId)
  }

  /** Forgets which names the account chose; others still cannot choose them. */
  async forgetNames(userId: string): Promise<void> {
    await this.#names.forgetOwner(userId)
  }

  /** Call when a mailbox was destroyed with its token: removes the sealed token, if there is one. */
  async forget({ mailboxId }: Pick<OpenMailbox, 'mailboxId'>): Promise<void> {
    await this.#slots.forget(mailboxId)
  }

  /** Removes the sealed tokens of expired addresses: one indexed statement, called every few seconds. */
  async sweepExpired(): Promise<void> {
    await this.#slots.sweep()
  }

  async sweepNames(): Promise<void> {
    await this.#names.sweep()
  }

  #live(userId: string): Promise<LiveAddress[]> {
    return this.#slots.live(userId, async token => (await this.#mail.openMailbox(token)) !== undefined)
  }

  async #createInSlot(userId: string, slot: number, request: CheckedAddress): Promise<LiveAddress> {
    const created = await this.#createAddress(userId, request)
    const mailbox = await this.#mail.openMailbox(created.token)
    if (mailbox && (await this.#slots.keep(userId, slot, created, mailbox.mailboxId))) return created
    // The account was deleted meanwhile, so nobody could ever open this mailbox again.
    await this.#destroy(created.token)
    throw new AppError('sign_in_required')
  }

  async #createAddress(userId: string, { domain, localPart }: CheckedAddress): Promise<LiveAddress> {
    const lifetimeSeconds = PRO_LIFETIME_SECONDS
    const expiresAt = this.#clock() + lifetimeSeconds * 1000
    if (localPart !== undefined && !(await this.#names.claim(userId, `${localPart}@${domain}`, expiresAt))) {
      throw new AppError('local_part_taken')
    }
    return this.#mail.createAddress({ domain, localPart, lifetimeSeconds, creator: userId })
  }

  async #destroy(token: string): Promise<void> {
    const mailbox = await this.#mail.openMailbox(token)
    if (mailbox) await this.#mail.destroyMailbox(mailbox)
  }
}

function describe({ email, token, expiresAt }: LiveAddress, now: number): MailboxCreated {
  const secondsLeft = Math.max(0, (expiresAt - now) / 1000)
  return { email, token, expiresAt: new Date(expiresAt).toISOString(), secondsLeft, lifetimeSeconds: PRO_LIFETIME_SECONDS }
}

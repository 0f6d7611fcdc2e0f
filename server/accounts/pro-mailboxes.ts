import * as z from 'zod/mini'
import { PRO_LIFETIME_SECONDS, PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { type MailboxCreated, mailboxTimes } from '#contract/mailbox.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { takeSlot } from '#server/database/locks.ts'
import { hashMailbox } from '#server/database/mailbox-rows.ts'
import { AppError } from '#server/errors.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import { parseToken } from '#server/mail/keys/token.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { LimitReached } from '#server/platform/limits/limiter.ts'
import type { MailboxId } from '#server/store/store.ts'
import { type AddressRequest, type CheckedAddress, ChosenNames, checkAddress, forgetNameOwner } from './chosen-names.ts'

type ProMailboxesDeps = DatabaseAccess & { readonly mail: MailCore; readonly domains: () => MailDomains }

/** Addresses that belong to an account and live `PRO_LIFETIME_SECONDS`. */
export class ProMailboxes {
  readonly #deps: ProMailboxesDeps
  readonly #slots: ProMailboxSlots
  readonly #names: ChosenNames

  constructor(deps: ProMailboxesDeps) {
    this.#deps = deps
    this.#slots = new ProMailboxSlots(deps)
    this.#names = new ChosenNames(deps)
  }

  /**
   * `charge` counts the address against the rate limit, when nothing else refuses it. AppError `mailboxes_max`, `local_part_taken`,
   * `local_part_reserved`, `domain_not_served`, `invalid_request`.
   */
  async create(userId: string, request: AddressRequest, charge?: () => Promise<void>): Promise<MailboxCreated> {
    const checked = checkAddress(request, this.#deps.domains())
    const live = await this.#live(userId)
    const slot = await this.#slots.reserve(userId)
    if (slot === undefined) throw allSlotsTaken(live, this.#deps.clock())
    try {
      return describe(await this.#createInSlot(userId, slot, checked, charge), this.#deps.clock())
    } catch (error) {
      await this.#slots.release(userId, slot)
      throw error
    }
  }

  /** The live addresses with their tokens, oldest first. */
  async list(userId: string): Promise<MailboxCreated[]> {
    return (await this.#live(userId)).map(address => describe(address, this.#deps.clock()))
  }

  /** Destroys every mailbox of the account. */
  async destroyAll(userId: string): Promise<void> {
    for (const { token } of await this.#live(userId)) {
      const mailboxId = parseToken(token)?.mailboxId
      if (mailboxId !== undefined) await this.#deps.mail.destroyMailbox({ mailboxId })
    }
    await this.#slots.removeAll(userId)
  }

  #live(userId: string): Promise<LiveAddress[]> {
    return this.#slots.live(userId, async token => (await this.#deps.mail.openMailbox(token)) !== undefined)
  }

  async #createInSlot(userId: string, slot: number, request: CheckedAddress, charge?: () => Promise<void>): Promise<LiveAddress> {
    const created = await this.#createAddress(userId, request, charge)
    if (await this.#slots.keep(userId, slot, created)) return created
    // The account was deleted meanwhile, so nobody could ever open this mailbox again.
    await this.#deps.mail.destroyMailbox(created)
    await forgetNameOwner(this.#deps.db, userId)
    throw new AppError('sign_in_required')
  }

  async #createAddress(userId: string, checked: CheckedAddress, charge?: () => Promise<void>): Promise<CreatedAddress> {
    const lifetimeSeconds = PRO_LIFETIME_SECONDS
    const expiresAt = this.#deps.clock() + lifetimeSeconds * 1000
    await this.#names.claim(userId, checked, { expiresAt, charge })
    return this.#deps.mail.createAddress({ ...checked, lifetimeSeconds, creator: userId })
  }
}

function describe({ email, token, expiresAt }: LiveAddress, now: number): MailboxCreated {
  const createdAt = expiresAt - PRO_LIFETIME_SECONDS * 1000
  return { email, token, ...mailboxTimes({ createdAt, expiresAt }, now), kept: true }
}

/** The quota's answer says when the first address of the account ends. */
function allSlotsTaken(live: readonly LiveAddress[], now: number): LimitReached {
  const quota = { name: 'mailboxes', max: PRO_MAILBOXES_MAX }
  const waitMs = Math.min(...live.map(({ expiresAt }) => expiresAt)) - now
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new LimitReached(quota, { remaining: 0, ...(Number.isFinite(waitMs) && { retryAfterSeconds }) }, 'mailboxes_max')
}

/** A slot is free again after this time if its process died before the address was created. */
const PENDING_MS = 60_000

const storedSchema = z.object({ email: z.string(), token: z.string() })
type LiveAddress = z.infer<typeof storedSchema> & { readonly expiresAt: number }
type CreatedAddress = LiveAddress & { readonly mailboxId: MailboxId }

/**
 * The slots of an account for live addresses, one row each. The slot number is unique per account, which enforces the limit under
 * concurrency. A row without a sealed address is a slot whose address is being created.
 */
class ProMailboxSlots {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  /** The addresses for which `isLive` is true, oldest first. Removes the rows of all others. */
  async live(userId: string, isLive: (token: string) => Promise<boolean>): Promise<LiveAddress[]> {
    const slots = this.#access.db.selectFrom('pro_mailboxes').selectAll().where('user_id', '=', userId)
    const rows = await slots.orderBy('created_at').orderBy('slot').execute()
    const live = await Promise.all(
      rows.map(async ({ slot, sealed, expires_at: expiresAt }): Promise<LiveAddress | undefined> => {
        const isExpired = expiresAt <= this.#access.clock()
        if (sealed === '' && !isExpired) return undefined
        const stored = this.#open(sealed, userId)
        if (stored && !isExpired && (await isLive(stored.token))) return { ...stored, expiresAt }
        await this.#remove(userId, slot, sealed)
        return undefined
      }),
    )
    return live.filter(address => address !== undefined)
  }

  /** Takes a slot; `undefined` if none is free. */
  reserve(userId: string): Promise<number | undefined> {
    const now = this.#access.clock()
    return takeSlot(PRO_MAILBOXES_MAX, async slot => {
      const inserted = await this.#access.db
        .insertInto('pro_mailboxes')
        .values({ user_id: userId, slot, sealed: '', created_at: now, expires_at: now + PENDING_MS, mailbox_hash: null })
        .onConflict(conflict => conflict.columns(['user_id', 'slot']).doNothing())
        .returning('slot')
        .executeTakeFirst()
      return inserted !== undefined
    })
  }

  /** Puts the address into its slot. `false` if the slot is gone, because the account was deleted meanwhile. */
  async keep(userId: string, slot: number, { email, token, expiresAt, mailboxId }: CreatedAddress): Promise<boolean> {
    const sealed = this.#access.secretBox.seal(sealingContext(userId), Buffer.from(JSON.stringify({ email, token }))).toString('base64')
    const kept = await this.#access.db
      .updateTable('pro_mailboxes')
      .set({ sealed, expires_at: expiresAt, mailbox_hash: hashMailbox(this.#access.secretBox, 'pro_mailboxes', mailboxId) })
      .where('user_id', '=', userId)
      .where('slot', '=', slot)
      .where('sealed', '=', '')
      .returning('slot')
      .executeTakeFirst()
    return kept !== undefined
  }

  /** Frees a slot whose address was not created. */
  release(userId: string, slot: number): Promise<void> {
    return this.#remove(userId, slot, '')
  }

  async removeAll(userId: string): Promise<void> {
    await this.#access.db.deleteFrom('pro_mailboxes').where('user_id', '=', userId).where('sealed', '!=', '').execute()
  }

  #open(sealed: string, userId: string) {
    const bytes = this.#access.secretBox.open(sealingContext(userId), Buffer.from(sealed, 'base64'))
    return bytes && z.parse(storedSchema, JSON.parse(bytes.toString()))
  }

  async #remove(userId: string, slot: number, sealed: string): Promise<void> {
    const row = this.#access.db.deleteFrom('pro_mailboxes').where('user_id', '=', userId).where('slot', '=', slot)
    await row.where('sealed', '=', sealed).execute()
  }
}

/** Binds a sealed address to its account, so that it cannot be moved to another row. */
function sealingContext(userId: string): string {
  return `pro-mailbox/${userId}`
}

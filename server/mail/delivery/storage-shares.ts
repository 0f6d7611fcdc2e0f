/**
 * When the disk gets low, no single creator of mailboxes (a network or an account) may use what is left: its mailboxes may hold an eighth
 * of what the store can hold, and those of the larger networks around it up to a quarter. Nothing is counted while more than half of the
 * disk is free. Creators are identified by an HMAC under a key of this process, in memory. After a restart the creators of older
 * mailboxes are unknown, and their mail is accepted while there is space.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import { type Holder, ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { MailboxId, MailStore, StoredMailbox, StoreHealth } from '#server/store/store.ts'

/** Mailboxes whose creators are remembered: about 40 MB when full. Those that have ended are forgotten first, then the oldest. */
const MAILBOXES_MAX = 100_000
/** A small, a middle and a large network: see `Client.networks`. */
const SHARES = [1 / 8, 3 / 16, 1 / 4]
const LOW = 1 / 2
/** While all that are remembered live, ended ones are not looked for at each creation. */
const PAUSE_MS = 1000

/** `isGranted`: `false` if the disk is low and the creator of this mailbox has used its share. */
type StorageLease = Disposable & { isGranted(mailboxId: MailboxId): boolean }

export class StorageShares {
  readonly #store: Pick<MailStore, 'findMailbox'>
  readonly #health: () => StoreHealth
  readonly #mailboxesMax: number
  readonly #key = createSecretKey(randomBytes(32))
  readonly #clock: Clock
  /** `endsAt`: as last known; it may have been extended since. */
  readonly #creators = new Map<MailboxId, { readonly keys: Holder; readonly endsAt: number }>()
  readonly #mailboxes = new Map<string, Set<MailboxId>>()
  /** Bytes being written to the store. */
  readonly #pending = new ShareBudget()
  #seen: StoreHealth | undefined
  #lookedAt = 0
  #storedSinceSeen = 0
  /** By creator, since `#seen`: a creator of thousands of mailboxes would wait for all of them at each of its mails. */
  readonly #counted = new Map<string, Promise<number>>()
  readonly #addedSinceSeen = new Map<string, number>()

  /** `health`: the last known one. */
  constructor(store: Pick<MailStore, 'findMailbox'>, health: () => StoreHealth, clock: Clock, mailboxesMax = MAILBOXES_MAX) {
    this.#store = store
    this.#health = health
    this.#clock = clock
    this.#mailboxesMax = mailboxesMax
  }

  async created({ mailboxId, expiresAt }: Pick<StoredMailbox, 'mailboxId' | 'expiresAt'>, creator: Holder): Promise<void> {
    // Its name may have been another creator's.
    this.forget(mailboxId)
    const keys = creator.map(key => createHmac('sha256', this.#key).update(key).digest('base64url'))
    for (const key of keys) this.#mailboxes.set(key, (this.#mailboxes.get(key) ?? new Set()).add(mailboxId))
    this.#creators.set(mailboxId, { keys, endsAt: expiresAt })
    if (this.#creators.size > this.#mailboxesMax) await this.#forgetEnded()
    for (const oldest of this.#creators.keys()) {
      if (this.#creators.size <= this.#mailboxesMax) break
      this.forget(oldest)
    }
  }

  /** Who created the mailbox, the smallest network first; nobody if that is not known any more. */
  creatorOf(mailboxId: MailboxId): Holder {
    return this.#creators.get(mailboxId)?.keys ?? []
  }

  /** The mailbox is gone: it counts for nobody and takes no place of those that live. */
  forget(mailboxId: MailboxId): void {
    const { keys } = this.#creators.get(mailboxId) ?? {}
    this.#creators.delete(mailboxId)
    for (const key of keys ?? []) {
      const own = this.#mailboxes.get(key)
      own?.delete(mailboxId)
      if (own?.size === 0) this.#mailboxes.delete(key)
    }
  }

  /** Takes `bytes` in each of these mailboxes, for as many as fit in their creator's share. Dispose when the copies are stored. */
  async acquire(mailboxIds: readonly MailboxId[], bytes: number): Promise<StorageLease> {
    const counted = mailboxIds.flatMap(mailboxId => {
      const creator = this.#creators.get(mailboxId)?.keys
      return creator === undefined ? [] : [{ mailboxId, creator }]
    })
    const creators = new Set(counted.flatMap(({ creator }) => creator))
    // Once for each creator: it may have many mailboxes, and a mail may go to many of them.
    const stored = this.#isLow(counted.length * bytes) ? await this.#bytesStoredForEach(creators) : undefined
    // From here on nothing waits, so that simultaneous leases see each other.
    const leases = new DisposableStack()
    const refused = new Set<MailboxId>()
    for (const { mailboxId, creator } of counted) {
      const isWithin = (key: string, size: number) =>
        (stored?.get(key) ?? 0) + (this.#addedSinceSeen.get(key) ?? 0) + this.#pending.heldBy(key) + bytes <=
        this.#health().capacityBytes * (SHARES[size] ?? 0)
      if (!this.#isLow(bytes) || creator.every(isWithin)) leases.use(this.#pending.acquire(creator, bytes))
      else refused.add(mailboxId)
    }
    const granted = counted.filter(({ mailboxId }) => !refused.has(mailboxId))
    leases.defer(() => {
      this.#storedSinceSeen += granted.length * bytes
      for (const key of granted.flatMap(({ creator }) => creator))
        if (this.#counted.has(key)) this.#addedSinceSeen.set(key, (this.#addedSinceSeen.get(key) ?? 0) + bytes)
    })
    return { isGranted: mailboxId => !refused.has(mailboxId), [Symbol.dispose]: () => leases.dispose() }
  }

  /** Whether less than half of the disk would be free with these bytes. */
  #isLow(bytes: number): boolean {
    const health = this.#health()
    // While nobody can measure the store it is not known to be low: after an outage the first mails would be refused.
    if (health.capacityBytes === 0) return false
    if (health !== this.#seen) {
      this.#storedSinceSeen = 0
      this.#counted.clear()
      this.#addedSinceSeen.clear()
    }
    this.#seen = health
    return health.roomBytes - this.#storedSinceSeen - this.#pending.held - bytes < health.capacityBytes * LOW
  }

  async #bytesStoredForEach(creators: ReadonlySet<string>): Promise<Map<string, number>> {
    return new Map(
      await Promise.all(
        [...creators].map(async creator => {
          const counted = this.#counted.get(creator) ?? this.#bytesStoredFor(creator)
          this.#counted.set(creator, counted)
          counted.catch(() => this.#counted.delete(creator))
          return [creator, await counted] as const
        }),
      ),
    )
  }

  async #bytesStoredFor(creator: string): Promise<number> {
    let bytes = 0
    for (const mailboxId of this.#mailboxes.get(creator) ?? []) {
      const mailbox = await this.#store.findMailbox(mailboxId)
      if (mailbox) bytes += mailbox.bytes
      else this.forget(mailboxId)
    }
    return bytes
  }

  /** Until there is room. Otherwise somebody who makes many short-lived mailboxes would have their full ones forgotten. */
  async #forgetEnded(): Promise<void> {
    const now = this.#clock()
    if (now - this.#lookedAt < PAUSE_MS) return
    for (const [mailboxId, { keys, endsAt }] of this.#creators) {
      if (this.#creators.size <= this.#mailboxesMax) return
      if (endsAt > now) continue
      const mailbox = await this.#store.findMailbox(mailboxId).catch(() => null)
      if (mailbox === null || !this.#creators.has(mailboxId)) continue
      if (mailbox && mailbox.expiresAt > now) this.#creators.set(mailboxId, { keys, endsAt: mailbox.expiresAt })
      else this.forget(mailboxId)
    }
    if (this.#creators.size > this.#mailboxesMax) this.#lookedAt = now
  }
}

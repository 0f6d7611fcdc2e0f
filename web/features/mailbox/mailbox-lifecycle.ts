/** Drives the state machine of mailbox-state.ts: asks the server, counts down and shows notices. Does not depend on React. */
import { HOUR_MS } from '#contract/limits.ts'
import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import { track } from '#web/lib/browser/analytics.ts'
import type { PageClock } from '#web/lib/browser/clock.ts'
import { createStore } from '#web/lib/browser/store.ts'
import type { AddressStore, StoredAddress } from '#web/lib/mailbox/address-store.ts'
import type { NewAddressAllowance } from '#web/lib/mailbox/new-address-limit.ts'
import type { UndoableChange } from '#web/lib/notify/undo.ts'
import type { AddressChanges } from './address-changes.ts'
import type { LinkedAddress, LinkOutcome } from './linked-address.ts'
import { type AddressEvent, DESTROYING_MS, type MailboxState, RESTORING, reduceMailbox } from './mailbox-state.ts'
import type { MailboxNotice } from './notices.ts'

const RETRY_MS = 20_000
/** Later, nobody wonders where their address is. */
const ENDED_NOTICE_MS = HOUR_MS

export class MailboxLifecycle {
  readonly state = createStore<MailboxState>(RESTORING)
  /** The address of a hand-off link, until the visitor has said whether to open it. */
  readonly question = createStore<LinkQuestion | undefined>(undefined)
  readonly deps: LifecycleDeps
  /** Aborted when the page is left. */
  page = new AbortController().signal
  /** The last change that can still be undone. */
  undoable: UndoableChange | undefined
  #linked: LinkedAddress | undefined
  #changes: AddressChanges | undefined
  #timer = new AbortController()
  #isBusy = false
  /** Busy with the address that comes with the page. One that is chosen meanwhile is shown at once, and nothing waits any more. */
  #isReplaceable = false
  /** The address that comes with the page could not be created yet. Ends the wait for the next try. */
  #owed: AbortController | undefined

  constructor(deps: LifecycleDeps) {
    this.deps = deps
  }

  /** The only place where the state changes and timers start. */
  apply(event: AddressEvent): void {
    const state = reduceMailbox(this.state.get(), event)
    if (state === this.state.get()) return
    this.#timer.abort()
    this.#timer = new AbortController()
    const signal = AbortSignal.any([this.page, this.#timer.signal])
    this.state.set(state)
    const { phase, address } = state
    if (phase === 'destroying') this.after(DESTROYING_MS, signal, () => this.#finish(address, state.cause))
    else if (address) {
      this.after(Math.max(0, address.deadlineMs - this.deps.clock.now()), signal, () => {
        // A toast that is held does not outlive the address.
        if (phase === 'deleting') this.undoable?.commit()
        else this.apply({ type: 'end', token: address.token, cause: 'expired' })
      })
    }
  }

  /** Acts in `ms`, unless `signal` is aborted before. */
  after(ms: number, signal: AbortSignal, act: () => void | Promise<void>): void {
    this.deps.clock.sleep(ms, signal).then(act).catch(reportError)
  }

  async #finish(address: StoredAddress, cause: 'expired' | 'deleted'): Promise<void> {
    this.apply({ type: 'destroyed' })
    // If several tabs see the end, one sends the event.
    if (this.deps.storage.shown.take(address.token) && cause === 'expired') track('email_expired')
    this.deps.notify({ kind: cause })
    // Another one is still being requested.
    if (this.#isBusy) return this.apply({ type: 'generate' })
    await this.#openNext(address.token)
  }

  /** Another tab created, deleted or lost the address, or the deadline was corrected. */
  #onAddress(): void {
    const address = this.deps.storage.shown.get()
    if (address && this.#isReplaceable) this.#isReplaceable = this.#isBusy = false
    if (this.#isBusy || this.page.aborted) return
    const state = this.state.get()
    if (address?.token !== state.address?.token) this.undoable?.commit()
    const isElsewhere = state.phase === 'active' && this.deps.storage.shown.isAdopting()
    if (address) {
      this.apply({ type: 'address_found', address })
      if (isElsewhere && address.token !== state.address?.token) this.deps.notify({ kind: 'replaced_elsewhere' })
    } else if (state.phase === 'active' && this.isOver(state.address)) {
      this.apply({ type: 'end', token: state.address.token, cause: 'expired' })
    } else if (state.phase === 'active') {
      this.apply({ type: 'address_lost' })
      if (isElsewhere) this.deps.notify({ kind: 'closed_elsewhere' })
      this.#openNext(state.address.token).catch(reportError)
    }
  }
  /** By either clock, as one may stop while the machine sleeps. The server forgets it at the same instant, so slightly early is fine. */
  isOver({ deadlineMs, wallDeadlineMs }: StoredAddress): boolean {
    const { clock } = this.deps
    return deadlineMs - clock.now() <= DESTROYING_MS || wallDeadlineMs - clock.wall() <= DESTROYING_MS
  }

  /** Shows the live address, asks about the one of the link, or else creates one. Runs until `signal` aborts. */
  async start(signal: AbortSignal, linkToken?: string): Promise<void> {
    this.page = signal
    const unsubscribe = this.deps.storage.shown.subscribe(() => this.#onAddress())
    signal.addEventListener('abort', unsubscribe, { once: true })
    // Leaving the page makes pending deletions final.
    signal.addEventListener('abort', () => this.undoable?.commit(), { once: true })
    if (linkToken !== undefined) {
      await this.#restore()
      const outcome = await this.openLink(linkToken)
      if (!this.deps.storage.shown.get() && outcome !== 'gone') this.apply({ type: 'address_lost' })
      if (outcome !== 'gone') return
    }
    const first = this.deps.api.takeFirstAddress()
    if (first) await this.#adoptFirstAddress(first)
    await this.#openOrGenerate()
  }

  #openOrGenerate(): Promise<void> {
    return this.deps.exclusively(async () => {
      if (!this.page.aborted && !(await this.#restore()) && !(await this.#openNext())) await this.#generate({ isAutomatic: true })
    })
  }

  async #adoptFirstAddress(first: Promise<boolean>): Promise<void> {
    this.apply({ type: 'generate' })
    if (!(await first)) return
    this.deps.storage.shown.refresh()
    track('email_generated')
  }

  /** `true` when an address is alive and shown. */
  async #restore(): Promise<boolean> {
    const { shown } = this.deps.storage
    // While this tab waited, another one may have created an address.
    if (!shown.get()) shown.refresh()
    const address = shown.get()
    if (!address) return false
    const isAlive = address.deadlineMs > this.deps.clock.now()
    if (isAlive) this.apply({ type: 'address_found', address })
    if (isAlive && address.isConfirmed) return true
    const answer = await shown.resync()
    if (answer === 'unknown' && address.deadlineMs <= this.deps.clock.now()) shown.clear()
    else if (answer === 'gone') this.#tellEnded(address)
    return shown.get() !== undefined
  }

  /** The server no longer has it, but nobody saw it end: it was deleted on another device, or ended while its page was closed. */
  #tellEnded(address: StoredAddress): void {
    const { clock, storage, notify } = this.deps
    // If several tabs find it, one says so.
    if (this.state.get().phase === 'destroying' || !storage.shown.take(address.token)) return
    if (this.isOver(address)) track('email_expired')
    if (clock.wall() - address.wallDeadlineMs < ENDED_NOTICE_MS) notify({ kind: 'ended' })
  }

  /** Shows another address instead of `gone`: this browser's other one, or the account's newest. `true` if there was one. */
  async #openNext(gone?: string): Promise<boolean> {
    const { shown, other } = this.deps.storage
    const askedAtMs = this.deps.clock.now()
    const parked = other.get()
    if (parked) {
      other.clear()
      if (!this.isOver(parked) && parked.token !== gone) {
        shown.restore(parked)
        return true
      }
    }
    const next = (await this.deps.api.listOwned()).findLast(mailbox => mailbox.token !== gone)
    if (!next || this.page.aborted || this.#isBusy || shown.get()) return false
    shown.save(next, askedAtMs)
    return true
  }

  /** Asks whether to open the inbox of a hand-off link. */
  async openLink(token: string): Promise<LinkOutcome> {
    try {
      return await (await this.#linkedAddress()).open(token)
    } catch (error) {
      reportError(error)
      return 'unknown'
    }
  }

  /** The visitor's answer. Without the link's address and one that is live, they get a new one. */
  answer(isLinkChosen: boolean): void {
    this.#linked?.answer(isLinkChosen)
    if (!this.deps.storage.shown.get()) this.#openOrGenerate().catch(reportError)
  }

  /** Swaps the shown address and the other one. */
  async switch(): Promise<void> {
    ;(await this.#linkedAddress()).switch()
  }

  /** Its code is fetched when there is a second address: most visitors never have one. */
  async #linkedAddress(): Promise<LinkedAddress> {
    const { LinkedAddress } = await import('./linked-address.ts')
    this.#linked ??= new LinkedAddress(this)
    return this.#linked
  }

  async generate(options: GenerateOptions = {}): Promise<void> {
    // Ignored, not queued: holding a key must not use up all attempts.
    if (this.#isBusy || this.state.get().phase === 'restoring') return
    this.#isBusy = true
    try {
      this.undoable?.commit()
      await this.deps.exclusively(() => this.#generate(options))
    } finally {
      this.#isBusy = false
    }
  }

  async #generate(options: GenerateOptions): Promise<void> {
    this.#isBusy = true
    this.#isReplaceable = options.isAutomatic === true
    const isReplaced = () => options.isAutomatic === true && !this.#isReplaceable
    const failure = await this.#addressChanges().then(changes => changes.generate(options), unreached)
    if (failure && !isReplaced()) this.#tellFailed(failure, options)
    if (!failure) {
      this.#owed?.abort()
      this.#owed = undefined
    }
    if (isReplaced()) return
    this.#isReplaceable = this.#isBusy = false
    const address = this.deps.storage.shown.get()
    this.apply(address ? { type: 'address_found', address } : { type: 'address_lost' })
  }

  /**
   * The address that comes with the page is not refused, but late: that is told once, and it is created as soon as a server answers, or the
   * limit allows it.
   */
  #tellFailed(notice: MailboxNotice, { isAutomatic }: GenerateOptions): void {
    const isLate = isAutomatic && notice.kind === 'unreached'
    const retryMs = isLate ? RETRY_MS : isAutomatic && notice.kind === 'rate_limited' ? notice.seconds * 1000 : undefined
    if (retryMs === undefined || !this.#owed) this.deps.notify(isLate ? { kind: 'away' } : notice)
    if (retryMs === undefined) return
    this.#owed?.abort()
    this.#owed = new AbortController()
    this.after(retryMs, AbortSignal.any([this.page, this.#owed.signal]), () => this.resync())
  }

  /** Deletes the address, unless the visitor undoes it. */
  async deleteAddress(): Promise<void> {
    const state = this.state.get()
    if (this.#isBusy || state.phase !== 'active') return
    await this.#addressChanges().then(
      changes => changes.deleteAddress(state.address),
      () => this.deps.notify({ kind: 'delete_failed' }),
    )
  }

  async #addressChanges(): Promise<AddressChanges> {
    this.#changes ??= await this.deps.openChanges(this)
    return this.#changes
  }

  /** Asks the server how much time is left: after sleep, when a stream said "expired", or when the network is back. */
  async resync(): Promise<void> {
    const state = this.state.get()
    if (this.#owed && state.phase === 'none' && !this.#isBusy) return this.#openOrGenerate()
    if (state.phase !== 'active' || this.#isBusy) return
    const answer = await this.deps.storage.shown.resync()
    if (answer === 'gone') this.#tellEnded(state.address)
    const now = this.state.get()
    // Without a response this browser's own clocks decide.
    if (answer === 'unknown' && now.phase === 'active' && now.address.token === state.address.token && this.isOver(now.address)) {
      this.apply({ type: 'end', token: state.address.token, cause: 'expired' })
    }
  }
}

function reportError(error: unknown): void {
  console.warn(error)
}

/** What creates an address could not be fetched. */
const unreached = (): MailboxNotice => ({ kind: 'unreached' })

export type GenerateOptions = {
  /** The domain of an address that a site refused: the operator sees the count. */
  insteadOf?: string
  /** On page load: no notice about the new address. */
  isAutomatic?: boolean
}

export type LinkQuestion = Mailbox & { readonly token: string }

/** What the address card's state machine needs from outside; tests pass their own clocks and servers. */
type LifecycleDeps = {
  clock: PageClock
  api: {
    read: (token: string) => Promise<Mailbox>
    /** Whether an address was created and stored before the application loaded; `undefined` if none was requested. Never rejects. */
    takeFirstAddress: () => Promise<boolean> | undefined
    /** The live addresses of the signed-in account, oldest first; none for a visitor. Never rejects. */
    listOwned: () => Promise<readonly MailboxCreated[]>
  }
  /**
   * Fetches what creates and deletes addresses: with the first change, as the first address is usually requested before the application is
   * there.
   */
  openChanges: (life: MailboxLifecycle) => Promise<AddressChanges>
  storage: {
    /** The address that the page shows. */
    shown: AddressStore
    /** The address that a hand-off link met here, or the link's own. */
    other: AddressStore
    /** The link's token was used, or is of no use any more. */
    forgetLinkToken: () => void
    allowance: () => NewAddressAllowance
    recordAttempt: () => void
  }
  /** Runs `task` while no other tab of this browser runs one. */
  exclusively: (task: () => Promise<void>) => Promise<void>
  notify: (notice: MailboxNotice) => void
}

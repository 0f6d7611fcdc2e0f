/** Runs what `reduceAddress` decides: asks the server, writes to storage, waits and shows notices. Does not depend on React. */
import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { track } from '#web/lib/browser/analytics.ts'
import { anySignal } from '#web/lib/browser/any-signal.ts'
import type { PageClock } from '#web/lib/browser/clock.ts'
import { createStore } from '#web/lib/browser/store.ts'
import {
  type AddressEffect,
  type AddressEvent,
  type ChangeEvent,
  type ChangeStep,
  INITIAL_ADDRESS,
  type MailboxNotice,
  type Refusal,
  reduceAddress,
  type Surroundings,
  type UndoableNotice,
} from '#web/lib/mailbox/address-machine.ts'
import type { AddressStore, StoredAddress } from '#web/lib/mailbox/address-store.ts'
import type { NewAddressAllowance } from '#web/lib/mailbox/new-address-limit.ts'
import type { UndoableChange } from '#web/lib/notify/undo.ts'

/** What is fetched with the first change. `destroy`: at the server, where one that is gone already counts as destroyed. */
type Changes = {
  readonly changeStep: ChangeStep
  readonly destroy: (token: string) => Promise<void>
  readonly offerUndo: (notice: UndoableNotice, change: UndoableChange) => UndoableChange
}

/** What is outside the page's own state; tests pass their own clocks and servers. */
type Outside = {
  clock: PageClock
  api: {
    read: (token: string) => Promise<Mailbox>
    /** Whether an address was created and stored before the application loaded; `undefined` if none was requested. Never rejects. */
    takeFirstAddress: () => Promise<boolean> | undefined
    /** The live addresses of the signed-in account, oldest first; none for a visitor. Never rejects. */
    listOwned: () => Promise<readonly MailboxCreated[]>
    /** Never rejects. */
    create: (insteadOf: string | undefined) => Promise<{ mailbox: MailboxCreated; askedAtMs: number } | { refusal: Refusal }>
  }
  /** The address that the page shows, and the one that a hand-off link met here, or the link's own. */
  stores: Record<'shown' | 'other', AddressStore>
  allowance: () => NewAddressAllowance
  /** The link's token was used, or is of no use any more. */
  forgetLinkToken: () => void
  /** Runs `task` while no other tab of this browser runs one. */
  exclusively: (task: () => Promise<void>) => Promise<void>
  notify: (notice: MailboxNotice) => void
  loadChanges: () => Promise<Changes>
}

/** Keyed by what an effect says is to be done. */
type Effects = { readonly [Do in AddressEffect['do']]: (effect: Extract<AddressEffect, { do: Do }>) => void }

/** These changes can be the first, because no other has brought them. */
const FIRST_CHANGES: ReadonlySet<string> = new Set([
  'create',
  'generate',
  'delete',
  'switch',
  'link',
  'answered',
] satisfies ChangeEvent['type'][])
const isFirstChange = (event: AddressEvent): event is ChangeEvent => FIRST_CHANGES.has(event.type)

/** Before a change there is nothing that comes of one. */
const noStep: ChangeStep = state => [state, []]

/** Everything but `dispatch`, `start` and the state to draw is its own. */
export class AddressRunner {
  readonly state = createStore(INITIAL_ADDRESS)
  readonly #outside: Outside
  readonly #queue: AddressEvent[] = []
  readonly #waits = new Map<string, AbortController>()
  /** Aborted when the page is left. */
  #page = AbortSignal.abort()
  #endTurn = () => {}
  #undoable: UndoableChange | undefined
  #isRunning = false
  #changes: Changes | undefined

  constructor(outside: Outside) {
    this.#outside = outside
  }

  /** Shows the live address, asks about the one of the link, or else creates one. Runs until `signal` aborts. */
  start(signal: AbortSignal, linkToken?: string): void {
    const { api, stores } = this.#outside
    this.#page = signal
    const unsubscribe = stores.shown.subscribe(() => this.dispatch({ type: 'stored', isElsewhere: stores.shown.isAdopting() }))
    const unsubscribeOther = stores.other.subscribe(() => this.dispatch({ type: 'other_stored' }))
    signal.addEventListener(
      'abort',
      () => {
        unsubscribe()
        unsubscribeOther()
        // Leaving the page makes pending deletions final.
        this.dispatch({ type: 'left' })
      },
      { once: true },
    )
    const first = api.takeFirstAddress()
    this.dispatch({ type: 'started', linkToken, isFirstAsked: first !== undefined })
    this.dispatch({ type: 'other_stored' })
    const tell = this.#whileHere()
    first
      ?.then(isMade => {
        if (isMade) stores.shown.refresh()
        tell({ type: 'first_came', isMade })
      })
      .catch(console.warn)
  }

  /** One event after the other: those that an effect brings wait for the effects before them. */
  dispatch(event: AddressEvent): void {
    this.#queue.push(event)
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        if (!this.#changes && isFirstChange(next)) {
          this.#fetchChanges(next)
          continue
        }
        const [after, effects] = reduceAddress(this.state.get(), next, this.#look(), this.#changes?.changeStep ?? noStep)
        if (after !== this.state.get()) this.state.set(after)
        for (const effect of effects) this.#run(effect)
      }
    } finally {
      this.#isRunning = false
    }
  }

  #fetchChanges(event: ChangeEvent): void {
    const tell = this.#whileHere()
    this.#outside
      .loadChanges()
      .then(
        changes => {
          this.#changes = changes
          tell(event)
        },
        () => tell({ type: 'not_loaded', change: event }),
      )
      .catch(console.warn)
  }

  #look(): Surroundings {
    const { clock, stores, allowance } = this.#outside
    return { now: clock.now(), wall: clock.wall(), shown: stores.shown.get(), other: stores.other.get(), allowance: allowance() }
  }

  #run<Do extends AddressEffect['do']>(effect: Extract<AddressEffect, { do: Do }>): void {
    const act = this.#effects[effect.do] as (effect: Extract<AddressEffect, { do: Do }>) => void
    act(effect)
  }

  /** For replies that matter only while the page is there that asked. */
  #whileHere(): (event: AddressEvent) => void {
    const page = this.#page
    return event => {
      if (!page.aborted) this.dispatch(event)
    }
  }

  readonly #effects: Effects = {
    take_turn: effect => void this.#outside.exclusively(() => this.#takeTurn(effect.for)).catch(console.warn),
    end_turn: () => this.#endTurn(),
    wait: effect => this.#wait(effect.for, effect.ms),
    check: ({ address, isOpening }) => {
      const tell = this.#whileHere()
      const { shown } = this.#outside.stores
      shown
        .confirm()
        .then(answer => tell({ type: 'checked', answer, address, isOpening }))
        .catch(console.warn)
    },
    list_owned: ({ gone, isOpening }) => {
      const tell = this.#whileHere()
      const askedAtMs = this.#outside.clock.now()
      const { api } = this.#outside
      api
        .listOwned()
        .then(owned => tell({ type: 'owned_listed', owned, askedAtMs, gone, isOpening }))
        .catch(console.warn)
    },
    create: ({ isAutomatic, insteadOf }) => {
      const tell = this.#whileHere()
      const { api } = this.#outside
      api
        .create(insteadOf)
        .then(made => {
          if ('refusal' in made) tell({ type: 'refused', refusal: made.refusal, isAutomatic })
          // This is done when the page was left, too: the next page shows it.
          else this.dispatch({ type: 'created', mailbox: made.mailbox, askedAtMs: made.askedAtMs, isAutomatic })
        })
        .catch(console.warn)
    },
    save: ({ as, mailbox, askedAtMs }) => this.#outside.stores[as].save(mailbox, askedAtMs),
    restore: ({ as, address }) => this.#outside.stores[as].restore(address),
    clear: ({ what }) => this.#outside.stores[what].clear(),
    forget: ({ token, ifFirst }) => {
      const { shown, other } = this.#outside.stores
      if (shown.take(token) || other.take(token)) for (const effect of ifFirst) this.#run(effect)
    },
    destroy: ({ token }) => void this.#changes?.destroy(token).catch(console.warn),
    delete: ({ address }) => this.#delete(address),
    offer_undo: ({ change, notice }) => {
      this.#undoable = this.#changes?.offerUndo(notice, {
        commit: () => this.dispatch({ type: 'committed', change }),
        undo: () => this.dispatch({ type: 'undone', change }),
      })
    },
    commit: () => this.#undoable?.commit(),
    repeat: ({ event }) => this.dispatch(event),
    read_link: ({ token }) => {
      const tell = this.#whileHere()
      const { api, clock } = this.#outside
      const askedAtMs = clock.now()
      api
        .read(token)
        .then(
          mailbox => tell({ type: 'link_read', question: { ...mailbox, token, askedAtMs } }),
          error => tell({ type: error instanceof ProblemError && error.code === 'mailbox_not_found' ? 'link_dead' : 'link_unanswered' }),
        )
        .catch(console.warn)
    },
    forget_link: () => this.#outside.forgetLinkToken(),
    notify: effect => this.#outside.notify(effect.notice),
    track: effect => track(effect.event),
  }

  /** Holds the turn until it ends or the page is left, so that other tabs get theirs. */
  #takeTurn(purpose: 'opening' | 'creation'): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#page.aborted) return Promise.resolve()
    this.#page.addEventListener('abort', () => resolve(), { once: true })
    this.#endTurn = resolve
    const { shown, other } = this.#outside.stores
    // While this tab waited, another one may have created an address.
    if (purpose === 'opening' && !shown.get()) shown.refresh()
    if (purpose === 'creation') other.refresh()
    this.dispatch({ type: 'turn_came', for: purpose })
    return promise
  }

  #wait(name: Extract<AddressEffect, { do: 'wait' }>['for'], ms: number | undefined): void {
    this.#waits.get(name)?.abort()
    if (ms === undefined) return
    const wait = new AbortController()
    this.#waits.set(name, wait)
    const tell = this.#whileHere()
    const { clock } = this.#outside
    clock
      .sleep(ms, anySignal(this.#page, wait.signal))
      .then(() => tell({ type: 'waited', for: name }))
      .catch(console.warn)
  }

  /** Removed from storage at once: when the page is being left, nothing after the request runs. */
  #delete(address: StoredAddress): void {
    this.#outside.stores.shown.take(address.token)
    this.#changes
      ?.destroy(address.token)
      .then(
        () => this.dispatch({ type: 'deleted', address }),
        error => {
          console.warn(error)
          this.dispatch({ type: 'not_deleted', address })
        },
      )
      .catch(console.warn)
  }
}

/** Creates and deletes the visitor's address, with a way back. Fetched with the first change that the page makes by itself. */
import type { MailboxCreated } from '#contract/mailbox.ts'
import { isUnanswered, ProblemError } from '#web/lib/api/request.ts'
import { BotCheckError, botCheckRefused, obtainBotCheck } from '#web/lib/bot-check/bot-check.ts'
import { track } from '#web/lib/browser/analytics.ts'
import { countAttempt, destroyOwed, requestAddress } from '#web/lib/mailbox/address-requests.ts'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { takeWaitedMs } from '#web/lib/mailbox/first-address-state.ts'
import { newAddressLimit } from '#web/lib/mailbox/new-address-limit.ts'
import { offerUndo, UNDO_MS, type UndoableChange } from '#web/lib/notify/undo.ts'
import { chooseDomain, chosenDomain } from '#web/lib/site/site-config.ts'
import type { GenerateOptions, MailboxLifecycle } from './mailbox-lifecycle.ts'
import { type MailboxNotice, type UndoableNotice, undoableToast } from './notices.ts'
import type { CurrentPage } from './use-mailbox.ts'

/** With a longest pause of ten seconds: about two minutes. */
const UNAVAILABLE_TRIES_MAX = 15
const UNAVAILABLE_SLOWDOWN_MAX = 5

/** What changes need from outside; tests pass their own server. */
type ChangeDeps = {
  create: (request: { botCheck?: string; insteadOf?: string }) => Promise<MailboxCreated>
  destroy: (token: string) => Promise<void>
  obtainBotCheck: () => Promise<string | undefined>
  offerUndo: (notice: UndoableNotice, change: UndoableChange) => UndoableChange
}

export class AddressChanges {
  readonly #life: MailboxLifecycle
  readonly #deps: ChangeDeps

  constructor(life: MailboxLifecycle, deps: ChangeDeps) {
    this.#life = life
    this.#deps = deps
  }

  /** Creates an address in place of the one that is shown. Resolves to what is to be told if there is none. */
  async generate(options: GenerateOptions): Promise<MailboxNotice | undefined> {
    const { allowance, shown } = this.#life.deps.storage
    const { remaining, secondsUntilReset } = allowance()
    if (remaining === 0) return { kind: 'rate_limited', seconds: secondsUntilReset }
    const previous = shown.get()
    this.#life.apply({ type: 'generate' })
    try {
      const created = await this.#createOncePossible(options)
      if (!options.isAutomatic) this.#offerPrevious(previous, created)
      return undefined
    } catch (error) {
      return newAddressFailure(error)
    }
  }

  /** If the server temporarily cannot create addresses, the visitor is told once and waits. */
  async #createOncePossible(options: GenerateOptions): Promise<MailboxCreated> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#create(options)
      } catch (error) {
        const seconds = unavailableRetrySeconds(error)
        if (seconds === undefined || tries === UNAVAILABLE_TRIES_MAX || this.#life.page.aborted) throw error
        if (tries === 1) this.#life.deps.notify({ kind: 'away' })
        await this.#pause(seconds * 1000 * Math.min(tries, UNAVAILABLE_SLOWDOWN_MAX))
      }
    }
  }

  /** Ends early when the page is left, so that other tabs get their turn. */
  async #pause(ms: number): Promise<void> {
    const { deps, page } = this.#life
    const { promise: left, resolve } = Promise.withResolvers<void>()
    page.addEventListener('abort', () => resolve(), { once: true })
    await Promise.race([deps.clock.sleep(ms, page), left])
  }

  async #create({ insteadOf, isAutomatic }: GenerateOptions): Promise<MailboxCreated> {
    const { clock, storage } = this.#life.deps
    const botCheck = await this.#deps.obtainBotCheck()
    const askedAtMs = clock.now()
    const wanted = { ...(botCheck !== undefined && { botCheck }), ...(insteadOf && { insteadOf }) }
    const created = await countAttempt(() => this.#deps.create(wanted), storage.recordAttempt)
    // The visitor has chosen one meanwhile: it stays, and nobody has seen this one.
    if (isAutomatic && storage.shown.get()) this.#destroyQuietly(created.token)
    else storage.shown.save(created, askedAtMs)
    track('email_generated')
    return created
  }

  /** If this fails, the address still expires on its own, and nobody has its token any more. */
  #destroyQuietly(token: string): void {
    this.#deps.destroy(token).catch(ignoreGone).catch(console.warn)
  }

  /** A new address destroys the previous one once that can no longer be undone, unless another browser may have it open. */
  #offerPrevious(previous: StoredAddress | undefined, created: MailboxCreated): void {
    const { clock, storage, notify } = this.#life.deps
    const notice = { kind: 'generated', lifetimeSeconds: created.lifetimeSeconds } as const
    if (!previous || previous.deadlineMs - clock.now() <= UNDO_MS) {
      if (previous && !previous.kept) this.#destroyQuietly(previous.token)
      notify(notice)
      return
    }
    const settled = new AbortController()
    const offered = this.#deps.offerUndo(notice, {
      commit: () => {
        settled.abort()
        if (!previous.kept) this.#destroyQuietly(previous.token)
      },
      undo: () => {
        settled.abort()
        // The machine may have slept.
        if (this.#life.isOver(previous)) return notify({ kind: 'ended' })
        storage.shown.restore(previous)
        this.#destroyQuietly(created.token)
      },
    })
    this.#life.undoable = offered
    // A toast that is held does not outlive the address.
    this.#life.after(previous.deadlineMs - clock.now(), AbortSignal.any([this.#life.page, settled.signal]), () => {
      offered.commit()
      notify({ kind: 'ended' })
    })
  }

  /** Deletes the address, unless the visitor undoes it. */
  deleteAddress(address: StoredAddress): void {
    const life = this.#life
    const state = life.state.get()
    if (state.phase !== 'active' || state.address.token !== address.token) return
    life.undoable?.commit()
    life.apply({ type: 'delete' })
    life.undoable = this.#deps.offerUndo(
      { kind: 'deleting', email: address.email },
      {
        commit: () => void this.#destroy(address).catch(console.warn),
        undo: () => {
          if (life.isOver(address)) this.#destroy(address).catch(console.warn)
          else life.apply({ type: 'undo_delete', token: address.token })
        },
      },
    )
  }

  async #destroy(address: StoredAddress): Promise<void> {
    const { storage, notify } = this.#life.deps
    // Removed from storage at once: when the page is being left, nothing after the request runs.
    storage.shown.take(address.token)
    try {
      await this.#deps.destroy(address.token).catch(ignoreGone)
    } catch (error) {
      console.warn(error)
      notify({ kind: 'delete_failed' })
      if (!storage.shown.get()) storage.shown.restore(address)
      return this.#life.apply({ type: 'undo_delete', token: address.token })
    }
    track('email_deleted')
    this.#life.apply({ type: 'end', token: address.token, cause: 'deleted' })
  }
}

export function changesOn(page: CurrentPage, life: MailboxLifecycle): AddressChanges {
  return new AddressChanges(life, {
    create: wanted =>
      requestAddress({ ...wanted, domain: chosenDomain() }).catch((error: unknown) => {
        // The operator took the chosen one away since this page was loaded: the next try is at the default.
        if (error instanceof ProblemError && error.code === 'domain_not_served') chooseDomain('')
        throw error
      }),
    destroy: destroyOwed,
    obtainBotCheck: () => obtainBotCheck('generate_email', takeWaitedMs()),
    offerUndo: (notice, change) => offerUndo(change, undoableToast(notice, page.current.texts.notices), page.current.undo),
  })
}

/** A mailbox that is gone already counts as destroyed. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof ProblemError && error.code === 'mailbox_not_found')) throw error
}

/** Seconds until the next try, if the server only cannot create an address right now. */
function unavailableRetrySeconds(error: unknown): number | undefined {
  return error instanceof ProblemError && error.code === 'unavailable' ? error.retryAfterSeconds : undefined
}

/** The notice for a creation that failed with `error`. Unexpected errors are logged as well. */
function newAddressFailure(error: unknown): MailboxNotice {
  if (error instanceof BotCheckError) return { kind: 'bot_check', failure: error.failure }
  if (error instanceof ProblemError) {
    if (error.code === 'bot_check_failed') return { kind: 'bot_check', failure: botCheckRefused('generate_email').failure }
    if (error.code === 'rate_limited')
      return { kind: 'rate_limited', seconds: error.retryAfterSeconds ?? newAddressLimit(false).windowSeconds }
    if (error.code === 'mailboxes_max') return { kind: 'full' }
    // Our own server, which says when to try again, has answered.
    if (error.code !== 'unavailable' && isUnanswered(error)) return { kind: 'unreached' }
  }
  console.warn(error)
  return { kind: 'failed' }
}

import type { Mailbox } from '#contract/mailbox.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { INVALID_TOKEN } from '#web/lib/mailbox/hand-off.ts'
import type { LifecycleDeps, LinkQuestion } from './mailbox-lifecycle.ts'

/** `unknown`: the server could not be reached, so the token is kept. */
export type LinkOutcome = 'opened' | 'asked' | 'refused' | 'gone' | 'unknown'

/**
 * The address of a hand-off link ("open on phone"). It is never shown without asking: whoever sent the link can read its mail, so a
 * stranger's link must not become the address that a visitor gives away.
 */
export class LinkedAddress {
  readonly question: LinkQuestion
  readonly #deps: LifecycleDeps
  readonly #settle: () => void
  #isUnreachableTold = false
  /** When the lifetime of that address was read. */
  #askedAtMs = 0

  /** `settle` makes the pending change final. */
  constructor(question: LinkQuestion, deps: LifecycleDeps, settle: () => void) {
    this.question = question
    this.#deps = deps
    this.#settle = settle
  }

  /** Asks whether to open the link's inbox. */
  async open(token: string): Promise<LinkOutcome> {
    const { api, clock, storage, visitor } = this.#deps
    const askedAtMs = clock.now()
    if (storage.session.get()?.token === token) {
      storage.forgetLinkToken()
      return 'opened'
    }
    if (this.question.get()?.token === token) return 'asked'
    if (token === INVALID_TOKEN) return this.#refuseDead()
    try {
      return this.#ask({ ...(await api.read(token)), token }, askedAtMs)
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'mailbox_not_found') return this.#refuseDead()
      if (!this.#isUnreachableTold) visitor.notify({ kind: 'hand_over_unreachable' })
      this.#isUnreachableTold = true
      return 'unknown'
    }
  }

  #refuseDead(): LinkOutcome {
    this.#deps.storage.forgetLinkToken()
    this.#deps.visitor.notify({ kind: 'hand_over_failed' })
    return 'gone'
  }

  /** Two addresses can be open beside each other. The link's token is kept until the answer, so that a reload asks again. */
  #ask(mailbox: Mailbox & { token: string }, askedAtMs: number): LinkOutcome {
    const { clock, storage, visitor } = this.#deps
    const parked = storage.other.get()
    if (storage.session.get() && parked && parked.token !== mailbox.token && parked.deadlineMs > clock.now()) {
      storage.forgetLinkToken()
      visitor.notify({ kind: 'hand_over_refused' })
      return 'refused'
    }
    this.#askedAtMs = askedAtMs
    this.question.set(mailbox)
    return 'asked'
  }

  /** The link's address with its current time left. Whoever sent the link has it too. */
  #closeQuestion(): (Mailbox & { token: string; kept: true }) | undefined {
    const linked = this.question.get()
    if (!linked) return undefined
    this.question.set(undefined)
    this.#deps.storage.forgetLinkToken()
    return { ...linked, kept: true, secondsLeft: linked.secondsLeft - (this.#deps.clock.now() - this.#askedAtMs) / 1000 }
  }

  /** The visitor's answer. An address that was live stays available beside the link's; a link that was declined is forgotten. */
  answer(isLinkChosen: boolean): void {
    const linked = this.#closeQuestion()
    if (!linked || !isLinkChosen) return
    const { clock, storage, visitor } = this.#deps
    if (linked.secondsLeft <= 0) {
      visitor.notify({ kind: 'hand_over_failed' })
    } else if (storage.session.get()) {
      storage.other.save(linked, clock.now())
      this.switch()
    } else {
      storage.session.save(linked, clock.now())
      visitor.notify({ kind: 'handed_over' })
    }
  }

  /** Swaps the shown address and the other one. */
  switch(): void {
    const { session, other } = this.#deps.storage
    this.#settle()
    const [shown, hidden] = [session.get(), other.get()]
    if (!hidden) return
    if (shown) other.restore(shown)
    else other.clear()
    session.restore(hidden)
  }
}

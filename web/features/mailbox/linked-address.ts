import { ProblemError } from '#web/lib/api/request.ts'
import { INVALID_TOKEN } from '#web/lib/mailbox/hand-off.ts'
import type { LinkQuestion, MailboxLifecycle } from './mailbox-lifecycle.ts'

/** `unknown`: the server could not be reached, so the token is kept. */
export type LinkOutcome = 'opened' | 'asked' | 'refused' | 'gone' | 'unknown'

/**
 * The address of a hand-off link ("open on phone"). It is never shown without asking: whoever sent the link can read its mail, so a
 * stranger's link must not become the address that a visitor gives away.
 */
export class LinkedAddress {
  readonly #life: MailboxLifecycle
  #isUnreachableTold = false
  /** When the lifetime of that address was read. */
  #askedAtMs = 0

  constructor(life: MailboxLifecycle) {
    this.#life = life
  }

  /** Asks whether to open the link's inbox. */
  async open(token: string): Promise<LinkOutcome> {
    const { api, clock, storage, notify } = this.#life.deps
    const askedAtMs = clock.now()
    if (storage.shown.get()?.token === token) {
      storage.forgetLinkToken()
      return 'opened'
    }
    if (this.#life.question.get()?.token === token) return 'asked'
    if (token === INVALID_TOKEN) return this.#refuseDead()
    try {
      return this.#ask({ ...(await api.read(token)), token }, askedAtMs)
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'mailbox_not_found') return this.#refuseDead()
      if (!this.#isUnreachableTold) notify({ kind: 'hand_over_unreachable' })
      this.#isUnreachableTold = true
      return 'unknown'
    }
  }

  #refuseDead(): LinkOutcome {
    const { storage, notify } = this.#life.deps
    storage.forgetLinkToken()
    notify({ kind: 'hand_over_failed' })
    return 'gone'
  }

  /** Two addresses can be open beside each other. The link's token is kept until the answer, so that a reload asks again. */
  #ask(mailbox: LinkQuestion, askedAtMs: number): LinkOutcome {
    const { clock, storage, notify } = this.#life.deps
    const parked = storage.other.get()
    if (storage.shown.get() && parked && parked.token !== mailbox.token && parked.deadlineMs > clock.now()) {
      storage.forgetLinkToken()
      notify({ kind: 'hand_over_refused' })
      return 'refused'
    }
    this.#askedAtMs = askedAtMs
    this.#life.question.set(mailbox)
    return 'asked'
  }

  /** The link's address with its current time left. Whoever sent the link has it too. */
  #closeQuestion(): (LinkQuestion & { kept: true }) | undefined {
    const { question, deps } = this.#life
    const linked = question.get()
    if (!linked) return undefined
    question.set(undefined)
    deps.storage.forgetLinkToken()
    return { ...linked, kept: true, secondsLeft: linked.secondsLeft - (deps.clock.now() - this.#askedAtMs) / 1000 }
  }

  /** The visitor's answer. An address that was live stays available beside the link's; a link that was declined is forgotten. */
  answer(isLinkChosen: boolean): void {
    const linked = this.#closeQuestion()
    if (!linked || !isLinkChosen) return
    const { clock, storage, notify } = this.#life.deps
    if (linked.secondsLeft <= 0) {
      notify({ kind: 'hand_over_failed' })
    } else if (storage.shown.get()) {
      storage.other.save(linked, clock.now())
      this.switch()
    } else {
      storage.shown.save(linked, clock.now())
      notify({ kind: 'handed_over' })
    }
  }

  /** Swaps the shown address and the other one. */
  switch(): void {
    const { shown, other } = this.#life.deps.storage
    this.#life.undoable?.commit()
    const [previous, next] = [shown.get(), other.get()]
    if (!next) return
    if (previous) other.restore(previous)
    else other.clear()
    shown.restore(next)
  }
}

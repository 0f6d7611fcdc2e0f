import type { MailboxId } from './store.ts'

/** The bell inside one process, for adapters to build `watch` on: rings carry no data, and rings while nobody reads fold into one. */
export class Doorbell {
  readonly #listeners = new Map<MailboxId, Set<() => void>>()

  ring(mailboxId: MailboxId): void {
    for (const wake of this.#listeners.get(mailboxId) ?? []) wake()
  }

  /** For when rings may have been lost: everyone looks. */
  ringAll(): void {
    for (const wakers of this.#listeners.values()) for (const wake of wakers) wake()
  }

  /** See `MailStore.watch`. */
  async *watch(mailboxId: MailboxId, signal: AbortSignal): AsyncGenerator<void> {
    let rung = true
    let resume: (() => void) | undefined
    const wake = () => {
      rung = true
      resume?.()
    }
    this.#add(mailboxId, wake)
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        if (rung) {
          rung = false
          yield
        } else {
          await new Promise<void>(resolve => {
            resume = resolve
          })
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#remove(mailboxId, wake)
    }
  }

  #add(mailboxId: MailboxId, wake: () => void): void {
    const wakers = this.#listeners.get(mailboxId) ?? new Set()
    this.#listeners.set(mailboxId, wakers.add(wake))
  }

  #remove(mailboxId: MailboxId, wake: () => void): void {
    const wakers = this.#listeners.get(mailboxId)
    wakers?.delete(wake)
    if (wakers?.size === 0) this.#listeners.delete(mailboxId)
  }
}

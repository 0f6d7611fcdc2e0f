import type { MailboxId } from './store.ts'

/**
 * Notifies watchers within this process that a mailbox changed; adapters use it for `watch`. Carries no data: several notifications before
 * the next read become one.
 */
export class Notifier {
  readonly #listeners = new Map<MailboxId, Set<() => void>>()

  notify(mailboxId: MailboxId): void {
    for (const wake of this.#listeners.get(mailboxId) ?? []) wake()
  }

  /** When a notification may have been lost: wakes all watchers. */
  notifyAll(): void {
    for (const wakers of this.#listeners.values()) for (const wake of wakers) wake()
  }

  /** See `MailStore.watch`. */
  async *watch(mailboxId: MailboxId, signal: AbortSignal): AsyncGenerator<void> {
    let isPending = true
    let resume: (() => void) | undefined
    const wake = () => {
      isPending = true
      resume?.()
    }
    this.#add(mailboxId, wake)
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        if (isPending) {
          isPending = false
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

import { Listeners } from './listeners.ts'
import type { MailboxId } from './store.ts'

/**
 * Notifies watchers within this process that a mailbox changed; implementations use it for `MailStore.watch`. Carries no data: several
 * notifications before the next read become one.
 */
export class Notifier {
  readonly #listeners = new Listeners<() => void>()

  notify(mailboxId: MailboxId): void {
    for (const wake of this.#listeners.get(mailboxId)) wake()
  }

  /** When a notification may have been lost: wakes all watchers. */
  notifyAll(): void {
    for (const wake of this.#listeners.all()) wake()
  }

  /** See `MailStore.watch`. */
  async *watch(mailboxId: MailboxId, signal: AbortSignal): AsyncGenerator<void> {
    let isPending = true
    let resume: (() => void) | undefined
    const wake = () => {
      isPending = true
      resume?.()
    }
    const remove = this.#listeners.add(mailboxId, wake)
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
      remove()
    }
  }
}

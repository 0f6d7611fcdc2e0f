import type { MailboxId } from './store.ts'

/** The listeners of each mailbox within this process. A mailbox without any takes no memory. */
class Listeners<Listener> {
  readonly #byMailbox = new Map<MailboxId, Set<Listener>>()

  /** Call the result to remove the listener. */
  add(mailboxId: MailboxId, listener: Listener): () => void {
    const listeners = this.#byMailbox.get(mailboxId) ?? new Set()
    this.#byMailbox.set(mailboxId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#byMailbox.get(mailboxId) === listeners) this.#byMailbox.delete(mailboxId)
    }
  }

  get(mailboxId: MailboxId): Iterable<Listener> {
    return this.#byMailbox.get(mailboxId) ?? []
  }

  *all(): Generator<Listener> {
    for (const listeners of this.#byMailbox.values()) yield* listeners
  }
}

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

/** Carries the progress of deliveries to this process's readers, for `MailStore.publishProgress` and `subscribeToProgress`. */
export class ProgressListeners {
  readonly #listeners = new Listeners<(progress: string) => void>()

  publish(mailboxId: MailboxId, writeProgress: () => string): void {
    let progress: string | undefined
    for (const listener of this.#listeners.get(mailboxId)) {
      progress ??= writeProgress()
      listener(progress)
    }
  }

  /** See `MailStore.subscribeToProgress`. */
  subscribe(mailboxId: MailboxId, listener: (progress: string) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    signal.addEventListener('abort', this.#listeners.add(mailboxId, listener), { once: true })
  }
}

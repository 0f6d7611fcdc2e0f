import type { MailboxId } from './store.ts'

/** The listeners of each mailbox within this process. A mailbox without any takes no memory. */
export class Listeners<Listener> {
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

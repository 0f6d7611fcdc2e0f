import type { MailboxId } from './store.ts'

type Listener = (note: string) => void

/** Passes notes to those who listen for a mailbox in this process right now, for adapters to build `tell` and `listen` on. Keeps none. */
export class Notes {
  readonly #listeners = new Map<MailboxId, Set<Listener>>()

  tell(mailboxId: MailboxId, note: string): void {
    for (const listener of this.#listeners.get(mailboxId) ?? []) listener(note)
  }

  /** See `MailStore.listen`. */
  listen(mailboxId: MailboxId, listener: Listener, signal: AbortSignal): void {
    if (signal.aborted) return
    const listeners = this.#listeners.get(mailboxId) ?? new Set()
    this.#listeners.set(mailboxId, listeners.add(listener))
    const leave = () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(mailboxId) === listeners) this.#listeners.delete(mailboxId)
    }
    signal.addEventListener('abort', leave, { once: true })
  }
}

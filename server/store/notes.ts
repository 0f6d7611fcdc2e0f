import type { MailboxId } from './store.ts'

type Listener = (note: string) => void

/** Publish and subscribe within this process, which adapters use for `MailStore.publish` and `subscribe`. Notes are not stored. */
export class Notes {
  readonly #listeners = new Map<MailboxId, Set<Listener>>()

  publish(mailboxId: MailboxId, note: string): void {
    for (const listener of this.#listeners.get(mailboxId) ?? []) listener(note)
  }

  /** See `MailStore.subscribe`. */
  subscribe(mailboxId: MailboxId, listener: Listener, signal: AbortSignal): void {
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

import { Listeners } from './listeners.ts'
import type { MailboxId } from './store.ts'

/** Publish and subscribe within this process; implementations use it for `MailStore.publish` and `subscribe`. Notes are not stored. */
export class Notes {
  readonly #listeners = new Listeners<(note: string) => void>()

  publish(mailboxId: MailboxId, writeNote: () => string): void {
    let note: string | undefined
    for (const listener of this.#listeners.get(mailboxId)) {
      note ??= writeNote()
      listener(note)
    }
  }

  /** See `MailStore.subscribe`. */
  subscribe(mailboxId: MailboxId, listener: (note: string) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    signal.addEventListener('abort', this.#listeners.add(mailboxId, listener), { once: true })
  }
}

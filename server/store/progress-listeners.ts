import { Listeners } from './listeners.ts'
import type { MailboxId } from './store.ts'

/**
 * Carries the progress of deliveries to readers in this process; implementations use it for `MailStore.publishProgress` and
 * `subscribeToProgress`. Nothing is stored.
 */
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

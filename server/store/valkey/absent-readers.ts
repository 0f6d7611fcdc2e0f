/** Remembers mailboxes without readers, so that delivery progress for them costs no command. */
import type { MailboxId } from '../store.ts'

/** A reader who opens a stream in another process misses progress for at most this long; mail itself reaches them at once. */
const KNOWN_MS = 5000
const MAILBOXES_MAX = 10_000

export class AbsentReaders {
  /** When each was last seen without readers, oldest first. */
  readonly #absentSince = new Map<MailboxId, number>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  recordListeners(mailboxId: MailboxId, listeners: number): void {
    this.#absentSince.delete(mailboxId)
    if (listeners > 0) return
    this.#absentSince.set(mailboxId, this.#nowMs())
    const [oldest] = this.#absentSince.keys()
    if (this.#absentSince.size > MAILBOXES_MAX && oldest !== undefined) this.#absentSince.delete(oldest)
  }

  /** `false` also when nobody looked lately. */
  isAbsent(mailboxId: MailboxId): boolean {
    const since = this.#absentSince.get(mailboxId)
    return since !== undefined && this.#nowMs() - since < KNOWN_MS
  }
}

import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { MailboxId, MailboxRecord } from '../store.ts'

/** About 1 kB each. */
const KEPT_MAX = 2000

/**
 * Keeps records of mailboxes in memory, so that a mail or a request for one needs no query. Only this process has the file, so everything
 * that ends a mailbox happens here: its expiry, its destruction, or a failing engine.
 */
export class KnownRecords {
  readonly #records = new BoundedMap<MailboxId, MailboxRecord>(KEPT_MAX)
  /** The latest time seen, so that expired mailboxes stay expired when the clock goes back. */
  #latest = Number.NEGATIVE_INFINITY
  /** Counts events that may have ended a mailbox. A record that was requested before the last one is not kept. */
  #version = 0

  get version(): number {
    return this.#version
  }

  /** Call with the time of every call of the store. */
  noteTime(now: number): void {
    this.#latest = Math.max(this.#latest, now)
  }

  /** The live mailbox, if its record is kept. */
  find(mailboxId: MailboxId): MailboxRecord | undefined {
    const record = this.#records.get(mailboxId)
    if (!record) return undefined
    if (record.expiresAt > this.#latest) return record
    this.#records.delete(mailboxId)
    return undefined
  }

  /** `version`: its value when the record was requested. */
  keep(record: MailboxRecord, version: number): void {
    if (version === this.#version) this.#records.set(record.mailboxId, record)
  }

  forget(mailboxId: MailboxId): void {
    this.#version++
    this.#records.delete(mailboxId)
  }

  /** After a failure the content of the database is unknown. */
  clear(): void {
    this.#version++
    this.#records.clear()
  }
}

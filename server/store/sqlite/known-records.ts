/**
 * Records of mailboxes that are kept in memory, so that a mail or a request for one of them needs no look at the database. Only this
 * process has the file, so whatever ends a mailbox passes here: its expiry, its destruction, or an engine that fails.
 */
import { BoundedMap } from '#server/bounded-map.ts'
import type { MailboxId, MailboxRecord } from '../store.ts'

/** About 1 kB each. */
const KEPT_MAX = 2000

export class KnownRecords {
  readonly #records = new BoundedMap<MailboxId, MailboxRecord>(KEPT_MAX)
  /** The latest time that was seen: what has expired stays expired when the clock goes back. */
  #latest = Number.NEGATIVE_INFINITY
  /** Counts what may have ended a mailbox: a record that was asked for before is not kept. */
  #generation = 0

  get generation(): number {
    return this.#generation
  }

  /** Call with the time of every call of the store. */
  see(now: number): void {
    this.#latest = Math.max(this.#latest, now)
  }

  /** The live mailbox if it is known. */
  find(mailboxId: MailboxId): MailboxRecord | undefined {
    const record = this.#records.get(mailboxId)
    if (!record) return undefined
    if (record.expiresAt > this.#latest) return record
    this.#records.delete(mailboxId)
    return undefined
  }

  /** `generation`: as it was when the record was asked for. */
  keep(record: MailboxRecord, generation: number): void {
    if (generation === this.#generation) this.#records.set(record.mailboxId, record)
  }

  forget(mailboxId: MailboxId): void {
    this.#generation++
    this.#records.delete(mailboxId)
  }

  /** After a failure nobody knows what the database holds. */
  clear(): void {
    this.#generation++
    this.#records.clear()
  }
}

/**
 * Detects changes that somebody else made in the store. Mail is encrypted to the public key in a mailbox's record, so whoever could replace
 * that key could read later mail. At RCPT only the server's secret is available, so the record must have a valid MAC under it. A reader
 * also has the token, so the record must contain the key derived from the token and the address that the mailbox id was derived from.
 */
import { type PlannedFailure, plannedFailureSchema } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import { equalBytes } from '#server/platform/cryptography.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxRecord } from '#server/store/store.ts'
import { hmacSha256 } from './keys/hpke.ts'
import { deriveMailboxId, type Subkeys } from './keys/secret.ts'

/** Limits the log: a stranger can send any number of messages to a changed mailbox. */
const LOG_PAUSE_MS = 60_000

const MAC_BYTES = 32

/** The text that the MAC covers beside the fields of the record. */
function coveredText(mac: Uint8Array): string {
  return Buffer.from(mac.subarray(MAC_BYTES)).toString()
}

export class MailboxGuard {
  readonly #keys: Subkeys
  readonly #log: Log
  readonly #telemetry: Telemetry
  /** Records in memory, which nobody else can change: checked once. */
  readonly #checked = new WeakSet<MailboxRecord>()
  /** The same, by a reader whose token has the hash in the record. */
  readonly #checkedByReader = new WeakSet<MailboxRecord>()
  readonly #atIntervals = createLogInterval(LOG_PAUSE_MS)

  constructor(keys: Subkeys, log: Log, telemetry: Telemetry) {
    this.#keys = keys
    this.#log = log
    this.#telemetry = telemetry
  }

  /** The `mac` of a new record. */
  sign(record: Omit<MailboxRecord, 'mac'>, failure?: PlannedFailure): Uint8Array {
    const covered = failure ? JSON.stringify(failure) : ''
    return Buffer.concat([this.#computeMac(record, covered), Buffer.from(covered)])
  }

  /** How the mailbox of an authentic record fails on purpose. */
  failureOf({ mac }: MailboxRecord): PlannedFailure | undefined {
    if (mac.byteLength === MAC_BYTES) return undefined
    return plannedFailureSchema.safeParse(JSON.parse(coveredText(mac))).data
  }

  #computeMac({ mailboxId, tokenHash, publicKey, sealedAddress, createdAt, expiresAt }: Omit<MailboxRecord, 'mac'>, covered: string) {
    // Times and lengths first, so that no two records have the same text.
    const lengths = [tokenHash.byteLength, publicKey.byteLength]
    const head = JSON.stringify([mailboxId, createdAt, expiresAt, ...lengths, ...(covered === '' ? [] : [covered])])
    return hmacSha256(this.#keys.mailboxMac, [Buffer.from(head), tokenHash, publicKey, sealedAddress])
  }

  /** `false` for a record that was changed: it gets no mail. */
  mayReceive(record: MailboxRecord): boolean {
    if (this.#isAuthentic(record)) return true
    this.#report()
    return false
  }

  /**
   * For a token that has the hash in the record. `publicKey` and `email`: derived from it, which takes a hundred microseconds.
   * @throws AppError `unavailable` if the record has another key or another address than the owner's, or was changed.
   */
  requireOwner(record: MailboxRecord, publicKey: () => Uint8Array, email: () => string): void {
    if (this.#checkedByReader.has(record)) return
    this.#require(equalBytes(record.publicKey, publicKey()) && this.#isAuthentic(record))
    this.#require(deriveMailboxId(this.#keys.mailboxId, email()) === record.mailboxId)
    this.#checkedByReader.add(record)
  }

  #isAuthentic(record: MailboxRecord): boolean {
    if (this.#checked.has(record)) return true
    const { mac } = record
    const isAuthentic = equalBytes(this.#computeMac(record, coveredText(mac)), mac.subarray(0, MAC_BYTES))
    if (isAuthentic) this.#checked.add(record)
    return isAuthentic
  }

  #require(isTrue: boolean): void {
    if (isTrue) return
    this.#report()
    // Logged above at intervals. `retryAfterSeconds` keeps this response out of the log.
    throw new AppError('unavailable', { retryAfterSeconds: LOG_PAUSE_MS / 1000 })
  }

  #report(): void {
    this.#telemetry.mailboxRefused()
    this.#atIntervals(() => this.#log.error({}, 'A mailbox in the mail store was changed by somebody else: it gets no mail'))
  }
}

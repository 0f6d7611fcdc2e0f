/**
 * Notices that somebody else wrote to the store. Mail is sealed to the public key in a mailbox's row, so whoever could replace that key
 * could read the mail that comes next. At RCPT only the server's secret is at hand: the row must carry a MAC under it. A reader brings the
 * token as well: the row must hold the key that the token derives, and the address that the mailbox is named after.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { equalBytes } from '#server/equal-bytes.ts'
import { AppError } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import type { MailboxRecord } from '#server/store/store.ts'
import { deriveMailboxId, type Subkeys } from './keys/subkeys.ts'

/** A stranger who sends to a changed mailbox must not choose how long the log gets. */
const LOG_PAUSE_MS = 60_000

type MailboxGuardOptions = {
  readonly keys: Pick<Subkeys, 'mailboxId' | 'mailboxMac'>
  readonly log: Log
  readonly refused?: (() => void) | undefined
}

export class MailboxGuard {
  readonly #options: MailboxGuardOptions
  readonly #macKey: KeyObject
  #loggedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: MailboxGuardOptions) {
    this.#options = options
    this.#macKey = createSecretKey(options.keys.mailboxMac)
  }

  macOf({ mailboxId, tokenHash, publicKey, sealedAddress, createdAt, expiresAt }: Omit<MailboxRecord, 'mac'>): Uint8Array {
    // Times and lengths first, so that no two rows give the same text.
    const head = JSON.stringify([mailboxId, createdAt, expiresAt, tokenHash.byteLength, publicKey.byteLength])
    return createHmac('sha256', this.#macKey).update(head).update(tokenHash).update(publicKey).update(sealedAddress).digest()
  }

  /** A mailbox of a build before 0.1.0 has no MAC: its owner can read it until its end, and it gets no new mail. */
  mayReceive(stored: MailboxRecord): boolean {
    if (this.#isAuthentic(stored)) return true
    this.#report()
    return false
  }

  /** @throws AppError `unavailable` when `publicKey`, derived from the token, is not the one mail is sealed to, or the row was changed. */
  requireKey(stored: MailboxRecord, publicKey: Uint8Array): void {
    this.#require(equalBytes(stored.publicKey, publicKey) && (stored.mac.byteLength === 0 || this.#isAuthentic(stored)))
  }

  /** @throws AppError `unavailable` when the row shows its owner another address than its own. */
  requireAddress(stored: MailboxRecord, email: string): void {
    this.#require(deriveMailboxId(this.#options.keys.mailboxId, email) === stored.mailboxId)
  }

  #isAuthentic(stored: MailboxRecord): boolean {
    return equalBytes(this.macOf(stored), stored.mac)
  }

  #require(isTrue: boolean): void {
    if (isTrue) return
    this.#report()
    // Logged above, now and then; the pause also keeps the response out of the log.
    throw new AppError('unavailable', { retryAfterSeconds: LOG_PAUSE_MS / 1000 })
  }

  #report(): void {
    const { log, refused } = this.#options
    refused?.()
    const nowMs = performance.now()
    if (nowMs - this.#loggedAtMs < LOG_PAUSE_MS) return
    this.#loggedAtMs = nowMs
    log.error({}, 'a mailbox in the mail store was changed by somebody else, or made by a build before 0.1.0: it gets no mail')
  }
}

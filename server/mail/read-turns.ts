/** Limits how many whole messages are read at once: opening one takes four times its size in memory, and it may have 25 MiB. */
import { AppError } from '#server/errors.ts'
import type { MailboxId } from '#server/store/store.ts'

/** All mailboxes together: as many as keep the mail threads busy, and 400 MiB when all are of the largest kind. Sixty at once took 4.6 GB. */
const READS_MAX = 4
/** A message with this many pictures is shown without a refusal; more waiting than this is somebody's loop. */
const WAITING_PER_MAILBOX_MAX = 64
const RETRY_SECONDS = 1

type Line = { last: Promise<unknown>; length: number }

/** One mailbox reads one message at a time, so that nobody's queue stands before anybody else's. */
export class ReadTurns {
  readonly #lines = new Map<MailboxId, Line>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  /**
   * Runs `read` when it is this mailbox's turn, and not at all when `signal` says by then that its reader has gone.
   * @throws AppError `rate_limited` when too many of it wait already, `unavailable` to nobody when the reader has gone.
   */
  async run<T>(mailboxId: MailboxId, read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const line = this.#lines.get(mailboxId) ?? { last: Promise.resolve(), length: 0 }
    if (line.length >= WAITING_PER_MAILBOX_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
    line.length += 1
    this.#lines.set(mailboxId, line)
    const turn = line.last.then(() => this.#inOneOf(read, signal))
    // The line must not keep what was read.
    line.last = Promise.allSettled([turn]).then(() => undefined)
    try {
      return await turn
    } finally {
      line.length -= 1
      if (line.length === 0) this.#lines.delete(mailboxId)
    }
  }

  async #inOneOf<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    refuseGone(signal)
    if (this.#running >= READS_MAX) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#running += 1
    try {
      refuseGone(signal)
      return await read()
    } finally {
      // The place goes straight to the next in line.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}

function refuseGone(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS })
}

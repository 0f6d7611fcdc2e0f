import type { Log } from './log.ts'

/** Work that nobody waits for, except the stop of the server. Failures are logged. */
export class BackgroundWork {
  readonly #log: Log
  readonly #running = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Resolves when it has ended or failed. `failure`: the sentence that is logged with the error. */
  async run(work: Promise<unknown>, failure: string): Promise<void> {
    const watched = work
      .then(() => undefined)
      .catch((error: unknown) => this.#log.error({ err: error }, failure))
      .finally(() => this.#running.delete(watched))
    this.#running.add(watched)
    await watched
  }

  /** Resolves when everything has ended, including what was started meanwhile. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}

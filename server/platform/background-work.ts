import type { Log } from './log.ts'

/** Work that nobody waits for, except the stop of the server. Failures are logged. */
export class BackgroundWork {
  readonly #log: Log
  readonly #running = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Resolves when it has ended or failed. `failure`: the sentence that is logged with the error, or what is called with it. */
  async run(work: Promise<unknown>, failure: string | ((error: unknown) => void)): Promise<void> {
    const note = typeof failure === 'string' ? (error: unknown) => this.#log.error({ err: error }, failure) : failure
    const watched = work
      .then(() => undefined)
      .catch(note)
      .finally(() => this.#running.delete(watched))
    this.#running.add(watched)
    await watched
  }

  /** Resolves when everything has ended, including what was started meanwhile. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}

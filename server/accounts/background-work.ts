import type { Log } from '#server/log.ts'

/** Work that continues after the response was sent. Failures are logged. */
export class BackgroundWork {
  readonly #log: Log
  readonly #running = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  run(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => this.#log.error({ err: error }, 'Work after a reply failed'))
      .finally(() => this.#running.delete(watched))
    this.#running.add(watched)
  }

  /** Resolves when all started work has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }
}
